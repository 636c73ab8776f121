"""Walks the small client over a server behind a proxy that loses the first answer to each write and refuses each third reading."""

import sys

from kalends import Change, Kalends, KalendsError, Reset, UpToDate, version

base, login, password = sys.argv[1:]
calendar = Kalends(base, login=login, password=password)


def same(about, got, want):
    if got != want:
        raise SystemExit(f"{about}: {got!r}, want {want!r}")


def refused(about, call, status, code):
    try:
        call()
    except KalendsError as err:
        return same(about, (err.status, err.code), (status, code))
    raise SystemExit(about + ": not refused")


same("version", version, calendar.request("GET", "/doc").body["info"]["version"])
same("me", calendar.me()["login"], login)

category = calendar.request("POST", "/categories", body={"name": "Of Python"}).body["id"]
made = []
for day in range(1, 10):
    date = f"2031-03-0{day}"
    made.append(calendar.create_event({"title": f"Day {day}", "start_date": date + " 19:00", "end_date": date + " 21:00",
                                       "categories": [category]})["id"])
listed = []
for event in calendar.events(categories=[category], start_date="2031-01-01", end_date="2031-12-31", per_page=2):
    listed.append(event["id"])
    if len(listed) == 3:
        calendar.delete_event(made[0], force=True)  # on a page that was read
same("listed", listed, made)

read = calendar.event(made[1])
calendar.update_event(made[1], {"title": "Changed"}, if_match=read.etag)
refused("an old version", lambda: calendar.update_event(made[1], {"title": "Again"}, if_match=read.etag), 412, "rest_precondition_failed")
calendar.request("POST", "/fields", body={"label": "Dogs", "kind": "yes_no", "of": ["event"], "filter": True})
calendar.update_event(made[2], {"fields": {"dogs": True}})
same("by a field", [e["id"] for e in calendar.events(start_date="2031-01-01", end_date="2031-12-31", fields={"dogs": "true"})], [made[2]])
refused("nothing there", lambda: calendar.event(999999), 404, "rest-event-not-found")

first = calendar.request("POST", "/venues", body={"venue": "Hall"}, idempotency_key="py-1")
again = calendar.request("POST", "/venues", body={"venue": "Hall"}, idempotency_key="py-1")
same("the same write", (again.body["id"], again.replayed), (first.body["id"], True))

mirror, token = {}, ""
for step in calendar.follow(categories=[category], wait=5):
    if isinstance(step, Change) and step.change["action"] == "deleted":
        del mirror[step.change["id"]]
    elif isinstance(step, Change):
        mirror[step.change["id"]] = step.change["action"]
    elif isinstance(step, UpToDate):
        token = step.token
        if len(mirror) < 8:
            break
        calendar.delete_event(made[8])
same("mirror", sorted(mirror), made[1:8])

kinds = []
for step in calendar.follow(categories=[category], featured=False, since=token):  # bound to another filter
    kinds.append(type(step))
    if isinstance(step, UpToDate):
        break
same("anew", (kinds[0], len(kinds)), (Reset, 9))
print("the client is content")
