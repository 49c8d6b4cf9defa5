"""Template tags for charts: the style elements that Plotly finds instead of making its own."""

from django import template
from django.template import Context
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

# Plotly looks for two style elements and makes those that are missing, which the content security policy forbids. The
# first is its own; the other belongs to its map library and changes with its version, which a test watches.
STYLE_IDS = ("plotly.js-style-global", "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53")

register = template.Library()


@register.simple_tag(takes_context=True)
def plot_styles(context: Context) -> SafeString:
    """Empty style elements with the nonce of the response, for Plotly to write its few rules into."""
    nonce = str(context.get("CSP_NONCE", ""))
    return format_html_join("\n", '<style id="{}" nonce="{}"></style>', ((name, nonce) for name in STYLE_IDS))
