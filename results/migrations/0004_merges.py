"""An evaluation that was made of others says of which, and what the merge replaced."""

import django.db.models.deletion
from django.db import migrations, models

KINDS = [
    ("import", "Import"),
    ("delete", "Delete"),
    ("compact", "Compact"),
    ("index", "Index"),
    ("merge", "Merge"),
]


class Migration(migrations.Migration):
    dependencies = [("results", "0003_plan_documents")]

    operations = [
        migrations.AlterField(
            model_name="job", name="kind", field=models.CharField(choices=KINDS, max_length=20)
        ),
        migrations.CreateModel(
            name="Merge",
            fields=[
                (
                    "evaluation",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="merge",
                        serialize=False,
                        to="results.evaluation",
                    ),
                ),
                ("stats", models.JSONField(default=dict, help_text="a `MergeStats` as JSON")),
            ],
        ),
        migrations.CreateModel(
            name="MergeSource",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.IntegerField(help_text="counted from 1")),
                ("name", models.TextField(help_text="of the source when it was merged")),
                (
                    "merge",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="sources", to="results.merge"
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="merged_into",
                        to="results.evaluation",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["merge", "position"], name="merge_source_once")],
            },
        ),
    ]
