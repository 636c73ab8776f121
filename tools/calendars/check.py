#!/usr/bin/env python3
"""Compare what a calendar program reads from the feed of a site with what its API lists.

    check.py [--make] http://demo.localhost:8080 login:password

With --make it first makes series of all kinds, with occurrences that were moved, changed,
cancelled and taken out. Then it reads /events.ics with python3-icalendar, expands it with
python3-recurring-ical-events, and compares titles, instants and cancellations of two years
with GET /events. Both are packages of Debian. Exit status 1: they differ.
"""
import base64
import collections
import datetime
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
import zoneinfo

import icalendar
import recurring_ical_events

YEAR = 2030
API = "/calendar/events/v1"


class Site:
    def __init__(self, base, secret):
        self.base, self.secret = base.rstrip("/"), secret
        parts = urllib.parse.urlsplit(self.base)
        self.host = parts.netloc  # names below localhost need no entry anywhere
        self.near = self.base.replace(parts.hostname, "127.0.0.1", 1) if parts.hostname.endswith("localhost") else self.base

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.near + path, method=method, headers={"Host": self.host})
        request.add_header("Authorization", "Basic " + base64.b64encode(self.secret.encode()).decode())
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            return urllib.request.urlopen(request).read()
        except urllib.error.HTTPError as e:
            sys.exit(f"{method} {path} {body}: {e.code} {e.read().decode()}")

    def api(self, method, path, body=None):
        return json.loads(self.ask(method, API + path, body))

    def occurrences(self, series):
        return self.api("GET", f"/events/{series}/occurrences?start_date={YEAR}-01-01&end_date={YEAR + 2}-01-01&per_page=50")["events"]


def make(site):
    def series(title, start, end, rules, **more):
        body = {"title": title, "start_date": f"{YEAR}-{start}", "end_date": f"{YEAR}-{end}", "timezone": "Europe/Berlin", "recurrence": rules}
        id = site.api("POST", "/events", {**body, **more})["id"]
        return id, site.occurrences(id)

    def patch(id, **fields):
        return site.api("PATCH", f"/events/{id}", fields)

    id, all = series("Weekly", "01-03 19:30", "01-03 21:00", {"rrule": "FREQ=WEEKLY;COUNT=40", "exdate": [f"{YEAR}-01-24"]})
    patch(all[3]["id"], start_date=f"{YEAR}-02-05 18:00", end_date=f"{YEAR}-02-05 23:00")
    patch(all[5]["id"], event_status="cancelled")
    patch(all[6]["id"], title="Weekly, another title")
    site.api("DELETE", f"/events/{all[8]['id']}")
    patch(id, start_date=f"{YEAR}-01-03 20:00", end_date=f"{YEAR}-01-03 21:15")
    series("In the gap", "03-25 02:30", "03-25 03:30", {"rrule": "FREQ=DAILY;COUNT=12"})
    series("In the hour twice", "10-22 02:30", "10-22 03:30", {"rrule": "FREQ=DAILY;COUNT=12"})
    series("Over night", "03-26 22:00", "03-27 06:00", {"rrule": "FREQ=DAILY;COUNT=12"})
    id, all = series("All day", "02-01 00:00", "02-02 00:00", {"rrule": "FREQ=MONTHLY;COUNT=15", "exdate": [f"{YEAR}-04-01"]}, all_day=True)
    patch(all[4]["id"], start_date=f"{YEAR}-07-10", end_date=f"{YEAR}-07-12")
    patch(all[5]["id"], event_status="cancelled")
    series("Two rules", "01-01 09:00", "01-01 10:00", {"rrule": ["FREQ=WEEKLY;BYDAY=TU;COUNT=30", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=20"]})
    series("Dates added", "01-05 10:00", "01-05 11:00", {"rrule": "FREQ=WEEKLY;COUNT=5", "rdate": [f"{YEAR}-05-09 14:00", f"{YEAR}-12-24 08:00"]})
    series("Dates alone", "01-07 10:00", "01-07 11:00", {"rdate": [f"{YEAR}-03-31 10:00", f"{YEAR}-08-09 10:00"]})
    series("Last Friday", "01-25 18:00", "01-25 20:00", {"rrule": f"FREQ=MONTHLY;BYDAY=-1FR;UNTIL={YEAR + 1}0601T235959"})
    series("Workdays", "01-31 12:00", "01-31 12:30", {"rrule": "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=18"})
    series("Without end", "01-09 07:00", "01-09 07:45", {"rrule": "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=WE,SU"})
    series("New York", "03-01 23:00", "03-02 01:00", {"rrule": "FREQ=WEEKLY;COUNT=40"}, timezone="America/New_York")
    series("Lord Howe", "03-20 01:45", "03-20 02:15", {"rrule": "FREQ=DAILY;COUNT=30"}, timezone="Australia/Lord_Howe")
    series("UTC", "03-20 01:45", "03-20 02:15", {"rrule": "FREQ=DAILY;COUNT=30"}, timezone="UTC")
    id, all = series("Divided", "02-03 10:00", "02-03 12:00", {"rrule": "FREQ=WEEKLY;COUNT=30", "exdate": [f"{YEAR}-06-16"]})
    patch(all[12]["id"], title="Divided, one")
    patch(all[10]["id"], applies_to="following", start_date=all[10]["start_date"][:11] + "15:00", end_date=all[10]["start_date"][:11] + "16:00")
    id, all = series("First one gone", "05-06 10:00", "05-06 12:00", {"rrule": "FREQ=WEEKLY;COUNT=8"})
    site.api("DELETE", f"/events/{all[0]['id']}")
    id, all = series("First one moved", "05-06 14:00", "05-06 15:00", {"rrule": "FREQ=WEEKLY;COUNT=8"})
    patch(all[0]["id"], start_date=f"{YEAR}-05-05 09:00", end_date=f"{YEAR}-05-05 10:00")
    id, all = series("Cancelled", "08-06 14:00", "08-06 15:00", {"rrule": "FREQ=DAILY;COUNT=8"})
    patch(id, event_status="cancelled")
    id, all = series("To another zone", "09-03 10:00", "09-03 12:00", {"rrule": "FREQ=WEEKLY;COUNT=15", "exdate": [f"{YEAR}-09-17"]})
    patch(all[4]["id"], start_date=f"{YEAR}-10-09 18:00", end_date=f"{YEAR}-10-09 19:00")
    patch(id, timezone="America/New_York")
    id, all = series("To all day", "09-04 10:00", "09-04 12:00", {"rrule": "FREQ=WEEKLY;COUNT=9", "exdate": [f"{YEAR}-09-18"]})
    patch(id, all_day=True)
    id, all = series("Once again", "09-05 10:00", "09-05 12:00", {"rrule": "FREQ=WEEKLY;COUNT=9"})
    patch(id, recurrence=None)
    series("Several a day", "11-04 10:00", "11-04 10:30", {"rrule": "FREQ=DAILY;BYHOUR=10,14,18;COUNT=21"})


def entry(title, start, end, zone, cancelled):
    """What is compared of an occurrence; start and end are instants, or days."""
    if not isinstance(start, datetime.datetime):
        return title, start.isoformat(), end.isoformat(), cancelled
    place, day = zoneinfo.ZoneInfo(zone), datetime.timedelta(days=1)
    if (start - day).astimezone(place).utcoffset() != (end + day).astimezone(place).utcoffset():
        return title, start.astimezone(place).date().isoformat(), "that night", cancelled
    return title, start.strftime("%Y-%m-%d %H:%M:%S"), end.strftime("%Y-%m-%d %H:%M:%S"), cancelled


def listed(site):
    found, last, zones, page = collections.Counter(), {}, {}, 1
    while True:
        answer = site.api("GET", f"/events?start_date={YEAR}-01-01&end_date={YEAR + 1}-12-31&per_page=50&page={page}")
        for e in answer["events"]:
            if e["all_day"]:
                start, end = (datetime.date.fromisoformat(e[key][:10]) for key in ("start_date", "end_date"))
            else:
                start, end = (datetime.datetime.fromisoformat(e[key] + "+00:00") for key in ("utc_start_date", "utc_end_date"))
            zones[e["title"]] = e["timezone"]
            one = entry(e["title"], start, end, e["timezone"], e.get("event_status", "scheduled") == "cancelled")
            of = e["title"], e.get("series", {}).get("id"), e.get("series", {}).get("original_start", e["start_date"])[:10]
            if of in last:
                found[last[of]] -= 1
            last[of] = one
            found[one] += 1
        if page >= answer["total_pages"]:
            return +found, zones
        page += 1


def expanded(site, zones):
    def instant(value):
        return value.astimezone(datetime.timezone.utc) if isinstance(value, datetime.datetime) else value

    calendar = icalendar.Calendar.from_ical(site.ask("GET", "/events.ics"))
    found = collections.Counter()
    for e in recurring_ical_events.of(calendar).between((YEAR, 1, 1), (YEAR + 2, 1, 1)):
        start, end = instant(e["DTSTART"].dt), instant(e["DTEND"].dt)
        if not isinstance(start, datetime.datetime):
            end -= datetime.timedelta(days=1)  # DTEND of days is the day after
        title = str(e["SUMMARY"])
        found[entry(title, start, end, zones.get(title, "UTC"), str(e["STATUS"]) == "CANCELLED")] += 1
    return found


def main():
    words = [word for word in sys.argv[1:] if word != "--make"]
    if len(words) != 2:
        sys.exit(__doc__)
    site = Site(*words)
    if "--make" in sys.argv:
        make(site)
    ours, zones = listed(site)
    theirs = expanded(site, zones)
    for title, start, end, cancelled in sorted((ours - theirs).keys() | (theirs - ours).keys()):
        who = "listed" if (title, start, end, cancelled) in ours else "in the calendar"
        print(f"only {who}: {title}, {start} to {end}{', cancelled' if cancelled else ''}")
    print(f"{sum(ours.values())} listed, {sum(theirs.values())} in the calendar, {sum((ours & theirs).values())} the same")
    sys.exit(ours != theirs)


main()
