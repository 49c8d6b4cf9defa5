"""Finds where everything lies in a MindTrial document, in one pass and without loading a result."""

from array import array
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from results.importers.envelope import EnvelopeBuilder
from results.importers.json_file import JsonFile, repaired
from results.importers.refusals import SYNTAX_REMEDY, Place, depth_refusal, result_path, syntax_refusal
from results.importers.source import Envelope, ImportRefused, Limits, WarningLog
from results.json_folding import fold_name
from results.json_scanning import (
    OPEN_ARRAY,
    OPEN_OBJECT,
    Cursor,
    JsonCountError,
    JsonError,
    is_deeper_than,
    skip_space,
    where_too_deep,
)
from results.json_surrogates import has_lone_surrogates, without_lone_surrogates

BAD_UTF8 = "held bytes that are not UTF-8; they became U+FFFD"
LONE_SURROGATE = "holds half of a surrogate pair; it reads as U+FFFD"

RESULTS = "results"  # folded, as all names are compared
KEPT_FIELDS = frozenset({"$schema", "formatversion", "appname", "appversion", "createdat"})
MOST_MEMBERS = 10_000  # each takes memory while the document is read
RESULT_LEVEL = 3  # objects and arrays around a result: document, Results, the provider's list


@dataclass
class Entry:
    """One member of an object: where its key and its value lie. White space may follow the value."""

    name: str
    key: tuple[int, int]
    start: int
    end: int = 0


@dataclass
class ProviderEntry(Entry):
    """One provider's list: the end of each result in it, or None when it is null; and how many rows stand before it."""

    ends: "array[int] | None" = None
    rows_before: int = 0


@dataclass
class TopEntry(Entry):
    """One member of the document.

    `name` is folded, `path` is as written; `providers` is None unless it is a Results object.
    """

    path: str = ""
    providers: list[ProviderEntry] | None = None


@dataclass
class Layout:
    """What a document consists of.

    `fields` are the compact values of `KEPT_FIELDS`, of each the last that is not null; `lists` the providers'
    lists that count, in document order.
    """

    fields: dict[str, bytes]
    lists: list[ProviderEntry]
    envelope: Envelope


_Entry = TypeVar("_Entry", bound=Entry)


@dataclass
class LayoutScan:
    """One scan of one document."""

    file: JsonFile
    limits: Limits
    log: WarningLog
    rows: int = 0
    kept_bytes: int = 0
    members: int = 0
    place: Place = field(default_factory=Place)

    def scan(self) -> Layout:
        """Walk the whole document.

        Raises:
            ImportRefused: it is malformed, something follows it, a list or the whole is no list or too large.
        """
        view = self.file.view
        self.place = Place(start=self.file.start)
        try:
            cursor = Cursor(view, self.file.start)
            entries = [self._top_entry(cursor, key) for key in cursor.each_key()]
        except JsonError as error:
            if error.may_be_surrogate and self.file.mask_surrogates():
                return LayoutScan(self.file, self.limits, self.log).scan()
            raise syntax_refusal(error, view, self.place, self.limits.depth) from None
        if cursor.position < len(view):
            raise _more_text(view, cursor.position)
        return self._layout(entries)

    def _top_entry(self, cursor: Cursor, key: bytes) -> TopEntry:
        name = self._name_of(key)
        self.place = Place(path=name, start=cursor.position, level=1)
        key_span = (cursor.key_start, cursor.key_start + len(key))
        entry = TopEntry(fold_name(name), key_span, cursor.position, path=name)
        if entry.name == RESULTS and cursor.is_at(OPEN_OBJECT):
            entry.providers = [self._provider_entry(cursor, provider) for provider in cursor.each_key()]
        else:
            cursor.skip_value()
        entry.end = cursor.position
        if entry.name == RESULTS and entry.providers is None:
            self._require_null(entry.start, "Results", "an object with a list of results per provider")
        return entry

    def _provider_entry(self, cursor: Cursor, key: bytes) -> ProviderEntry:
        entry = ProviderEntry(self._name_of(key), (cursor.key_start, cursor.key_start + len(key)), cursor.position)
        entry.rows_before = self.rows
        path = result_path(entry.name)
        self.place = Place(path=path, start=cursor.position, level=2)
        if cursor.is_at(OPEN_ARRAY):
            entry.ends = array("Q")
            try:
                cursor.skip_elements(entry.ends, self.limits.results - self.rows)
            except JsonCountError:
                raise ImportRefused(
                    f"the document holds more than {self.limits.results:,} results", path=path
                ) from None
            except JsonError:
                index = len(entry.ends)
                start = skip_space(cursor.view, cursor.position)
                self.place = Place(f"{path}[{index}]", self.rows + index + 1, start, RESULT_LEVEL)
                raise
            self.rows += len(entry.ends)
        else:
            cursor.skip_value()
        entry.end = cursor.position
        if entry.ends is None:
            self._require_null(entry.start, path, "a list of results")
        return entry

    def _name_of(self, key: bytes) -> str:
        self.members += 1
        if self.members > MOST_MEMBERS:
            raise ImportRefused(f"the document has more than {MOST_MEMBERS:,} fields and providers")
        return decode_text(key)

    def _require_null(self, start: int, path: str, expected: str) -> None:
        if bytes(self.file.view[start : start + 4]) != b"null":
            found = bytes(self.file.view[start : start + 20]).decode("utf-8", "replace")
            raise ImportRefused(f"{expected} is expected, not {found!r}", path=path, offset=start, remedy=SYNTAX_REMEDY)

    def _layout(self, entries: list[TopEntry]) -> Layout:
        layout = Layout({}, [], Envelope(b"", []))
        builder = EnvelopeBuilder()
        last = _last_by_name(entries)
        for entry in entries:
            builder.add(b"," if builder.size else b"{")
            builder.add(self._text(entry.key, entry.path) + b":")
            counts = last[entry.name] is entry
            if entry.name == RESULTS and not counts:
                self.log.add("Results", "stands more than once in the document; the last counts")
            if counts and entry.providers is not None:
                self._add_lists(builder, entry.providers, layout)
                continue
            value = self._text((entry.start, entry.end), entry.path)
            builder.add(value)
            if value != b"null" and entry.name in KEPT_FIELDS:
                layout.fields[entry.name] = value
        builder.add(b"}" if builder.size else b"{}")
        layout.envelope = builder.build()
        return layout

    def _add_lists(self, builder: EnvelopeBuilder, providers: list[ProviderEntry], layout: Layout) -> None:
        last = _last_by_name(providers)
        builder.add(b"{")
        for position, entry in enumerate(providers):
            builder.add((b"," if position else b"") + self._text(entry.key, "Results") + b":")
            path = result_path(entry.name)
            if last[entry.name] is not entry:
                self.log.add(path, "stands more than once in the document; the last counts")
                builder.add(self._text((entry.start, entry.end), path))
            elif entry.ends is None:
                builder.add(b"null")
            else:
                builder.add(b"[")
                builder.add_slot(len(entry.ends))
                builder.add(b"]")
                layout.lists.append(entry)
        builder.add(b"}")

    def _text(self, span: tuple[int, int], path: str) -> bytes:
        self.kept_bytes += span[1] - span[0]
        if self.kept_bytes > self.limits.envelope_bytes:
            raise ImportRefused(
                f"what stands around the results takes more than {self.limits.envelope_bytes:,} bytes",
                path=path,
                offset=span[0],
                remedy="Take out what is not needed",
            )
        text = self.file.compact(*span)
        if is_deeper_than(text, self.limits.depth - 1):
            raise depth_refusal(
                self.limits.depth, path, None, where_too_deep(self.file.view, span[0], self.limits.depth - 1)
            )
        if (sound := repaired(text)) is not None:
            self.log.add(path, BAD_UTF8)
            return sound
        if has_lone_surrogates(text):
            self.log.add(path, LONE_SURROGATE)
        return text


def decode_text(key: bytes) -> str:
    """The text of a JSON string, with U+FFFD for what is no text."""
    return msgspec.json.decode(without_lone_surrogates(repaired(key) or key), type=str)


def _last_by_name(entries: list[_Entry]) -> dict[str, _Entry]:
    return {entry.name: entry for entry in entries}


def _more_text(view: memoryview, offset: int) -> ImportRefused:
    if view[offset] in (OPEN_OBJECT, OPEN_ARRAY):
        return ImportRefused(
            "a second JSON document begins here", offset=offset, remedy="Import each document as a file of its own"
        )
    found = bytes(view[offset : offset + 20]).decode("utf-8", "replace")
    return ImportRefused(f"more text follows the document: {found!r}", offset=offset, remedy=SYNTAX_REMEDY)
