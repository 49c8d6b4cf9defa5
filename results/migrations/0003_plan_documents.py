"""Every document of a contract or spec is kept, so that undoing an import gives the place back to the one before."""

import django.db.models.deletion
from django.core.management.color import no_style
from django.db import migrations, models

FIELDS = [
    ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
    ("digest", models.CharField(help_text="SHA-256 of the file's bytes, hex", max_length=64)),
    ("body", models.BinaryField(help_text="zstd-compressed")),
    ("imported_at", models.DateTimeField(auto_now_add=True)),
]


def keep_what_counts(apps, schema_editor):
    """The ids stay those of the sprints and specs: reports of earlier imports name them."""
    connection = schema_editor.connection
    for owner, column, name in (("Sprint", "sprint_id", "ContractDocument"), ("Spec", "spec_id", "SpecDocument")):
        document = apps.get_model("results", name)
        for row in apps.get_model("results", owner).objects.exclude(body=None).exclude(body_digest="").iterator():
            document.objects.create(pk=row.pk, digest=row.body_digest, body=row.body, **{column: row.pk})
        for statement in connection.ops.sequence_reset_sql(no_style(), [document]):
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("results", "0002_job_batch")]

    operations = [
        migrations.CreateModel(
            name="ContractDocument",
            fields=[
                *FIELDS,
                (
                    "sprint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="results.sprint"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SpecDocument",
            fields=[
                *FIELDS,
                (
                    "spec",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="documents", to="results.spec"
                    ),
                ),
            ],
        ),
        migrations.RunPython(keep_what_counts, migrations.RunPython.noop, elidable=True),
    ]
