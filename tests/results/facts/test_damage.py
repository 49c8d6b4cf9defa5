"""Missing and damaged files are made again from the documents: never an error, never a wrong count."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from results.facts import compaction, engine, files, manifest
from results.facts.rebuild import compact_if_needed, rebuild
from results.filters import Choice, ResultFilter
from results.models.facts_files import FactsFile
from results.queries.facets import FacetOption, facets
from results.queries.results import ResultRow, result_page
from results.queries.visibility import visible_evaluations
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db

Spoil = Callable[[Path], object]


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scramble(path: Path) -> None:
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 3)
        file.write(b"\xa5" * (size // 3))


def empty(path: Path) -> None:
    path.write_bytes(b"")


SPOILS = [Path.unlink, halve, scramble, empty]


def rows() -> tuple[ResultRow, ...]:
    return result_page(visible_evaluations(), ResultFilter(), size=1000).rows


def tools() -> tuple[FacetOption, ...]:
    return facets(visible_evaluations(), ResultFilter(), ("tool",))[0].options


@pytest.fixture
def three(tmp_path: Path) -> list[int]:
    """Three evaluations with everything that facts hold."""
    everything = {
        "suite": "core",
        "tags": ["b", "a"],
        "model": "m",
        "usage": {"InputTokens": 2**63 - 1, "InputCacheReadTokens": 2**63 - 1, "OutputTokens": 3},
        "tools": {"python": 2},
        "tool_calls": [("python", "success"), ("python", "timeout")],
        "validation": {"Title": "Semantic Assessment", "Usage": {"InputTokens": 4}},
    }
    failed = {"kind": "Error", "error": {"Title": "Execution Error", "Transient": True, "Usage": {"InputTokens": 5}}}
    return [stored(tmp_path, str(n), row(10 * n, **everything), row(10 * n + 1, **failed)) for n in range(3)]


def spoil_files(spoil: Spoil) -> None:
    """Spoil every file; a process that had opened them starts again."""
    engine.reset()
    for path in files.directory().glob("*-*"):
        spoil(path)


@pytest.mark.parametrize("spoil", SPOILS)
def test_spoilt_deltas_are_made_again(three: list[int], spoil: Spoil) -> None:
    before = (rows(), tools())
    spoil_files(spoil)
    assert (rows(), tools()) == before


@pytest.mark.parametrize("spoil", SPOILS)
def test_a_spoilt_base_is_made_again(three: list[int], spoil: Spoil, monkeypatch: pytest.MonkeyPatch) -> None:
    before = (rows(), tools())
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    assert manifest.current().base is not None
    monkeypatch.undo()
    spoil_files(spoil)
    assert (rows(), tools()) == before


def test_one_missing_delta_is_made_again_and_the_others_stay(three: list[int]) -> None:
    before, listed = rows(), manifest.current()
    engine.reset()
    files.DeltaName.parse(listed.deltas[1].name).paths("results")[0].unlink()
    assert rows() == before
    assert {listed.deltas[0], listed.deltas[2]} < set(manifest.current().deltas)


def test_a_delta_missing_beside_a_base_is_made_again(
    three: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    monkeypatch.undo()
    stored(tmp_path, "later", row(99))
    before, base = rows(), manifest.current().base
    engine.reset()
    files.DeltaName.parse(manifest.current().deltas[0].name).paths("results")[0].unlink()
    assert rows() == before
    assert manifest.current().base == base


def test_files_that_vanish_under_an_open_process_are_made_again(
    three: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "MAX_RECENT_RESULTS", 0)  # otherwise they are in memory
    before = rows()
    for path in files.directory().glob("*.parquet"):
        path.unlink()
    visible = visible_evaluations()
    assert result_page(visible, ResultFilter(), "-duration", size=100).total == len(before)


def test_a_manifest_that_lost_its_rows_is_filled_again(three: list[int]) -> None:
    before = rows()
    FactsFile.objects.all().delete()
    assert rows() == before


def test_a_base_with_another_number_of_results_is_not_believed(
    three: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    monkeypatch.undo()
    FactsFile.objects.filter(is_base=True).update(results=5)
    engine.reset()
    assert rows() == before


def test_damaged_files_do_not_stop_a_compaction(three: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows()
    spoil_files(halve)
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    assert manifest.current().base is not None
    assert rows() == before


def test_one_evaluation_can_be_made_again(three: list[int]) -> None:
    before, listed = rows(), manifest.current()
    assert rebuild({three[1]}) == 1
    assert rows() == before
    assert len(set(listed.version) & set(manifest.current().version)) == 2


def test_an_evaluation_inside_the_base_can_be_made_again(three: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows()
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    monkeypatch.undo()
    assert rebuild({three[0]}) == 1
    assert rows() == before


def test_the_command_says_how_many_evaluations_it_did(three: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    call_command("rebuild_facts", "--evaluation", str(three[0]))
    assert capsys.readouterr().out == "Made the facts of 1 evaluation again.\n"


def test_a_query_that_is_wrong_itself_is_an_error(three: list[int]) -> None:
    visible = visible_evaluations()
    with pytest.raises(Exception, match="no_such_column"):
        engine.answer(
            visible.evaluation_ids,
            visible.key,
            None,
            lambda reading: reading.rows(f"SELECT no_such_column FROM {reading.table('results')}"),
        )


def test_hidden_evaluations_are_not_counted(three: list[int]) -> None:
    page = result_page(visible_evaluations("no-such-project"), ResultFilter())
    chosen = ResultFilter(evaluation=Choice((str(three[0]),)))
    assert (page.total, result_page(visible_evaluations(), chosen).total) == (0, 2)


def test_a_base_that_is_damaged_where_its_evaluations_are_listed_is_made_again(
    three: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rows()
    monkeypatch.setattr(compaction, "SMALL_RESULTS", 1)
    compact_if_needed()
    monkeypatch.undo()
    base = manifest.current().base
    assert base is not None
    whole = files.base_path(base.name).read_bytes()
    for place in range(0, len(whole), 64 * 1024):
        listed = manifest.current().base
        assert listed is not None
        path = files.base_path(listed.name)
        damaged = bytearray(path.read_bytes())
        damaged[place : place + 4096] = b"\xa5" * len(damaged[place : place + 4096])
        path.write_bytes(damaged)
        engine.reset()
        assert rows() == before, place
