"""What a web server loads."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("name", ["wsgi", "asgi"])
def test_a_web_process_has_the_code_of_every_page_before_its_first_request(name: str) -> None:
    code = f"import sys, evaluator.{name}; print('scipy.special' in sys.modules, 'frontend.urls' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["True", "True"]
