"""A job may run the strategies of a code project."""

from django.db import migrations, models

KINDS = [
    ("import", "Import"),
    ("delete", "Delete"),
    ("compact", "Compact"),
    ("index", "Index"),
    ("merge", "Merge"),
    ("trial", "Trial"),
    ("strategies", "Strategies"),
]


class Migration(migrations.Migration):
    dependencies = [("results", "0005_live_trials")]

    operations = [
        migrations.AlterField(model_name="job", name="kind", field=models.CharField(choices=KINDS, max_length=20)),
    ]
