"""An iteration may be one that could not be evaluated, which is told apart from a failed one."""

from django.db import migrations, models

VERDICTS = [("pass", "Pass"), ("fail", "Fail"), ("error", "Error")]


class Migration(migrations.Migration):
    dependencies = [("results", "0010_accounts")]

    operations = [
        migrations.AlterField(
            model_name="iteration", name="verdict", field=models.CharField(choices=VERDICTS, max_length=10)
        ),
    ]
