"""Who may do what: members of projects, tokens of programs, and what was changed by whom."""

from django.conf import settings
from django.db import models

from results.models.projects import Project


class Role(models.IntegerChoices):
    """What a member may do; a higher role may do all that a lower one may."""

    VIEWER = 1, "viewer"
    EDITOR = 2, "editor"
    ADMIN = 3, "admin"


class Membership(models.Model):
    """The role that a person has in a project; without a project: in every one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, related_name="memberships")
    role = models.PositiveSmallIntegerField(choices=Role)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "project"], name="membership_once"),
            models.UniqueConstraint(
                fields=["user"], condition=models.Q(project__isnull=True), name="membership_everywhere_once"
            ),
        ]


class ApiToken(models.Model):
    """What a program shows instead of a password; only its digest is kept."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the token, hex")
    beginning = models.CharField(max_length=12, help_text="its first characters, to tell it from others")
    may_write = models.BooleanField(default=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, null=True, help_text="the only one; null = all")
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, help_text="null = never")
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)


class AuditEntry(models.Model):
    """One change, or one attempt to log in. Names stay as they were, also when the account is gone."""

    at = models.DateTimeField(auto_now_add=True)
    actor = models.CharField(max_length=200, help_text="name of the account; empty = there are no accounts")
    address = models.CharField(max_length=45, default="", help_text="of the client")
    action = models.CharField(max_length=120, help_text="in words, such as `delete evaluations`")
    target = models.TextField(default="", help_text="what it was done to: ids and names, never a secret")
    project = models.ForeignKey(Project, on_delete=models.SET_NULL, null=True)

    class Meta:
        indexes = [models.Index(fields=["action", "at"], name="audit_action_at")]
