"""`python -m evaluator.probe ADDRESS`: exit code 0 when the address answers well; images bring no curl."""

import sys
import urllib.request
from urllib.error import URLError

SECONDS = 4.0


def main(address: str) -> int:
    """Ask, and print what the answer or the fault was."""
    request = urllib.request.Request(address, headers={"Host": "localhost"})  # noqa: S310  (the operator's own word)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
            print(answer.read(4096).decode(errors="replace"))  # noqa: T201
    except (URLError, OSError) as error:
        print(f"{address}: {error}", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
