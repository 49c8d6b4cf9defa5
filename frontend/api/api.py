"""The API: one router per noun, its description, its documentation page."""

from frontend.api import (
    annotations,
    comparisons,
    evaluations,
    exports,
    gates,
    groups,
    jobs,
    providers,
    reports,
    results,
    saved_views,
    sprints,
    tasks,
    trials,
)
from frontend.api.answers import Api, Renderer, handle_errors
from frontend.api.documentation import DocumentationPage

api = Api(
    title="Evalboard",
    version="1",
    description=(
        "Everything that a page shows. Results are filtered by the keys of the results page's address. Numbers are "
        "exact, null is unknown or has no denominator; every error is {error: {code, message, path}}."
    ),
    urls_namespace="api",
    renderer=Renderer(),
    docs=DocumentationPage(),
)
handle_errors(api)
ROUTERS = {
    "projects": evaluations.project_router,
    "evaluations": evaluations.router,
    "results": results.router,
    "facets": results.facet_router,
    "summary": groups.summary_router,
    "matrix": groups.matrix_router,
    "compare": comparisons.router,
    "gate": gates.router,
    "tasks": tasks.router,
    "providers": providers.router,
    "tools": providers.tool_router,
    "specs": sprints.spec_router,
    "sprints": sprints.router,
    "iterations": sprints.iteration_router,
    "imports": jobs.import_router,
    "jobs": jobs.router,
    "trials": trials.router,
    "merges": jobs.merge_router,
    "exports": exports.router,
    "annotations": annotations.router,
    "views": saved_views.router,
    "reports": reports.router,
}
for prefix, router in ROUTERS.items():
    api.add_router(f"/{prefix}", router)
