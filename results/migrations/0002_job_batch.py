"""The word that jobs of one call have in common becomes a column, so that a list can put them together."""

from django.db import migrations, models


def move_into_column(apps, schema_editor):
    for job in apps.get_model("results", "Job").objects.filter(arguments__has_key="batch").iterator():
        job.batch = job.arguments.pop("batch")
        job.save(update_fields=["batch", "arguments"])


def move_back(apps, schema_editor):
    for job in apps.get_model("results", "Job").objects.exclude(batch="").iterator():
        job.arguments["batch"] = job.batch
        job.save(update_fields=["arguments"])


class Migration(migrations.Migration):
    dependencies = [("results", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="job",
            name="batch",
            field=models.CharField(
                default="", help_text="common to what was given at one time; empty = alone", max_length=40
            ),
        ),
        migrations.RunPython(move_into_column, move_back, elidable=True),
        migrations.AddIndex(model_name="job", index=models.Index(fields=["batch"], name="job_batch")),
    ]
