"""Whole agent-bober folders: what is taken, and that nothing of the real ones is lost or refused."""

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from results.archives import find_files
from results.intake import ImportOptions, import_file, import_files
from results.iteration_records import PartResult
from results.models.sprints import Iteration, Sprint
from results.queries.iterations import IterationDetail, iteration_detail
from results.reports import FileReport
from tests.fixtures.agent_bober.imports import contract, evaluation, spec

pytestmark = pytest.mark.django_db

Json = dict[str, Any]
CATEGORIES = {"bug", "missing-feature", "regression", "quality", "performance"}
WITH_GAP = {"sprint-spec-20260812-pge-real-workload-errors-3"}  # its iteration 1 was never kept
PASS_WORDS = {"pass", "pass-amended", "true"}
FAIL_WORDS = {"fail", "false"}


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, body in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(body)
    return folder


def import_folder(folder: Path) -> list[FileReport]:
    return list(import_files(find_files(str(folder)), ImportOptions()))


def details() -> list[IterationDetail]:
    found = [iteration_detail(pk) for pk in Iteration.objects.values_list("pk", flat=True)]
    return [detail for detail in found if detail is not None]


def test_other_files_of_the_folder_are_not_even_tried(tmp_path: Path) -> None:
    others = {".bober/handoffs/h.json": b"{", ".bober/history.jsonl": b"{}", ".bober/config.json": b"{}"}
    reports = import_folder(write(tmp_path / "project", evaluation() | contract() | spec() | others))
    assert [report.state for report in reports] == ["stored"] * 3


def test_a_zip_of_the_folder_joins_as_well(tmp_path: Path) -> None:
    folder = write(tmp_path / "project", evaluation() | contract() | spec() | {".bober/principles.md": b"# Be kind"})
    path = Path(shutil.make_archive(str(tmp_path / "pack"), "zip", folder / ".bober"))
    report = import_file(path, ImportOptions())
    assert [file.state for file in report.files] == ["stored"] * 3
    assert Sprint.objects.get(contract_id="sprint-kiln-1").title == "Build the kiln"


# The real files, counted by a reading of their own that knows nothing of the importer. An import of all of them takes
# seconds, hence few tests with dicts to compare.


@pytest.fixture
def samples(shared_folder: Path) -> Path:
    return shared_folder / "samples" / "agent-bober"


def raw_evaluations(samples: Path) -> list[Json]:
    files = [*samples.glob(".bober/eval-results/*.json"), *samples.glob("odd/*.json")]
    return [json.loads(path.read_text(encoding="utf-8")) for path in files]


def word_of(value: object) -> str:
    word = str(value).lower()
    return "pass" if word in PASS_WORDS else "fail" if word in FAIL_WORDS else word


def raw_parts(raw: Json, *sections: str) -> list[Json]:
    return next((raw[section] for section in sections if isinstance(raw.get(section), list)), [])


def recount(samples: Path) -> Counter[str]:
    counts: Counter[str] = Counter()
    for raw in raw_evaluations(samples):
        counts[f"verdict {word_of(raw['overallResult'])}"] += 1
        for criterion in raw_parts(raw, "criteriaResults"):
            counts[f"criterion {word_of(criterion['result'])}"] += 1
        for strategy in raw_parts(raw, "strategyResults", "results"):
            counts[f"strategy {word_of(strategy.get('result', strategy.get('passed')))}"] += 1
        for section in ("regressions", "generatorFeedback"):
            counts[section] += len(raw_parts(raw, section))
            counts[f"{section} absent"] += section not in raw
    return counts


def stored_counts() -> Counter[str]:
    counts: Counter[str] = Counter()
    for detail in details():
        record = detail.record
        counts[f"verdict {detail.row.verdict}"] += 1
        for criterion in record.criteria_results or []:
            counts[f"criterion {criterion.result}"] += 1
        text_only = "strategies" in record.extras or record.strategy_results is None
        for strategy in [] if text_only else record.strategy_results or []:
            counts[f"strategy {strategy.result}"] += 1
        for name, section in (("regressions", record.regressions), ("generatorFeedback", record.generator_feedback)):
            counts[name] += len(section or [])
            counts[f"{name} absent"] += section is None
    return counts


def test_every_real_file_is_stored_and_counts_as_it_stands(samples: Path) -> None:
    reports = import_folder(samples)
    assert {report.state for report in reports} == {"stored"}
    assert len(reports) == len(list(samples.rglob("*.json")))
    assert Iteration.objects.count() == len(raw_evaluations(samples))
    assert stored_counts() == recount(samples)
    contracts = [json.loads(path.read_text(encoding="utf-8")) for path in samples.glob(".bober/contracts/*.json")]
    named = {(raw["contractId"], raw["title"], raw["sprintNumber"]) for raw in contracts}
    assert set(Sprint.objects.exclude(body=None).values_list("contract_id", "title", "number")) == named


def has_unknown(key: str, known: set[str]) -> Callable[[Json], bool]:
    return lambda raw: any(
        isinstance(item, dict) and item.get(key) is not None and item[key] not in known
        for item in raw_parts(raw, "generatorFeedback")
    )


def is_listed_otherwise(raw: Json) -> bool:
    criteria, score = raw.get("criteriaResults"), raw.get("score")
    return isinstance(criteria, list) and isinstance(score, dict) and len(criteria) != score["criteriaTotal"]


def has_pass_without_evidence(raw: Json) -> bool:
    return any(
        word_of(part["result"]) == "pass" and not part.get("evidence") for part in raw_parts(raw, "criteriaResults")
    )


def fails_outside(raw: Json) -> bool:
    score = raw.get("score")
    return raw["overallResult"] == "fail" and isinstance(score, dict) and score["requiredFailed"] == 0


def has_odd_word(raw: Json) -> bool:
    known = {result.value for result in PartResult}
    return any(part["result"] not in known for part in raw_parts(raw, "criteriaResults"))


VARIANTS: dict[str, tuple[str, Callable[[Json], bool]]] = {
    "V12": ("passes without evidence", has_pass_without_evidence),
    "V15": ("the time is not recorded", lambda raw: "timestamp" not in raw),
    "V16": ("is midnight exactly", lambda raw: "T00:00:00" in raw.get("timestamp", "")),
    "V17": (" is read as ", has_odd_word),
    "V18": ("fails outside the criteria", fails_outside),
    "V21": ("is not one of bug", has_unknown("category", CATEGORIES)),
    "V23": ("are listed, but the score counts", is_listed_otherwise),
    "gap": ("iteration 2 is recorded, but not iteration 1", lambda raw: raw["contractId"] in WITH_GAP),
}
Key = tuple[str, int]


def test_the_files_of_each_variant_and_no_others_carry_its_warning(samples: Path, tmp_path: Path) -> None:
    pack = Path(shutil.make_archive(str(tmp_path / "pack"), "zip", samples))
    import_file(pack, ImportOptions())
    warned: dict[str, set[Key]] = {variant: set() for variant in VARIANTS}
    for detail in details():
        for variant, (text, _) in VARIANTS.items():
            if any(text in warning.message for warning in detail.warnings):
                warned[variant].add((detail.record.contract_id, detail.row.iteration))
    expected = {
        variant: {(raw["contractId"], raw["iteration"]) for raw in raw_evaluations(samples) if is_variant(raw)}
        for variant, (_, is_variant) in VARIANTS.items()
    }
    assert warned == expected
