"""Reads MindTrial's results documents, format version 1: what its own reader accepts, and nothing more.

Later fields are found by their presence; only `FormatVersion` says what kind of document it is. Lists and objects that
stand more than once count once, the last; the others stay in the envelope.
"""

import re
from collections.abc import Iterator

import msgspec

from results.importers.instants import parse_instant
from results.importers.json_file import UTF8_MARK, JsonFile, encoding_of, repaired
from results.importers.mindtrial_layout import (
    BAD_UTF8,
    LONE_SURROGATE,
    RESULT_LEVEL,
    Layout,
    LayoutScan,
    ProviderEntry,
    decode_text,
)
from results.importers.oddities import oddities
from results.importers.refusals import depth_refusal, result_path, shown, value_refusal
from results.importers.source import (
    EvaluationHead,
    EvaluationSource,
    Importer,
    ImportRefused,
    Limits,
    SourcedResult,
    SourceFile,
    WarningLog,
)
from results.json_scanning import is_deeper_than, where_too_deep
from results.json_surrogates import has_lone_surrogates
from results.records import RunResult, decode_result_leniently, decode_result_strictly

FORMAT_VERSION = 1
TEXT_FIELDS = {"$schema": "$schema", "appname": "AppName", "appversion": "AppVersion", "createdat": "CreatedAt"}
# Where free JSON begins in a result whose other parts are all known: at most this many levels below the document.
RAW_LEVEL = RESULT_LEVEL + 4
# A JSON schema of results documents names their keys too: with an object behind each, or in a list of names.
_VERSION = re.compile(rb'"formatversion"\s*+(?::\s*+(?!\{)|\Z)')
_TRACE_ID = re.compile(rb'"traceid"\s*+(?::\s*+(?!\{)|\Z)')


def sniff(head: bytes, file_name: str) -> bool:
    """Whether a file is meant to be a MindTrial results document, by its first bytes.

    Args:
        head: the first bytes, a few kilobytes.
        file_name: not looked at: the content tells.
    """
    del file_name
    text = head.replace(b"\x00", b"") if encoding_of(head) else head
    text = text.removeprefix(UTF8_MARK).lstrip(b"\xff\xfe \t\r\n").lower()
    if not text.startswith(b"{"):
        return False
    return bool(_VERSION.search(text) or (b'"results"' in text and _TRACE_ID.search(text)))


def read(source: SourceFile, limits: Limits) -> EvaluationSource:
    """Open a document; its whole syntax has been checked when this returns.

    Args:
        source: a private copy.
        limits: what is too much.

    Returns:
        The evaluation; its results are decoded as they are asked for.

    Raises:
        ImportRefused: the document is bad; or, while its results are walked, one of them is.
    """
    log = WarningLog()
    file = JsonFile(source, limits)
    if file.has_mark:
        log.add("", "the file begins with a byte order mark; it was left out")
    layout = LayoutScan(file, limits, log).scan()
    _check_version(layout)
    head = _head(layout, log)
    reader = _ResultReader(file, limits, log)
    return EvaluationSource(head, reader.results(layout.lists), lambda: layout.envelope, log)


def _check_version(layout: Layout) -> None:
    written = layout.fields.get("formatversion")
    if written is None:
        raise ImportRefused(
            "the document has no FormatVersion",
            remedy="A MindTrial results document says FormatVersion 1; if the file is of another kind, name its format",
        )
    if written != b"%d" % FORMAT_VERSION:
        raise ImportRefused(
            f"FormatVersion {written[:60].decode('utf-8', 'replace')} is not supported",
            path="FormatVersion",
            remedy=f"Only version {FORMAT_VERSION}, written as that number, can be read",
        )


def _head(layout: Layout, log: WarningLog) -> EvaluationHead:
    texts = dict.fromkeys(TEXT_FIELDS, "")
    for field, name in TEXT_FIELDS.items():
        if (value := layout.fields.get(field)) is None:
            continue
        if not value.startswith(b'"'):
            shown_value = value[:60].decode("utf-8", "replace")
            raise ImportRefused(f"{shown_value} stands where a text is expected", path=name)
        texts[field] = decode_text(value)
    instant, source = parse_instant(texts["createdat"])
    if source == "unreadable":
        log.add("CreatedAt", f"{shown(texts['createdat'])} is no time we can read; it is taken as unknown")
    if source == "document_utc_assumed":
        log.add("CreatedAt", f"{shown(texts['createdat'])} has no time zone; it is taken as UTC")
    return EvaluationHead(texts["appname"], texts["appversion"], texts["createdat"], instant, source)


class _ResultReader:
    """Decodes the results of one document, one after the other."""

    def __init__(self, file: JsonFile, limits: Limits, log: WarningLog) -> None:
        self._file = file
        self._limits = limits
        self._log = log
        self._shallow_bytes = 2 * max(limits.depth - RAW_LEVEL, 0)  # shorter JSON cannot be deeper than the limit

    def results(self, lists: list[ProviderEntry]) -> Iterator[SourcedResult]:
        try:
            for entry in lists:
                yield from self._results_of(entry)
        finally:
            self._file.close()

    def _results_of(self, entry: ProviderEntry) -> Iterator[SourcedResult]:
        start = entry.start + 1  # behind the bracket
        for index, end in enumerate(entry.ends or ()):
            if end - start > self._limits.result_bytes:
                raise ImportRefused(
                    f"the result takes more than {self._limits.result_bytes:,} bytes",
                    path=result_path(entry.name, index),
                    row=entry.rows_before + index + 1,
                    offset=start,
                )
            source = self._file.compact(start, end)
            if (sound := repaired(source)) is not None:
                source = sound
                self._log.add(result_path(entry.name, index), BAD_UTF8)
            try:
                record = decode_result_strictly(source)
                is_deep = self._has_long_raw(record) and is_deeper_than(source, self._limits.depth - RESULT_LEVEL)
            except msgspec.DecodeError:
                is_deep = is_deeper_than(source, self._limits.depth - RESULT_LEVEL)
                record = self._decode_leniently(source, entry, index)
            if is_deep:
                raise self._too_deep(entry, index, start)
            if record.provider != entry.name:
                raise _wrong_provider(record, entry, index)
            for oddity in oddities(record):
                self._log.add(f"{result_path(entry.name, index)}.{oddity.path}", oddity.message)
            yield SourcedResult(record, source, end)
            start = end + 1

    def _has_long_raw(self, record: RunResult) -> bool:
        limit = self._shallow_bytes
        if len(bytes(record.got)) > limit or len(bytes(record.want)) > limit:
            return True
        if record.run_config is not None and len(bytes(record.run_config.model_parameters)) > limit:
            return True
        judged = record.details.validation
        return judged is not None and judged.semantic is not None and len(bytes(judged.semantic.verdict)) > limit

    def _decode_leniently(self, source: bytes, entry: ProviderEntry, index: int) -> RunResult:
        if has_lone_surrogates(source):
            self._log.add(result_path(entry.name, index), LONE_SURROGATE)
        try:
            return decode_result_leniently(source)
        except msgspec.DecodeError as error:
            row = entry.rows_before + index + 1
            raise value_refusal(error, source, result_path(entry.name, index), row) from None

    def _too_deep(self, entry: ProviderEntry, index: int, start: int) -> ImportRefused:
        offset = where_too_deep(self._file.view, start, self._limits.depth - RESULT_LEVEL)
        return depth_refusal(self._limits.depth, result_path(entry.name, index), entry.rows_before + index + 1, offset)


def _wrong_provider(record: RunResult, entry: ProviderEntry, index: int) -> ImportRefused:
    said = f"the result's Provider is {shown(record.provider)}" if record.provider else "the result has no Provider"
    return ImportRefused(
        f"{said}, but it stands in the list of {shown(entry.name)}",
        path=f"{result_path(entry.name, index)}.Provider",
        row=entry.rows_before + index + 1,
        remedy="Each result must name the provider whose list it stands in",
    )


IMPORTER = Importer(name="mindtrial", label="MindTrial results", sniff=sniff, read=read)
