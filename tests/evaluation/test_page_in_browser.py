"""The page of a report as a real browser lays it out."""

import json
import re
import shutil
import subprocess
from html import unescape

import pytest
from store.servers import missing

from langgraph_memory.evaluation import ARMS, page

MEASURE = """<script>
const box = each => { const b = each.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom] }
document.body.innerText = JSON.stringify({
  overflows: document.documentElement.scrollWidth > document.documentElement.clientWidth,
  figures: [...document.querySelectorAll('figure')].map(figure => ({
    name: figure.querySelector('figcaption').innerText, box: box(figure),
    bars: [...figure.querySelectorAll('rect')].map(box), texts: [...figure.querySelectorAll('text')].map(box),
    values: [...figure.querySelectorAll('text[font-size]:not([text-anchor])')].map(each => each.textContent),
  })),
})
</script>"""
"""Puts what stands where in place of the page's content, for `--dump-dom` to print."""


@pytest.fixture(scope="module")
def laid_out(report, tmp_path_factory):
    """What a browser makes of the page, at the width of a laptop's window."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        missing("Chromium (apt-get install chromium)")
    folder = tmp_path_factory.mktemp("page")
    file = folder / "report.html"
    file.write_text(page(report).replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [browser, *options, "--window-size=1300,900", "--dump-dom", file.as_uri()],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return json.loads(unescape(re.search(r"<body[^>]*>(.*)</body>", done.stdout, re.DOTALL)[1]))


def test_nothing_runs_off_the_page(laid_out):
    assert not laid_out["overflows"]
    assert len(laid_out["figures"]) >= 14


def test_a_bar_is_as_long_as_its_number_says(laid_out):
    longest = max(right - left for each in laid_out["figures"] for left, _, right, _ in each["bars"])
    for figure in laid_out["figures"]:
        lengths = [(right - left) / longest for left, _, right, _ in figure["bars"]]
        assert lengths == pytest.approx([float(value) for value in figure["values"]], abs=0.006), figure[
            "name"
        ]


def test_words_and_bars_keep_clear_of_each_other(laid_out):
    for figure in laid_out["figures"]:
        for left, top, right, bottom in figure["bars"]:
            for start, above, end, below in figure["texts"]:
                apart = end <= left + 1 or start >= right - 1 or below <= top + 1 or above >= bottom - 1
                assert apart, figure["name"]


def test_plots_stand_in_columns(laid_out):
    lefts = {round(figure["box"][0]) for figure in laid_out["figures"]}
    assert len(lefts) == 2
    assert len(ARMS) == 4
