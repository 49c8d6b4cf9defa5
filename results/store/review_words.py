"""The vocabulary of reviews: reasons and labels of a project, renamed everywhere at once, offered or not."""

from django.db import IntegrityError, transaction

from results.models.projects import Project
from results.models.review import Annotation, ReviewWord, WordKind
from results.store.review_identity import note_change, offer_reasons
from results.store.reviewing import clean_word


def offer_reason(slug: str, text: str) -> str:
    """Offer a reason in a project; says what was done."""
    word = clean_word(text)
    project = Project.objects.filter(slug=slug).first()
    if not word or project is None:
        return "Nothing was added: a reason needs a text"
    offer_reasons(project.pk)
    ReviewWord.objects.update_or_create(project=project, kind=WordKind.REASON, text=word, defaults={"is_offered": True})
    return f"Offered from now on: {word}"


def change_word(word_id: int, *, text: str, is_offered: bool) -> str:
    """Rename a word wherever it is, and offer it or not; says what was done. One that is nowhere goes."""
    word = ReviewWord.objects.filter(pk=word_id).first()
    if word is None:
        return "The word was gone already"
    if not is_offered and not Annotation.objects.filter(word=word).exists():
        word.delete()
        return f"Removed: {word.text}"
    shown = clean_word(text) or word.text
    try:
        with transaction.atomic():
            ReviewWord.objects.filter(pk=word_id).update(text=shown, is_offered=is_offered)
            note_change(word.project_id)
    except IntegrityError:
        return f"Nothing was changed: {shown} is there already"
    return f"Saved: {shown}"
