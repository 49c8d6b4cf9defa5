"""A chart's numbers are in its page, whatever is drawn."""

import re

from django.template.loader import render_to_string

from evaluator.static_files import PLOTLY_NAME, package_files
from frontend.contexts.chart import Chart
from frontend.templatetags.charts import STYLE_IDS
from results.figures import plot

HOSTILE = "</script><b>x</b>"


def a_chart(name: str = "a", link: str = "") -> Chart:
    figure = plot.figure([{"x": [1], "text": [name]}], x=plot.amounts("Calls"), y=plot.names([name]))
    return Chart("calls", "Calls", "n 1", figure, ("Tool", "Calls"), ((name, "1"),), (link,) if link else ())


def rendered(chart: Chart) -> str:
    return render_to_string("_chart.html", {"chart": chart})


def test_a_chart_has_a_table_with_its_numbers() -> None:
    assert '<th scope="row"><bdi>a</bdi></th><td class="num">1</td>' in rendered(a_chart())


def test_a_row_leads_to_its_address() -> None:
    assert '<th scope="row"><a href="/results/?tool=a"><bdi>a</bdi></a></th>' in rendered(
        a_chart("a", "/results/?tool=a")
    )


def test_a_hostile_name_stays_text() -> None:
    assert HOSTILE not in rendered(a_chart(HOSTILE))
    assert "<b>x" not in rendered(a_chart(HOSTILE))


def test_the_room_of_a_plot_is_kept_before_it_is_drawn() -> None:
    assert 'class="plot-room" width="1" height="300"' in rendered(a_chart())


def test_the_page_has_every_style_element_that_plotly_would_make() -> None:
    library = package_files()[PLOTLY_NAME].read_text(encoding="utf-8")
    made = set(re.findall(r'e=document\.createElement\("style"\);e\.id="(\w+)"', library)) | {"plotly.js-style-global"}
    assert set(STYLE_IDS) == made


def test_the_style_elements_carry_the_nonce() -> None:
    text = render_to_string("_chart_scripts.html", {"CSP_NONCE": "abc"})
    assert text.count(' nonce="abc"></style>') == len(STYLE_IDS)
