"""What a comparison is asked to hold: columns, or evaluations whose runs are compared one by one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from frontend.contexts.unknown_values import unknown_values
from frontend.formats import count, plural
from results.queries.compare_columns import (
    MOST_COLUMNS,
    MOST_DIGITS,
    ColumnKey,
    ComparedRun,
    baseline_of,
    columns_of_results,
    compared_runs,
    place_of_result,
    runs_of,
)
from results.queries.evaluations import EvaluationRow, evaluations_among
from results.queries.visibility import VisibleSet

# Keys of the address that belong to one view of some columns.
NO_NAME = "(no name)"
MOST_CHARACTERS = 80  # of a value that is told
BASELINE = "baseline"
BY_AGE = "age"  # the order of evaluations that were ticked in a list, which is that of no comparison
OF_A_VIEW = ("page", "of", "task", "repeat", "view", "pick", "find")
KEPT = ("show", "sort", *OF_A_VIEW)  # beside the columns


@dataclass(frozen=True)
class Asked:
    """What an address asks for.

    Attributes:
        columns: that exist and may be seen, each once, the baseline first.
        evaluations: of which the runs that all have are compared one by one, the baseline first; empty when columns
            are compared.
        notices: what was left out, and why.
        params: the address with nothing but columns in place of all that stood for them.
    """

    columns: tuple[ComparedRun, ...]
    evaluations: tuple[EvaluationRow, ...]
    notices: tuple[str, ...]
    params: QueryDict

    @classmethod
    def build(cls, visible: VisibleSet, params: QueryDict) -> "Asked":
        """Read an address: `column=<evaluation>:<run>`, `result`, `evaluation` with `order` and `with=baseline`."""
        notices: list[str] = [*unknown_values(params, {"order": (BY_AGE,), "with": (BASELINE,)})]
        keys = [*_keys(params.getlist("column"), notices), *_results(visible, params.getlist("result"), notices)]
        evaluations = _evaluations(visible, params, notices)
        if evaluations and not keys:
            found = runs_of(visible, [row.id for row in evaluations])
            common = _common(found, len(evaluations))
            if len(evaluations) > 1 and len(common) > 1:
                return cls((), tuple(evaluations), tuple(notices), params)
            if len(evaluations) > 1 and not common:
                notices.append("These evaluations have no run in common: all of their runs are compared.")
            place = {row.id: number for number, row in enumerate(evaluations)}
            in_order = sorted(found, key=lambda column: place[column.key.evaluation_id])  # the first is the baseline
            chosen = [column for column in found if column.key.run_id in common] if common else in_order
        else:
            keys += [column.key for column in runs_of(visible, [row.id for row in evaluations])]
            chosen = _existing(visible, keys, notices)
        if len(chosen) > MOST_COLUMNS:
            notices.append(f"Only the first {MOST_COLUMNS} of {count(len(chosen))} runs are compared.")
        columns = tuple(chosen[:MOST_COLUMNS])
        return cls(columns, (), tuple(notices), _with_columns(visible, params, columns))


def columns_query(params: QueryDict, keys: Iterable[ColumnKey]) -> str:
    """The address of a comparison of some columns, in the same order of rows; it starts with `?`."""
    kept = [(name, params[name]) for name in ("show", "sort") if name in params]
    return "?" + urlencode([*(("column", key.text) for key in keys), *kept], safe=":")


def names_of(columns: Sequence[ComparedRun]) -> list[str]:
    """What sentences call the columns: the run, with its evaluation where several columns have a run of that name."""
    runs = [column.run for column in columns]
    return [
        f"{column.run or NO_NAME}, {column.evaluation.name}" if runs.count(column.run) > 1 else column.run or NO_NAME
        for column in columns
    ]


def numbers_of(texts: Sequence[str]) -> list[int]:
    """Those of the texts that can be ids, each once."""
    found = (int(text) for text in texts if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS)
    return list(dict.fromkeys(found))


def _no_numbers(key: str, texts: Iterable[str]) -> list[str]:
    """A sentence for each text that can be no id."""
    return [
        f"{key}={text[:MOST_CHARACTERS]} was left out: give the number of one, as its address has it."
        for text in dict.fromkeys(texts)
        if not numbers_of([text])
    ]


def _keys(texts: list[str], notices: list[str]) -> list[ColumnKey]:
    keys = []
    for text in texts:
        key = ColumnKey.parse(text)
        if key is None:
            notices.append(f"column={text[:MOST_CHARACTERS]} does not name an evaluation and a run; it was left out.")
        else:
            keys.append(key)
    return keys


def _results(visible: VisibleSet, texts: list[str], notices: list[str]) -> list[ColumnKey]:
    if not texts:
        return []
    notices += _no_numbers("result", texts)
    found = columns_of_results(visible, numbers_of(texts))
    if not found:
        notices.append("The result whose run was to be compared does not exist any more, or may not be seen.")
    return found


def _existing(visible: VisibleSet, keys: list[ColumnKey], notices: list[str]) -> list[ComparedRun]:
    """The columns that there are, each once."""
    distinct = list(dict.fromkeys(keys))
    found = compared_runs(visible, distinct)
    held = {column.key for column in found}
    names = {column.key: column.run for column in found}
    twice = [key for key in distinct if keys.count(key) > 1 and key in held]
    notices += [f"{names[key]} was asked for more than once; it stands here once." for key in twice]
    missing = [key for key in distinct if key not in held]
    if missing:
        listed = ", ".join(f"run {key.run_id} of evaluation {key.evaluation_id}" for key in missing[:MOST_COLUMNS])
        verb = "does" if len(missing) == 1 else "do"
        notices.append(f"{listed} {verb} not exist (any more), or may not be seen: left out.")
    if missing and missing[0] == distinct[0] and found:
        notices.append(f"The baseline was among them; now it is {found[0].run}.")
    return found


def _evaluations(visible: VisibleSet, params: QueryDict, notices: list[str]) -> list[EvaluationRow]:
    """The evaluations asked for in the order of the address, or that of their age: then a pinned baseline is first."""
    asked = [part for text in params.getlist("evaluation") for part in text.split(",") if part]
    notices += _no_numbers("evaluation", asked)
    ids = numbers_of(asked)
    found = evaluations_among(visible, ids)[::-1]
    if params.get("order") == BY_AGE:
        found = sorted(found, key=lambda row: not row.is_baseline)
    else:
        found = sorted(found, key=lambda row: ids.index(row.id))
    if len(found) < len(ids):
        missing = len(ids) - len(found)
        notices.append(f"{plural(missing, 'evaluation')} left out: deleted, or may not be seen.")
    if params.get("with") == BASELINE and found:
        found = _with_baseline(visible, found, notices)
    return found


def _with_baseline(visible: VisibleSet, found: list[EvaluationRow], notices: list[str]) -> list[EvaluationRow]:
    project = found[0].project
    pinned = baseline_of(visible, project)
    if pinned is None:
        notices.append(f"Project {project} has no baseline: pin one of its evaluations first, on this page or its own.")
        return []  # its own runs against each other are not what was asked for
    if pinned in {row.id for row in found}:
        if len(found) == 1:
            notices.append("This evaluation is itself the baseline of its project.")
        return sorted(found, key=lambda row: row.id != pinned)
    return [*evaluations_among(visible, [pinned]), *found]


def _common(columns: list[ComparedRun], evaluations: int) -> set[int]:
    """The runs that all evaluations have."""
    held = [column.key.run_id for column in columns]
    return {run_id for run_id in held if held.count(run_id) == evaluations}


def _with_columns(visible: VisibleSet, params: QueryDict, columns: Iterable[ComparedRun]) -> QueryDict:
    """The address with columns alone; the first of single results opens its task, unless another one is asked for."""
    copy = QueryDict(mutable=True)
    copy.setlist("column", [column.key.text for column in columns])
    for name in KEPT:
        if name in params:
            copy.setlist(name, params.getlist(name))
    place = None if "task" in params else place_of_result(visible, numbers_of(params.getlist("result")[:1]))
    if place is not None:
        copy["task"], copy["repeat"] = (str(number) for number in place)
    return copy
