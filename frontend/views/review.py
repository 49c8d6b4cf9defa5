"""Saying something of results: of one on its page, of many by a filter; and the words that a project has for it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evaluator.jobs import send
from frontend.access import visible_evaluations
from frontend.contexts.bulk_review import BulkReviewPage, review_filter, review_many
from frontend.contexts.review import asked_change, words_of_change
from frontend.contexts.review_words import ReviewWordsPage
from frontend.contexts.shell import Shell
from frontend.formats import plural
from frontend.rendering import render_page
from frontend.reviewer import keep_reviewer, reviewer
from frontend.toasts import Toast, leave
from frontend.views.addresses import way_back
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.queries.detail import result_document
from results.queries.reviews import result_of
from results.store.review_words import change_word, offer_reason
from results.store.reviewing import annotate, clean_comment, remove, reword


@require_POST
def review_result(request: HttpRequest, result_id: int) -> HttpResponse:
    """Say something of one result and go back to it."""
    if result_document(visible_evaluations(request), result_id) is None:
        raise Http404
    change = asked_change(request.POST)
    if change:
        annotate([result_id], change, reviewer(request))
    words = f"Saved: {words_of_change(change)}" if change else "Nothing was said, so nothing was saved"
    return keep_reviewer(request, leave(_back_to(request, result_id), Toast(words)))


@require_POST
def edit_annotation(request: HttpRequest, annotation_id: int) -> HttpResponse:
    """Give a comment another wording."""
    result_id, text = _annotated(request, annotation_id), clean_comment(request.POST.get("comment", ""))
    is_done = bool(text) and reword(annotation_id, text, reviewer(request)) is not None
    return leave(_back_to(request, result_id), Toast("Comment saved" if is_done else "The comment is as it was"))


@require_POST
def remove_annotation(request: HttpRequest, annotation_id: int) -> HttpResponse:
    """Take back what was said; the history keeps it."""
    result_id = _annotated(request, annotation_id)
    is_done = remove(annotation_id, reviewer(request))
    return leave(
        _back_to(request, result_id), Toast("Removed; the history keeps it" if is_done else "It was gone already")
    )


@require_http_methods(["GET", "HEAD", "POST"])
def review_results(request: HttpRequest) -> HttpResponse:
    """Say something of all results that the query's filters let through; a GET counts them and asks what."""
    visible = visible_evaluations(request)
    asked = review_filter(request)
    if request.method != "POST":
        page = BulkReviewPage.build(Shell.build(request, "Results"), visible, asked, request)
        return render_page(request, "results_review.html", page)
    change = asked_change(request.POST)
    if not change:
        page = BulkReviewPage.build(Shell.build(request, "Results"), visible, asked, request, is_refused=True)
        return render_page(request, "results_review.html", page, status=422)
    done = review_many(visible, asked, change, reviewer(request))
    if done.job_id is not None:
        send(done.job_id)
    where = reverse("job-show", args=[done.job_id]) if done.job_id is not None else ""
    toast = Toast(f"{words_of_change(change)}: {plural(done.results, 'result')}", where, "The job" if where else "")
    back = f"{reverse('results-list')}?{asked.to_query()}"
    return keep_reviewer(request, leave(redirect(way_back(request, back)), toast))


@require_safe
def list_words(request: HttpRequest) -> HttpResponse:
    """The reasons and labels of each project."""
    page = ReviewWordsPage.build(Shell.build(request, "Results"), visible_evaluations(request))
    return render_page(request, "review_words.html", page)


@require_POST
def edit_word(request: HttpRequest, word_id: int) -> HttpResponse:
    """Rename a reason or a label, or offer it no longer, or again."""
    page = ReviewWordsPage.build(Shell.build(request, ""), visible_evaluations(request))
    if not page.has(word_id):
        raise Http404
    said = change_word(word_id, text=request.POST.get("text", ""), is_offered=request.POST.get("offered") == "yes")
    return leave(redirect("review"), Toast(said))


@require_POST
def add_reason(request: HttpRequest) -> HttpResponse:
    """Offer one more reason in a project."""
    project = request.POST.get("project", "")
    page = ReviewWordsPage.build(Shell.build(request, ""), visible_evaluations(request))
    if project not in [listed.project for listed in page.projects]:
        raise Http404
    return leave(redirect("review"), Toast(offer_reason(project, request.POST.get("text", ""))))


def _annotated(request: HttpRequest, annotation_id: int) -> int:
    """The result that an annotation is about.

    Raises:
        Http404: there is none, or it may not be seen.
    """
    result_id = result_of(annotation_id)
    if result_id is None or result_id // RESULTS_PER_EVALUATION not in visible_evaluations(request).evaluation_ids:
        raise Http404
    return result_id


def _back_to(request: HttpRequest, result_id: int) -> HttpResponse:
    return redirect(way_back(request, reverse("result-show", args=[result_id])) + "#review")
