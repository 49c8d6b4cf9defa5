"""agent-bober's evaluation of a sprint: one JSON file in `.bober/eval-results`, written by one of three writers.

`skill` is what its documentation describes and a language model writes, `hybrid` has `results` and `concerns` in it,
and `engine` is what its own program saves. Sections may be missing; nothing is made up for them.
"""

import re
from collections.abc import Iterator

import msgspec

from results.importers.agent_bober_checks import check_iteration
from results.importers.agent_bober_fields import MAX_BYTES, UTF8_BOM, Fields, integer_of, read_object, text_of
from results.importers.agent_bober_parts import (
    read_criteria,
    read_feedback,
    read_regressions,
    read_score,
    read_strategies,
)
from results.importers.agent_bober_words import Word, read_word
from results.importers.source import Importer, ImportRefused, IterationSource, Limits, SourceFile, WarningLog
from results.iteration_records import EvalResult, OverallResult, PartResult, Shape
from results.iteration_verdicts import computed_verdict

VERDICT_KEYS = ("overallResult", "passed", "overall")
SECTION_KEYS = frozenset({"criteriaResults", "strategyResults", "generatorFeedback"})
# Documents of other kinds that speak of the same things: contracts, and the results of other tools.
FOREIGN_KEYS = frozenset({"successCriteria", "FormatVersion"})
KEY_TOKENS = re.compile(rb'"((?:[^"\\]|\\.)*+)"|[\[{]|[\]}]|:', re.DOTALL)
FILE_NAME = re.compile(r"eval-(?P<contract>.+)-(?P<iteration>[0-9]+)\.json", re.IGNORECASE)
EVAL_ID = re.compile(r"(?:eval-)?(?P<contract>.+)-(?P<iteration>[0-9]+)")
MAX_ITERATION = 2**31 - 1  # what the column holds


def sniff(head: bytes, file_name: str) -> bool:
    """Whether this is meant to be an evaluation of a sprint.

    Args:
        head: the first bytes of the file; a small file is all there.
        file_name: as the user knows it; it helps only where the content shows a verdict.

    Returns:
        True if the outermost keys are those of one of the three shapes.
    """
    keys = set(top_level_keys(head))
    if keys & FOREIGN_KEYS:
        return False
    has_verdict = not keys.isdisjoint(VERDICT_KEYS)
    has_section = not keys.isdisjoint(SECTION_KEYS)
    if keys & {"contractId", "evalId"}:
        return has_verdict or has_section or {"contractId", "iteration", "score"} <= keys
    if "overallResult" in keys and has_section:
        return True
    return has_verdict and FILE_NAME.fullmatch(base_name(file_name)) is not None


def read(source: SourceFile, limits: Limits) -> IterationSource:
    """Read one evaluation of a sprint.

    Args:
        source: the file; its name fills in a missing contract or iteration (`eval-<contract>-<n>.json`).
        limits: of which only the depth matters; the format has a much smaller size limit of its own (`MAX_BYTES`).

    Returns:
        The record, its compact document and the warnings.

    Raises:
        ImportRefused: not a document of this kind, no verdict, no contract, no iteration from 1, or a negative count.
    """
    with source.path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return read_bytes(data, source.file_name, limits)


def read_bytes(data: bytes, file_name: str, limits: Limits) -> IterationSource:
    """Read one evaluation of a sprint from its bytes; see `read`."""
    warnings = WarningLog()
    root, compact = read_object(data, limits.depth, warnings)
    record = _read_record(root, base_name(file_name))
    check_iteration(record, warnings)
    return IterationSource(record=record, source=compact, warnings=warnings.kept)


def base_name(file_name: str) -> str:
    """The last part of a path written in either way."""
    return re.split(r"[/\\]", file_name)[-1]


def top_level_keys(head: bytes) -> Iterator[str]:
    """The keys of the outermost object, as far as these bytes show them; none if they start no object."""
    if not head.removeprefix(UTF8_BOM).lstrip().startswith(b"{"):
        return
    depth, name = 0, b""
    for token in KEY_TOKENS.finditer(head):
        mark = token[0]
        if mark in {b"{", b"["}:
            depth += 1
        elif mark in {b"}", b"]"}:
            depth -= 1
        elif mark == b":":
            if depth == 1:
                yield name.decode(errors="replace")
        else:
            name = token[1]


def _read_record(root: Fields, file_name: str) -> EvalResult:
    shape = _shape(root)
    eval_id = root.text("evalId")
    contract_id, iteration = _identity(root, eval_id, file_name)
    record = EvalResult(
        eval_id=eval_id,
        contract_id=contract_id,
        spec_id=root.text("specId"),
        timestamp=root.text("timestamp"),
        iteration=iteration,
        overall_result=OverallResult.FAIL,  # a stand-in until the parts are read, for they may have to give it
        score=read_score(root),
        strategy_results=read_strategies(root),
        criteria_results=read_criteria(root),
        regressions=read_regressions(root),
        generator_feedback=read_feedback(root),
        summary=root.text("summary"),
        evaluator=root.text("evaluator"),
        concerns=root.texts("concerns"),
        failed_criteria=root.texts("failedCriteria"),
        failure_reason=root.text("failureReason"),
        feedback=root.text("feedback") if root.is_text("feedback") else None,
        shape=shape,
    )
    verdict = _recorded_verdict(root)
    is_derived = verdict is None
    if verdict is None:
        verdict = _derived_verdict(root, record)
    return msgspec.structs.replace(record, overall_result=verdict, is_verdict_derived=is_derived, extras=root.extras())


def _shape(root: Fields) -> Shape:
    if not root.is_list("results") or root.has("strategyResults"):
        return Shape.SKILL
    return Shape.HYBRID if root.is_list("concerns") or root.object("score") is not None else Shape.ENGINE


def _identity(root: Fields, eval_id: str | None, file_name: str) -> tuple[str, int]:
    """The contract and the iteration: as recorded, else from the file's name, else from the evaluation's id."""
    contract_id = _contract_id(root)
    iteration = _iteration(root)
    named = FILE_NAME.fullmatch(file_name)
    for origin, match in (("file name", named), ("evalId", EVAL_ID.fullmatch(eval_id or ""))):
        if match is None:
            continue
        if contract_id is None:
            contract_id = match["contract"]
            root.warn("contractId", f"not recorded; {contract_id!r} is taken from the {origin}")
        if iteration is None and match["contract"] == contract_id:
            iteration = _in_range(root, int(match["iteration"][:12]))
            root.warn("iteration", f"not recorded; {iteration} is taken from the {origin}")
    if contract_id is None:
        raise ImportRefused(
            "no contract is recorded", path="contractId", remedy="Name the file eval-<contractId>-<iteration>.json"
        )
    if iteration is None:
        raise ImportRefused(
            "no iteration is recorded", path="iteration", remedy="Name the file eval-<contractId>-<iteration>.json"
        )
    if named and (named["contract"], int(named["iteration"][:12])) != (contract_id, iteration):
        root.warn("", f"the file name {file_name!r} speaks of another contract or iteration than the document")
    return contract_id, iteration


def _contract_id(root: Fields) -> str | None:
    contract_id = root.text("contractId")
    if contract_id is not None and not root.is_text("contractId") and integer_of(root.raw["contractId"]) is None:
        root.warn("contractId", "is neither a text nor a whole number")
        return None
    return contract_id if contract_id and contract_id.strip() else None


def _iteration(root: Fields) -> int | None:
    if not root.has("iteration"):
        return None
    number = root.integer("iteration")
    if number is None:
        shown = (text_of(root.raw["iteration"]) or "")[:60]
        raise ImportRefused(f"an iteration is a whole number from 1, not {shown!r}", path="iteration")
    return _in_range(root, number)


def _in_range(root: Fields, number: int) -> int:
    if not 1 <= number <= MAX_ITERATION:
        raise ImportRefused(f"an iteration is a whole number from 1, not {number}", path=root.at("iteration"))
    return number


def _recorded_verdict(root: Fields) -> OverallResult | None:
    """The verdict of the first key that has a readable one; another key that says otherwise is a warning."""
    verdict: OverallResult | None = None
    for key in VERDICT_KEYS:
        word = _verdict_word(root, key)
        if word is None:
            continue
        said = OverallResult(word.result)
        if verdict is None:
            verdict = said
        elif said is not verdict:
            root.warn(key, f"says {said}, but the verdict is recorded as {verdict}")
    return verdict


def _verdict_word(root: Fields, key: str) -> Word | None:
    is_flag = root.is_flag(key)
    text = root.text(key)
    if text is None:
        return None
    word = read_word(text)
    if word is None or word.result is PartResult.SKIPPED:
        root.warn(key, f"{text!r} is neither pass nor fail")
        return None
    if not is_flag and text != word.result:
        root.warn(key, f"{text!r} is read as {word.result}{', amended' if word.is_amended else ''}")
    return word


def _derived_verdict(root: Fields, record: EvalResult) -> OverallResult:
    verdict = computed_verdict(record)
    if verdict is None:
        raise ImportRefused(
            "no verdict is recorded, and none follows from the recorded parts",
            path="overallResult",
            remedy="It must be pass or fail",
        )
    root.warn("overallResult", f"no verdict is recorded; {verdict} follows from the recorded parts")
    return verdict


IMPORTER = Importer(name="agent-bober", label="agent-bober evaluation of a sprint", sniff=sniff, read=read)
