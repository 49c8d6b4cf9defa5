"""Live trials: evaluations that we run ourselves, the work they are shared out in, and what is done."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0004_merges'),
    ]

    operations = [
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('import', 'Import'), ('delete', 'Delete'), ('compact', 'Compact'), ('index', 'Index'), ('merge', 'Merge'), ('trial', 'Trial')], max_length=20),
        ),
        migrations.CreateModel(
            name='Trial',
            fields=[
                ('evaluation', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='trial', serialize=False, to='results.evaluation')),
                ('state', models.CharField(choices=[('running', 'Running'), ('ready', 'Ready'), ('cancelled', 'Cancelled')], default='running', max_length=20)),
                ('reason', models.TextField(default='', help_text='why it ended before it was whole; empty = it did not, or was asked to')),
                ('config_name', models.TextField(help_text='of the configuration file, as the user knows it')),
                ('config_text', models.TextField(help_text='keys stand in it as `${…}`')),
                ('tasks_name', models.TextField(help_text='of the task file, as the user knows it')),
                ('tasks_text', models.TextField()),
                ('folder', models.TextField(help_text="where the tasks' relative files start")),
                ('plan', models.JSONField(help_text='what was picked: see `results.trial_plan`')),
                ('parallel_per_run', models.PositiveIntegerField(default=1, help_text='tasks of one run that are asked at once')),
                ('keeps_keys', models.BooleanField(default=False, help_text='keys taken out of its files stay in var/secrets')),
                ('total', models.BigIntegerField(help_text='results that it comes to once everything is done')),
                ('next_ordinal', models.BigIntegerField(default=0, help_text='of the next result; locks the trial while one is written')),
                ('next_call', models.BigIntegerField(default=0, help_text='ordinal of the next tool call')),
                ('next_use', models.BigIntegerField(default=0, help_text='ordinal of the next tool use')),
                ('copied_at', models.DateTimeField(help_text='when the facts were brought up to date; null = never', null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('rerun_of', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reruns', to='results.trial')),
            ],
        ),
        migrations.CreateModel(
            name='TrialShare',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entries', models.JSONField(help_text='positions in `providers`, from 0')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='trial_share', to='results.job')),
                ('trial', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='shares', to='results.trial')),
            ],
        ),
        migrations.CreateModel(
            name='TrialResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('entry', models.IntegerField()),
                ('run', models.IntegerField(help_text='place of the run in its entry, the disabled ones counted')),
                ('task', models.IntegerField(help_text='place of the task in its file, the disabled ones counted')),
                ('result_id', models.BigIntegerField()),
                ('outcome', models.PositiveSmallIntegerField(choices=[(0, 'passed'), (1, 'failed'), (2, 'error'), (3, 'skipped')])),
                ('trial', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='done', to='results.trial')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('trial', 'entry', 'run', 'task'), name='trial_result_once')],
            },
        ),
    ]
