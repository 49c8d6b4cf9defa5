"""The words that projects have for what is said of results, and where to find what was said."""

from dataclasses import dataclass

from django.urls import reverse

from frontend.contexts.shell import Shell
from results.filters import Choice, ResultFilter
from results.models.evaluations import Evaluation
from results.queries.reviews import WordCount, vocabulary
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class WordEntry:
    """One word and the results that it is on."""

    word: WordCount
    href: str


@dataclass(frozen=True)
class ProjectWords:
    """The words of one project, reasons first."""

    project: str
    words: tuple[WordEntry, ...]


@dataclass(frozen=True)
class ReviewWordsPage:
    """What `review_words.html` reads."""

    shell: Shell
    projects: tuple[ProjectWords, ...]

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet) -> "ReviewWordsPage":
        """The page of the projects that may be seen."""
        listed = Evaluation.objects.filter(pk__in=visible.evaluation_ids).order_by("project__slug")
        slugs = list(listed.values_list("project__slug", flat=True).distinct())
        found = vocabulary(slugs)
        return cls(
            shell,
            tuple(ProjectWords(slug, tuple(_entry(slug, word) for word in found.get(slug, ()))) for slug in slugs),
        )

    def has(self, word_id: int) -> bool:
        """Whether the page shows a word."""
        return any(entry.word.id == word_id for listed in self.projects for entry in listed.words)


def _entry(slug: str, word: WordCount) -> WordEntry:
    asked = ResultFilter(project=Choice((slug,))).with_choice(word.kind, Choice((word.text,)))
    return WordEntry(word, f"{reverse('results-list')}?{asked.to_query()}")
