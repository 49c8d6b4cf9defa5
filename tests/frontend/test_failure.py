"""What went wrong, cut to what a page can hold."""

from frontend.contexts.failure import FailurePanel
from results.records import ErrorDetails


def panel_of(details: dict[str, list[str]]) -> FailurePanel:
    panel = FailurePanel.build(ErrorDetails(title="e", details=details), is_judge=False)
    assert panel is not None
    return panel


def test_a_result_without_an_error_has_no_panel() -> None:
    assert FailurePanel.build(None, is_judge=False) is None


def test_few_details_are_shown_whole() -> None:
    panel = panel_of({"Position": ["line 3", "column 5"], "State": ["open"]})
    assert [(part.name, part.text, part.is_cut) for part in panel.sections] == [
        ("Position", "line 3\ncolumn 5", False),
        ("State", "open", False),
    ]
    assert not panel.is_cut


def test_of_many_details_the_first_are_shown() -> None:
    panel = panel_of({f"key {number}": ["v"] for number in range(20_000)})
    assert (len(panel.sections), panel.section_count, panel.is_cut) == (20, 20_000, True)


def test_a_long_detail_is_cut() -> None:
    (section,) = panel_of({"k": ["v" * 5_000_000]}).sections
    assert (section.text, section.is_cut) == ("v" * 8_000, True)


def test_a_detail_of_very_many_lines_is_cut() -> None:
    (section,) = panel_of({"k": [""] * 500_000}).sections
    assert (section.text, section.is_cut) == ("\n" * 1_999, True)


def test_all_details_together_have_a_limit() -> None:
    panel = panel_of({f"key {number}": ["v" * 10_000] for number in range(20)})
    assert sum(len(part.text) for part in panel.sections) == 30_000
    assert len(panel.sections) == 4


def test_hidden_characters_take_more_room() -> None:
    panel = panel_of({f"key {number}": ["\u202e" * 10_000] for number in range(20)})
    assert sum(len(part.text) for part in panel.sections) == 1_000
