"""Every page's address. Things are named by their ids, so that no name from a file has to fit into a path."""

from django.urls import URLPattern, URLResolver, path
from django.views.generic import RedirectView

from frontend.views.evaluations import list_evaluations, show_evaluation
from frontend.views.results import list_results, show_result
from frontend.views.theme import set_theme

urlpatterns: list[URLPattern | URLResolver] = [
    path("", RedirectView.as_view(pattern_name="evaluations-list"), name="home"),
    path("evaluations/", list_evaluations, name="evaluations-list"),
    path("evaluations/<int:evaluation_id>/", show_evaluation, name="evaluation-show"),
    path("results/", list_results, name="results-list"),
    path("results/<int:result_id>/", show_result, name="result-show"),
    path("theme/", set_theme, name="theme-set"),
]
