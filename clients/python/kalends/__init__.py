"""A small client of Kalends: lists without gaps, writes that can be repeated, changes as they happen. Only the standard library."""

from __future__ import annotations

import base64
import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Iterator, Mapping, Optional, Union

from . import types
from .types import version

__all__ = ["Answer", "Change", "Kalends", "KalendsError", "Reset", "UpToDate", "types", "version"]


class KalendsError(Exception):
    """An answer that says why a request failed."""

    def __init__(self, status: int, code: str, message: str, data: Mapping[str, Any], wait: float = 0):
        super().__init__(message)
        self.status, self.code, self.data, self.wait = status, code, data, wait


@dataclass
class Answer:
    """A body with what stands in the header of the answer."""

    body: Any
    etag: Optional[str]
    version: Optional[int]  # of the site, made by the write
    replayed: bool  # the write was done before, and this is the answer that it had then


@dataclass
class Change:
    """One object has changed."""

    change: types.Change


@dataclass
class Reset:
    """The follower begins anew: whatever is not told of until UpToDate is gone."""


@dataclass
class UpToDate:
    """Everything was told. Keep the token, and give it as `since` the next time."""

    token: str


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None  # whoever redirects elsewhere does not get the credential


class Kalends:
    """The address is that of the interface, such as https://calendar.example/calendar/events/v1."""

    def __init__(self, address: str, *, key: Optional[str] = None, login: Optional[str] = None, password: str = "",
                 language: Optional[str] = None, tries: int = 5, timeout: float = 60):
        self._base, self._tries, self._timeout = address.rstrip("/"), tries, timeout
        self._headers = {"Accept": "application/json"}
        self._opener = urllib.request.build_opener(_NoRedirect)
        if language:
            self._headers["Accept-Language"] = language
        if key:
            self._headers["Authorization"] = "Bearer " + key
        elif login is not None:
            self._headers["Authorization"] = "Basic " + base64.b64encode(f"{login}:{password}".encode()).decode()

    def request(self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None,
                if_match: Optional[str] = None, idempotency_key: Optional[str] = None) -> Answer:
        """Sends any request of the interface, again where that may help: a write carries a key, so it is done once."""
        headers = dict(self._headers)
        if method != "GET" and "Authorization" in headers:
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        tries = self._tries if method == "GET" or "Idempotency-Key" in headers else 1
        if if_match:
            headers["If-Match"] = if_match
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body).encode()
        address = self._base + path + _query(query or {})
        for tried in range(1, tries + 1):
            wait = min(2 ** tried, 30) * random.uniform(0.1, 0.2)
            try:
                return self._once(urllib.request.Request(address, data, headers, method=method))
            except KalendsError as err:
                again = err.status in (429, 502, 503, 504) or err.code == "idempotency-key-in-use"
                if tried == tries or not again:
                    raise
                wait = max(wait, err.wait)
            except (OSError, http.client.HTTPException):
                if tried == tries:
                    raise
            time.sleep(wait)
        raise AssertionError("unreachable")

    def _once(self, request: urllib.request.Request) -> Answer:
        try:
            with self._opener.open(request, timeout=self._timeout) as res:
                text, head = res.read(), res.headers
        except urllib.error.HTTPError as err:
            raise _error(err) from None
        made = head.get("X-Kalends-Version")
        return Answer(json.loads(text) if text else None, head.get("ETag"), int(made) if made else None,
                      head.get("Idempotent-Replayed") == "true")

    def _walk(self, path: str, name: str, query: Mapping[str, Any]) -> Iterator[Any]:
        following: Optional[Mapping[str, Any]] = query
        while following is not None:
            page = self.request("GET", path, query=following).body
            yield from page[name]
            more = page.get("next_rest_url")
            following = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(more).query, keep_blank_values=True)) if more else None

    def events(self, **filter: Any) -> Iterator[types.Event]:
        """All events of a filter in the order of their start; what others write meanwhile makes no gaps."""
        first = {} if filter.get("orderby", "start_date") != "start_date" else {"after": ""}
        return self._walk("/events", "events", {"per_page": 50, **first, **filter})

    def venues(self, **filter: Any) -> Iterator[types.Venue]:
        return self._walk("/venues", "venues", {"per_page": 50, **filter})

    def organizers(self, **filter: Any) -> Iterator[types.Organizer]:
        return self._walk("/organizers", "organizers", {"per_page": 50, **filter})

    def categories(self) -> Iterator[types.Category]:
        return self._walk("/categories", "categories", {"per_page": 50})

    def tags(self) -> Iterator[types.Tag]:
        return self._walk("/tags", "tags", {"per_page": 50})

    def me(self) -> types.Me:
        return self.request("GET", "/me").body

    def event(self, id: Union[int, str]) -> Answer:
        """An event by its id or slug, with its ETag."""
        return self.request("GET", _event(id))

    def create_event(self, fields: types.EventCreate, **more: Any) -> types.Event:
        return self.request("POST", "/events", body=fields, **more).body

    def update_event(self, id: Union[int, str], fields: types.EventUpdate, **more: Any) -> types.Event:
        return self.request("PATCH", _event(id), body=fields, **more).body

    def delete_event(self, id: Union[int, str], force: bool = False, **more: Any) -> types.Event:
        """Moves an event to the trash; with force it is deleted for good."""
        return self.request("DELETE", _event(id), query={"force": "true"} if force else {}, **more).body

    def create_venue(self, fields: types.VenueCreate, **more: Any) -> types.Venue:
        return self.request("POST", "/venues", body=fields, **more).body

    def update_venue(self, id: int, fields: types.VenueUpdate, **more: Any) -> types.Venue:
        return self.request("PATCH", f"/venues/{id}", body=fields, **more).body

    def create_organizer(self, fields: types.OrganizerCreate, **more: Any) -> types.Organizer:
        return self.request("POST", "/organizers", body=fields, **more).body

    def changes(self, **query: Any) -> types.ChangeList:
        """One answer to a follower."""
        return self.request("GET", "/changes", query=query).body

    def follow(self, **query: Any) -> Iterator[Union[Change, Reset, UpToDate]]:
        """What changes, for ever: without `since` everything as it is now first. A token that is no longer valid begins anew."""
        since = query.pop("since", "")
        while True:
            try:
                page = self.changes(**{"per_page": 500, "wait": 25, **query, "since": since})
            except KalendsError as err:
                if err.status != 410 or not since:
                    raise
                since = ""
                yield Reset()
                continue
            for change in page["changes"]:
                yield Change(change)
            since = page["next"]
            if not page["more"]:
                yield UpToDate(since)


def _event(id: Union[int, str]) -> str:
    return f"/events/{id}" if isinstance(id, int) else "/events/by-slug/" + urllib.parse.quote(id, safe="")


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(_text, value)) if isinstance(value, (list, tuple)) else str(value)


def _query(query: Mapping[str, Any]) -> str:
    pairs = []
    for name, value in query.items():
        members = {f"{name}[{key}]": one for key, one in value.items()} if isinstance(value, Mapping) else {name: value}
        pairs += [(key, _text(one)) for key, one in members.items() if one is not None]
    return "?" + urllib.parse.urlencode(pairs) if pairs else ""


def _error(err: urllib.error.HTTPError) -> KalendsError:
    try:
        said = json.loads(err.read())
    except (ValueError, OSError):
        said = {}  # a proxy answered
    if not isinstance(said, dict):
        said = {}
    wait = err.headers.get("Retry-After", "")
    return KalendsError(err.code, said.get("code", ""), said.get("message", str(err)), said.get("data") or {},
                        float(wait) if wait.isdigit() else 0)
