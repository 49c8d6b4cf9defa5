"""The page that documents the API and tries it out, from our own files."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from frontend.contexts.api_docs import ApiDocsPage
from frontend.contexts.shell import Shell
from frontend.rendering import render_page


class DocumentationPage(DocsBase):
    """Swagger UI inside our page."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:  # noqa: ANN401
        """Render it."""
        address = self.get_openapi_url(api, kwargs)
        settings = {"layout": "BaseLayout", "deepLinking": True, "url": address}
        return render_page(request, "api_docs.html", ApiDocsPage(Shell.build(request), address, settings))
