"""Annotations of results with their vocabulary, saved views, webhooks and their deliveries."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('results', '0012_reports'),
    ]

    operations = [
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=100)),
                ('path', models.CharField(help_text='of the page, from / on, without a query', max_length=200)),
                ('query', models.TextField(default='', help_text='what follows the ?')),
                ('author', models.CharField(default='', max_length=80)),
                ('is_pinned', models.BooleanField(default=False, help_text='it stands on the overview')),
                ('is_shared', models.BooleanField(default=True, help_text='everybody sees it, where there are accounts')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AddField(
            model_name='project',
            name='review_version',
            field=models.BigIntegerField(default=0, help_text='counts changes of what is said of its results'),
        ),
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[('import', 'Import'), ('delete', 'Delete'), ('compact', 'Compact'), ('index', 'Index'), ('merge', 'Merge'), ('trial', 'Trial'), ('strategies', 'Strategies'), ('review', 'Review')], max_length=20),
        ),
        migrations.CreateModel(
            name='ReviewedEvaluation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(help_text='of the evaluation: SHA-256 of its source bytes; empty = none', max_length=64)),
                ('content', models.CharField(help_text='of counts and results, whatever the white space of the file', max_length=32)),
                ('name', models.TextField(help_text='of the evaluation when it was last seen')),
                ('evaluation', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='reviewed', to='results.evaluation')),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='results.project')),
            ],
        ),
        migrations.CreateModel(
            name='ReviewWord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.PositiveSmallIntegerField(choices=[(1, 'label'), (2, 'reason')])),
                ('text', models.CharField(max_length=60)),
                ('is_offered', models.BooleanField(default=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='review_words', to='results.project')),
            ],
        ),
        migrations.CreateModel(
            name='Annotation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ordinal', models.IntegerField(help_text='of the result in its document, from 0')),
                ('kind', models.PositiveSmallIntegerField(choices=[(1, 'comment'), (2, 'label'), (3, 'verdict'), (4, 'reason')])),
                ('text', models.TextField(default='', help_text='of a comment')),
                ('outcome', models.PositiveSmallIntegerField(choices=[(0, 'passed'), (1, 'failed'), (2, 'error'), (3, 'skipped')], help_text='of a verdict: the corrected outcome; null = right as recorded', null=True)),
                ('author', models.CharField(help_text='who said it; empty = nobody gave a name', max_length=80)),
                ('created_at', models.DateTimeField(help_text='when its first wording was written')),
                ('valid_from', models.DateTimeField(help_text='when this wording was written')),
                ('valid_to', models.DateTimeField(help_text='when it was replaced or removed; null = it holds', null=True)),
                ('ended_by', models.CharField(default='', help_text='who replaced or removed it', max_length=80)),
                ('reviewed', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, to='results.reviewedevaluation')),
                ('word', models.ForeignKey(help_text='of a label or a reason', null=True, on_delete=django.db.models.deletion.PROTECT, to='results.reviewword')),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('shown_url', models.TextField(help_text='the address without what may be secret in it')),
                ('format', models.CharField(choices=[('generic', 'Generic'), ('slack', 'Slack')], default='generic', max_length=20)),
                ('events', models.JSONField(default=list, help_text='the words of `WebhookEvent` that it is told')),
                ('is_enabled', models.BooleanField(default=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('project', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='results.project')),
            ],
        ),
        migrations.CreateModel(
            name='WebhookDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('message', models.CharField(help_text='the id that its receiver sees, on each attempt', max_length=40, unique=True)),
                ('event', models.CharField(choices=[('import.finished', 'Import Finished'), ('trial.finished', 'Trial Finished'), ('gate.failed', 'Gate Failed'), ('test', 'Test')], max_length=30)),
                ('payload', models.JSONField(help_text='what happened, before it is written in a format')),
                ('state', models.CharField(choices=[('waiting', 'Waiting'), ('delivered', 'Delivered'), ('failed', 'Failed')], default='waiting', max_length=20)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('due_at', models.DateTimeField(help_text='of the next attempt; while one runs, when it counts as lost')),
                ('status', models.PositiveIntegerField(help_text='HTTP status of the last answer; null = there was none', null=True)),
                ('error', models.TextField(default='', help_text='why the last attempt failed')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='results.webhook')),
            ],
        ),
        migrations.AddIndex(
            model_name='reviewedevaluation',
            index=models.Index(fields=['project', 'digest'], name='reviewed_digest'),
        ),
        migrations.AddConstraint(
            model_name='reviewword',
            constraint=models.UniqueConstraint(fields=('project', 'kind', 'text'), name='review_word_once'),
        ),
        migrations.AddIndex(
            model_name='annotation',
            index=models.Index(fields=['reviewed', 'ordinal'], name='annotation_place'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.UniqueConstraint(condition=models.Q(('kind__in', [3, 4]), ('valid_to', None)), fields=('reviewed', 'ordinal', 'kind'), name='one_verdict_one_reason'),
        ),
        migrations.AddConstraint(
            model_name='annotation',
            constraint=models.UniqueConstraint(condition=models.Q(('kind', 2), ('valid_to', None)), fields=('reviewed', 'ordinal', 'word'), name='annotation_label_once'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['state', 'due_at'], name='delivery_due'),
        ),
    ]
