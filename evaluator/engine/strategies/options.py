"""The options of each strategy, as they stand under its `config`; time-outs are milliseconds.

A key that is not here is an error that names it; only `custom` takes any key, for its plugin.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Milliseconds = Annotated[int, Meta(ge=1, le=86_400_000)]
Count = Annotated[int, Meta(ge=0)]
Text = Annotated[str, Meta(min_length=1)]
Port = Annotated[int, Meta(ge=1, le=65_535)]


class Options(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """What every strategy takes.

    Attributes:
        command: what to run instead of the default.
        shell: give the command to a shell.
        timeout: for the whole strategy; None = the strategy's own default.
    """

    command: Text | None = None
    shell: bool = False
    timeout: Milliseconds | None = None


class TypecheckOptions(Options, frozen=True, kw_only=True):
    """`tsconfig` is relative to the project."""

    tsconfig: Text | None = None
    strict: bool = False


class LintOptions(Options, frozen=True, kw_only=True):
    """`maxWarnings` −1 = any number of warnings is tolerated."""

    fix: bool = False
    max_warnings: Annotated[int, Meta(ge=-1)] = -1


class TestOptions(Options, frozen=True, kw_only=True):
    """`testMatch` is a glob of test files; `report` a JUnit XML or JSON file that the command writes."""

    __test__ = False  # for pytest, which collects what is called so

    coverage: bool = False
    coverage_threshold: Annotated[float, Meta(ge=0, le=100)] = 80.0
    test_match: Text | None = None
    report: Text | None = None


class WebServer(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The server that end-to-end tests need."""

    command: Text
    port: Port | None = None
    url: Text | None = None
    reuse_existing_server: bool = False
    timeout: Milliseconds = 30_000


class PlaywrightOptions(Options, frozen=True, kw_only=True):
    """`project` is one of the projects in Playwright's own configuration."""

    project: Text | None = None
    retries: Count | None = None
    base_url: Text | None = None
    web_server: WebServer | None = None


class Endpoint(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """One request and what must come back. `body` is sent as JSON, a text as it is.

    Attributes:
        expected_status: a status, or None for any from 200 to 299.
        expected_body_keys: keys of the JSON object; a dot leads into an object within it.
        expected_content_type: without parameters, such as `application/json`.
    """

    path: Text
    method: Text = "GET"
    headers: dict[str, str] = {}
    body: Any | UnsetType = UNSET
    expected_status: Annotated[int, Meta(ge=100, le=599)] | None = None
    expected_body_keys: tuple[str, ...] = ()
    expected_headers: dict[str, str] = {}
    expected_content_type: Text | None = None
    description: str | None = None


class ApiOptions(Options, frozen=True, kw_only=True):
    """`timeout` holds for each request."""

    base_url: Text = "http://localhost:3000"
    start_server: bool = False
    server_command: Text | None = None
    server_ready_pattern: Text | None = None
    server_timeout: Milliseconds = 15_000
    endpoints: tuple[Endpoint, ...] = ()


class BuildOptions(Options, frozen=True, kw_only=True):
    """`outputDir` is relative to the project; `maxSizeKb` limits the sum of its files (1 KB = 1,024 bytes)."""

    output_dir: Text | None = None
    verify_output: bool = False
    max_size_kb: Annotated[float, Meta(gt=0)] | None = None


class CustomOptions(Struct, frozen=True, kw_only=True, rename="camel"):
    """Any other key is the plugin's own: it finds all of them in its environment, and `passCondition` as `config`."""

    command: Text | None = None
    shell: bool = False
    timeout: Milliseconds | None = None
    parse_output: Literal["json"] | None = None
    pass_condition: Text | None = None


AnyOptions = (
    TypecheckOptions | LintOptions | TestOptions | PlaywrightOptions | ApiOptions | BuildOptions | CustomOptions
)

OPTIONS: dict[str, type[AnyOptions]] = {
    "build": BuildOptions,
    "typecheck": TypecheckOptions,
    "lint": LintOptions,
    "unit-test": TestOptions,
    "api-check": ApiOptions,
    "playwright": PlaywrightOptions,
    "custom": CustomOptions,
}
