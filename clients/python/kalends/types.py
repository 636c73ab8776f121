"""Types of the interface of Kalends, written from its document (GET /doc) by go test ./api/doc -update."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

version = "1.21.0"

Root = TypedDict("Root", {
    "namespace": str,
    "routes": dict[str, dict[str, Any]],
    "_links": "Links",
})

Document = TypedDict("Document", {
    "openapi": str,
    "info": dict[str, Any],
    "servers": list[dict[str, Any]],
    "tags": list[dict[str, Any]],
    "paths": dict[str, Any],
    "components": dict[str, Any],
})

EventList = TypedDict("EventList", {
    "events": list["Event"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Event = TypedDict("Event", {
    "id": int,
    "global_id": str,
    "global_id_lineage": list[str],
    "author": str,
    "status": "Status",
    "date": str,
    "date_utc": str,
    "modified": str,
    "modified_utc": str,
    "url": str,
    "rest_url": str,
    "title": str,
    "description": str,
    "excerpt": str,
    "slug": str,
    "image": Union[bool, "Image"],
    "all_day": Union[bool, None],
    "start_date": str,
    "start_date_details": "DateDetails",
    "end_date": str,
    "end_date_details": "DateDetails",
    "utc_start_date": str,
    "utc_start_date_details": "DateDetails",
    "utc_end_date": str,
    "utc_end_date_details": "DateDetails",
    "timezone": str,
    "timezone_abbr": str,
    "cost": str,
    "cost_details": "CostDetails",
    "website": str,
    "show_map": Union[bool, None],
    "show_map_link": Union[bool, None],
    "hide_from_listings": Union[bool, None],
    "sticky": Union[bool, None],
    "featured": Union[bool, None],
    "categories": list["EventTerm"],
    "tags": list["EventTerm"],
    "venue": Union["Venue", list["Venue"]],
    "organizer": list["Organizer"],
    "custom_fields": list[Any],
    "post_parent": NotRequired[int],
    "tickets": NotRequired[list["Ticket"]],
    "event_status": NotRequired[Union[Literal["cancelled"], Literal["postponed"], Literal["rescheduled"]]],
    "event_status_reason": NotRequired[str],
    "previous_start_date": NotRequired[str],
    "attendance_mode": NotRequired[Union[Literal["online"], Literal["mixed"]]],
    "virtual_url": NotRequired[str],
    "virtual_url_shown": NotRequired[Union[Literal["started"], Literal["never"]]],
    "end_unknown": NotRequired[bool],
    "accessibility": NotRequired[list["Accessibility"]],
    "audience": NotRequired[list["Audience"]],
    "event_language": NotRequired[list["EventLanguage"]],
    "registration_until": NotRequired[str],
    "performers": NotRequired[list[str]],
    "video_url": NotRequired[str],
    "fields": NotRequired["FieldValues"],
    "seo_title": NotRequired[str],
    "seo_description": NotRequired[str],
    "review_note": NotRequired[str],
    "series": NotRequired["Series"],
    "source": NotRequired["EventOrigin"],
    "recurrence": NotRequired["Recurrence"],
    "json_ld": NotRequired[dict[str, Any]],
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

DateDetails = TypedDict("DateDetails", {
    "year": str,
    "month": str,
    "day": str,
    "hour": str,
    "minutes": str,
    "seconds": str,
})

CostDetails = TypedDict("CostDetails", {
    "currency_symbol": str,
    "currency_code": str,
    "currency_position": Union[Literal["prefix"], Literal["postfix"], Literal[""]],
    "values": list[str],
})

EventTerm = TypedDict("EventTerm", {
    "name": str,
    "slug": str,
    "term_group": int,
    "term_taxonomy_id": int,
    "taxonomy": Union[Literal["tribe_events_cat"], Literal["post_tag"]],
    "description": str,
    "parent": int,
    "count": int,
    "filter": str,
    "id": int,
    "urls": "TermURLs",
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

TermURLs = TypedDict("TermURLs", {
    "self": str,
    "collection": str,
    "up": NotRequired[str],
})

Ticket = TypedDict("Ticket", {
    "name": str,
    "url": NotRequired[str],
    "price": NotRequired[float],
    "currency": NotRequired[str],
    "available_from": NotRequired[str],
    "available_until": NotRequired[str],
    "status": NotRequired[Union[Literal["available"], Literal["box_office"], Literal["sold_out"], Literal["presale"], Literal["closed"]]],
})

Series = TypedDict("Series", {
    "id": int,
    "original_start": str,
    "rest_url": str,
})

Recurrence = TypedDict("Recurrence", {
    "rrule": Union[str, list[str]],
    "rdate": list[str],
    "exdate": list[str],
    "text": str,
    "next": list[str],
    "exceptions": list["Series"],
    "stored_until": NotRequired[str],
})

EventPreview = TypedDict("EventPreview", {
    "occurrences": list[dict[str, Any]],
    "timezone": str,
    "recurrence": NotRequired["Recurrence"],
})

VenueList = TypedDict("VenueList", {
    "venues": list["Venue"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Venue = TypedDict("Venue", {
    "id": int,
    "author": str,
    "status": "Status",
    "date": str,
    "date_utc": str,
    "modified": str,
    "modified_utc": str,
    "url": str,
    "venue": str,
    "description": NotRequired[str],
    "excerpt": NotRequired[str],
    "slug": NotRequired[str],
    "image": NotRequired["Image"],
    "address": NotRequired[str],
    "city": NotRequired[str],
    "country": NotRequired[str],
    "province": NotRequired[str],
    "state": NotRequired[str],
    "zip": NotRequired[str],
    "phone": NotRequired[str],
    "website": NotRequired[str],
    "stateprovince": NotRequired[str],
    "geo_lat": NotRequired[float],
    "geo_lng": NotRequired[float],
    "json_ld": NotRequired[dict[str, Any]],
    "show_map": bool,
    "show_map_link": bool,
    "accessibility": NotRequired[list["Accessibility"]],
    "fields": NotRequired["FieldValues"],
    "global_id": str,
    "global_id_lineage": list[str],
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

OrganizerList = TypedDict("OrganizerList", {
    "organizers": list["Organizer"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Organizer = TypedDict("Organizer", {
    "id": int,
    "author": str,
    "status": "Status",
    "date": str,
    "date_utc": str,
    "modified": str,
    "modified_utc": str,
    "url": str,
    "organizer": str,
    "description": NotRequired[str],
    "excerpt": NotRequired[str],
    "slug": NotRequired[str],
    "image": NotRequired["Image"],
    "phone": NotRequired[str],
    "website": NotRequired[str],
    "email": NotRequired[str],
    "json_ld": NotRequired[dict[str, Any]],
    "global_id": str,
    "global_id_lineage": list[str],
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

CategoryList = TypedDict("CategoryList", {
    "categories": list["Category"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Category = TypedDict("Category", {
    "id": int,
    "count": int,
    "description": str,
    "name": str,
    "slug": str,
    "taxonomy": Literal["tribe_events_cat"],
    "parent": int,
    "meta": list[Any],
    "url": str,
    "urls": "TermURLs",
    "_links": NotRequired["Links"],
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

TagList = TypedDict("TagList", {
    "tags": list["Tag"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Tag = TypedDict("Tag", {
    "id": int,
    "count": int,
    "description": str,
    "name": str,
    "slug": str,
    "taxonomy": Literal["post_tag"],
    "meta": list[Any],
    "url": str,
    "urls": "TermURLs",
    "_links": NotRequired["Links"],
    "content_language": NotRequired[str],
    "translations": NotRequired["Translations"],
})

Texts = TypedDict("Texts", {
    "title": NotRequired[str],
    "venue": NotRequired[str],
    "organizer": NotRequired[str],
    "name": NotRequired[str],
    "description": NotRequired[str],
    "excerpt": NotRequired[str],
    "slug": NotRequired[str],
    "cost": NotRequired[str],
    "seo_title": NotRequired[str],
    "seo_description": NotRequired[str],
    "made_from": NotRequired[int],
    "outdated": NotRequired[bool],
    "outdated_fields": NotRequired[list[str]],
})

Image = TypedDict("Image", {
    "url": str,
    "id": int,
    "extension": str,
    "width": int,
    "height": int,
    "filesize": int,
    "sizes": NotRequired[dict[str, "ImageSize"]],
})

ImageSize = TypedDict("ImageSize", {
    "width": int,
    "height": int,
    "mime-type": str,
    "filesize": int,
    "url": str,
})

SubmissionList = TypedDict("SubmissionList", {
    "submissions": list["Submission"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Submission = TypedDict("Submission", {
    "id": NotRequired[int],
    "status": Union[Literal["unconfirmed"], Literal["waiting"], Literal["accepted"], Literal["returned"], Literal["approved"], Literal["refused"], Literal["withdrawn"]],
    "token": NotRequired[str],
    "title": str,
    "description": NotRequired[str],
    "all_day": bool,
    "start_date": str,
    "end_date": str,
    "venue": NotRequired[str],
    "address": NotRequired[str],
    "city": NotRequired[str],
    "cost": NotRequired[str],
    "website": NotRequired[str],
    "category": NotRequired[int],
    "contact_name": str,
    "contact_email": str,
    "note": NotRequired[str],
    "contact_confirmed": bool,
    "language": str,
    "sent_utc": str,
    "expires_utc": NotRequired[str],
    "decided_utc": NotRequired[str],
    "message": NotRequired[str],
    "decided_by": NotRequired[str],
    "rest_url": NotRequired[str],
    "event": NotRequired["Event"],
    "event_url": NotRequired[str],
    "similar": NotRequired[list[dict[str, Any]]],
})

SubmissionForm = TypedDict("SubmissionForm", {
    "open": bool,
    "terms": str,
    "confirmed_by_email": bool,
})

ImportList = TypedDict("ImportList", {
    "imports": list["Import"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Import = TypedDict("Import", {
    "id": int,
    "state": Union[Literal["queued"], Literal["running"], Literal["done"], Literal["failed"], Literal["cancelled"]],
    "format": Union[Union[Literal["ics"], Literal["csv"], Literal["xlsx"], Literal["json"], Literal["schema"], Literal["lines"], Literal["tec"], Literal["site"], Literal["kalends"], Literal["undo"]], None],
    "dry_run": bool,
    "policy": "ImportPolicy",
    "name": Union[str, None],
    "url": Union[str, None],
    "source": Union["Origin", None],
    "progress": float,
    "counts": "Counts",
    "problem": Union["Error", None],
    "columns": NotRequired[dict[str, str]],
    "left_out": list[dict[str, Any]],
    "created": str,
    "started": Union[str, None],
    "finished": Union[str, None],
    "undoable_until": Union[str, None],
    "undone": Union[str, None],
    "undoes": NotRequired[int],
    "rest_url": str,
    "entries_url": str,
})

ImportEntryList = TypedDict("ImportEntryList", {
    "entries": list["ImportEntry"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

ImportEntry = TypedDict("ImportEntry", {
    "number": int,
    "line": Union[int, None],
    "uid": Union[str, None],
    "recurrence_id": Union[str, None],
    "title": Union[str, None],
    "start_date": Union[str, None],
    "result": "ImportResult",
    "event": Union[dict[str, Any], None],
    "fields": list[str],
    "problems": list["Finding"],
    "warnings": list["Finding"],
})

SourceList = TypedDict("SourceList", {
    "sources": list["Source"],
})

Source = TypedDict("Source", {
    "id": int,
    "name": str,
    "kind": "SourceKind",
    "url": str,
    "site": Union[str, None],
    "every": int,
    "policy": "ImportPolicy",
    "gone": "ImportGone",
    "timezone": NotRequired[Any],
    "status": NotRequired[Any],
    "categories": NotRequired[Any],
    "tags": NotRequired[Any],
    "venue": NotRequired[Any],
    "organizer": NotRequired[Any],
    "columns": NotRequired[Any],
    "date_order": NotRequired[Any],
    "filter": NotRequired[Any],
    "mapping": NotRequired[Any],
    "active": bool,
    "last_read": Union[str, None],
    "last_success": Union[str, None],
    "next_read": Union[str, None],
    "reading": bool,
    "problem": Union["Error", None],
    "counts": Union["Counts", None],
    "author": str,
    "created": str,
    "rest_url": str,
    "imports_url": str,
})

ChangeList = TypedDict("ChangeList", {
    "changes": list["Change"],
    "next": str,
    "more": bool,
})

Change = TypedDict("Change", {
    "type": "ChangeType",
    "id": int,
    "action": Union[Literal["created"], Literal["updated"], Literal["deleted"]],
    "version": int,
    "at": str,
    "merged_into": NotRequired[int],
    "object": NotRequired[dict[str, Any]],
})

Me = TypedDict("Me", {
    "id": int,
    "login": str,
    "role": "Role",
    "key": Union[dict[str, Any], None],
    "scopes": list["Access"],
    "categories": list[int],
    "expires": Union[str, None],
    "site": dict[str, Any],
    "limits": "Limits",
})

FieldList = TypedDict("FieldList", {
    "fields": list["Field"],
})

Field = TypedDict("Field", {
    "key": str,
    "kind": "FieldKind",
    "of": list[Union[Literal["event"], Literal["venue"]]],
    "label": str,
    "hint": NotRequired[str],
    "unit": NotRequired[str],
    "options": NotRequired[list[dict[str, Any]]],
    "public": bool,
    "filter": bool,
    "archived": NotRequired[bool],
    "translations": dict[str, dict[str, Any]],
    "rest_url": str,
})

EventNumbers = TypedDict("EventNumbers", {
    "event": int,
    "from": str,
    "to": str,
    "total": "Numbers",
    "days": list["DayNumbers"],
})

SiteNumbers = TypedDict("SiteNumbers", {
    "from": str,
    "to": str,
    "total": "Numbers",
    "days": list["DayNumbers"],
    "subscriptions": int,
    "letters_sent": int,
    "events": list[dict[str, Any]],
})

WebhookList = TypedDict("WebhookList", {
    "webhooks": list["Webhook"],
})

Webhook = TypedDict("Webhook", {
    "id": int,
    "url": str,
    "events": list[str],
    "filter": Union[dict[str, Any], None],
    "payload": "WebhookPayload",
    "language": Union[str, None],
    "active": bool,
    "problem": Union[str, None],
    "ed25519": bool,
    "public_key": NotRequired[str],
    "secret": NotRequired[str],
    "author": str,
    "waiting": int,
    "last_delivery": Union[dict[str, Any], None],
    "created": Union[str, None],
    "rest_url": str,
})

DeliveryList = TypedDict("DeliveryList", {
    "deliveries": list["Delivery"],
    "rest_url": str,
    "next_rest_url": NotRequired[str],
    "previous_rest_url": NotRequired[str],
    "total": int,
    "total_pages": int,
})

Delivery = TypedDict("Delivery", {
    "id": int,
    "message": str,
    "try": int,
    "duration": int,
    "request": dict[str, Any],
    "response": str,
    "type": str,
    "time": Union[str, None],
    "status": Union[int, None],
    "problem": Union[str, None],
})

Error = TypedDict("Error", {
    "code": str,
    "message": str,
    "data": dict[str, Any],
    "additional_data": NotRequired[list[int]],
})

Accessibility = Union[Literal["wheelchair"], Literal["toilets"], Literal["hearing_loop"], Literal["sign_language"], Literal["captions"], Literal["audio_description"], Literal["plain_language"], Literal["quiet_hour"]]

Audience = Union[Literal["toddlers"], Literal["children"], Literal["teenagers"], Literal["families"], Literal["adults"], Literal["seniors"]]

ChangeType = Union[Literal["event"], Literal["venue"], Literal["organizer"], Literal["category"], Literal["tag"], Literal["image"]]

Counts = dict[str, int]

DayNumbers = TypedDict("DayNumbers", {
    "day": str,
    "views": int,
    "calendars": int,
    "tickets": int,
    "letters": int,
})

EventLanguage = Union[Literal["ar"], Literal["bg"], Literal["bn"], Literal["bs"], Literal["ca"], Literal["cs"], Literal["cy"], Literal["da"], Literal["de"], Literal["dsb"], Literal["el"], Literal["en"], Literal["eo"], Literal["es"], Literal["et"], Literal["eu"], Literal["fa"], Literal["fi"], Literal["fr"], Literal["fy"], Literal["ga"], Literal["gl"], Literal["he"], Literal["hi"], Literal["hr"], Literal["hsb"], Literal["hu"], Literal["hy"], Literal["id"], Literal["is"], Literal["it"], Literal["ja"], Literal["ka"], Literal["ko"], Literal["ku"], Literal["lb"], Literal["lt"], Literal["lv"], Literal["mk"], Literal["mt"], Literal["nb"], Literal["nds"], Literal["nl"], Literal["pl"], Literal["pt"], Literal["rm"], Literal["ro"], Literal["ru"], Literal["sk"], Literal["sl"], Literal["so"], Literal["sq"], Literal["sr"], Literal["sv"], Literal["sw"], Literal["ta"], Literal["th"], Literal["ti"], Literal["tr"], Literal["uk"], Literal["ur"], Literal["vi"], Literal["zh"], Literal["zxx"]]

EventOrigin = TypedDict("EventOrigin", {
    "id": int,
    "name": str,
    "site": Union[str, None],
    "kept": NotRequired[list[str]],
})

FieldKind = Union[Literal["text"], Literal["choice"], Literal["yes_no"], Literal["number"], Literal["link"], Literal["date"]]

FieldValues = dict[str, Union[str, float, bool]]

Finding = TypedDict("Finding", {
    "code": str,
    "param": Union[str, None],
    "message": str,
})

ImportGone = Union[Literal["keep"], Literal["cancel"], Literal["trash"]]

ImportPolicy = Union[Literal["update"], Literal["skip"], Literal["replace"]]

ImportResult = Union[Literal["created"], Literal["changed"], Literal["same"], Literal["cancelled"], Literal["refused"]]

Links = dict[str, list[dict[str, Any]]]

Numbers = TypedDict("Numbers", {
    "views": int,
    "calendars": int,
    "tickets": int,
    "letters": int,
})

Origin = TypedDict("Origin", {
    "id": int,
    "name": str,
    "site": Union[str, None],
})

SourceKind = Union[Literal["ics"], Literal["table"], Literal["json"], Literal["schema"], Literal["tec"], Literal["kalends"], Literal["site"]]

Status = Union[Literal["publish"], Literal["future"], Literal["draft"], Literal["pending"], Literal["private"], Literal["trash"]]

Translations = Union[list[str], dict[str, "Texts"]]

WebhookPayload = Union[Literal["thin"], Literal["full"]]

Access = Union[Literal["events:read"], Literal["events:write"], Literal["venues:read"], Literal["venues:write"], Literal["organizers:read"], Literal["organizers:write"], Literal["terms:read"], Literal["terms:write"], Literal["images:read"], Literal["images:write"], Literal["submissions:read"], Literal["submissions:write"], Literal["imports:write"], Literal["sources:write"], Literal["changes:read"], Literal["history:read"], Literal["webhooks:write"], Literal["users:read"], Literal["users:write"], Literal["settings:write"]]

Limits = TypedDict("Limits", {
    "events": Union[int, None],
    "occurrences": Union[int, None],
    "users": Union[int, None],
    "media_bytes": Union[int, None],
    "webhooks": Union[int, None],
    "letters": Union[int, None],
    "requests_per_minute": Union[int, None],
})

Role = Union[Literal["administrator"], Literal["editor"], Literal["author"], Literal["contributor"], Literal["subscriber"]]

EventCreate = TypedDict("EventCreate", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "title": str,
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "timezone": NotRequired[Union[str, None]],
    "all_day": NotRequired[Union[bool, None]],
    "start_date": str,
    "end_date": str,
    "image": NotRequired["EventImageInput"],
    "cost": NotRequired["CostInput"],
    "website": NotRequired[Union[str, None]],
    "show_map": NotRequired[Union[bool, None]],
    "show_map_link": NotRequired[Union[bool, None]],
    "hide_from_listings": NotRequired[Union[bool, None]],
    "sticky": NotRequired[Union[bool, None]],
    "featured": NotRequired[Union[bool, None]],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "tickets": NotRequired[Union[list["TicketInput"], None]],
    "post_parent": NotRequired[Union[int, None]],
    "post_password": NotRequired[Union[str, None]],
    "recurrence": NotRequired["RecurrenceInput"],
    "applies_to": NotRequired["EventAppliesToInput"],
    "exceptions": NotRequired["EventExceptionsInput"],
    "event_status": NotRequired["EventStatusInput"],
    "event_status_reason": NotRequired[Union[str, None]],
    "attendance_mode": NotRequired["EventAttendanceModeInput"],
    "virtual_url": NotRequired[Union[str, None]],
    "virtual_url_shown": NotRequired["EventVirtualUrlShownInput"],
    "end_unknown": NotRequired[Union[bool, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "audience": NotRequired["AudienceInput"],
    "event_language": NotRequired["EventLanguageInput"],
    "registration_until": NotRequired[Union[str, None]],
    "review_note": NotRequired[Union[str, None]],
    "fields": NotRequired["FieldsInput"],
    "performers": NotRequired["PerformersInput"],
    "video_url": NotRequired[Union[str, None]],
    "seo_title": NotRequired[Union[str, None]],
    "seo_description": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["EventTranslationsInput"],
})

EventPreviewFields = TypedDict("EventPreviewFields", {
    "timezone": NotRequired[Union[str, None]],
    "all_day": NotRequired[Union[bool, None]],
    "start_date": str,
    "end_date": str,
    "recurrence": NotRequired["RecurrenceInput"],
})

EventUpdate = TypedDict("EventUpdate", {
    "password": NotRequired[Union[str, None]],
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "title": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "timezone": NotRequired[Union[str, None]],
    "all_day": NotRequired[Union[bool, None]],
    "start_date": NotRequired[str],
    "end_date": NotRequired[str],
    "image": NotRequired["ImageInput"],
    "cost": NotRequired["CostInput"],
    "website": NotRequired[Union[str, None]],
    "show_map": NotRequired[Union[bool, None]],
    "show_map_link": NotRequired[Union[bool, None]],
    "hide_from_listings": NotRequired[Union[bool, None]],
    "sticky": NotRequired[Union[bool, None]],
    "featured": NotRequired[Union[bool, None]],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "tickets": NotRequired[Union[list["TicketInput"], None]],
    "post_parent": NotRequired[Union[int, None]],
    "post_password": NotRequired[Union[str, None]],
    "recurrence": NotRequired["RecurrenceInput"],
    "applies_to": NotRequired["EventAppliesToInput"],
    "exceptions": NotRequired["EventExceptionsInput"],
    "event_status": NotRequired["EventStatusInput"],
    "event_status_reason": NotRequired[Union[str, None]],
    "attendance_mode": NotRequired["EventAttendanceModeInput"],
    "virtual_url": NotRequired[Union[str, None]],
    "virtual_url_shown": NotRequired["EventVirtualUrlShownInput"],
    "end_unknown": NotRequired[Union[bool, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "audience": NotRequired["AudienceInput"],
    "event_language": NotRequired["EventLanguageInput"],
    "registration_until": NotRequired[Union[str, None]],
    "review_note": NotRequired[Union[str, None]],
    "fields": NotRequired["FieldsInput"],
    "performers": NotRequired["PerformersInput"],
    "video_url": NotRequired[Union[str, None]],
    "seo_title": NotRequired[Union[str, None]],
    "seo_description": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["EventTranslationsInput"],
    "source": NotRequired["SourceInput"],
})

EventUpdateBySlug = TypedDict("EventUpdateBySlug", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "title": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "timezone": NotRequired[Union[str, None]],
    "all_day": NotRequired[Union[bool, None]],
    "start_date": NotRequired[str],
    "end_date": NotRequired[str],
    "image": NotRequired["ImageInput"],
    "cost": NotRequired["CostInput"],
    "website": NotRequired[Union[str, None]],
    "show_map": NotRequired[Union[bool, None]],
    "show_map_link": NotRequired[Union[bool, None]],
    "hide_from_listings": NotRequired[Union[bool, None]],
    "sticky": NotRequired[Union[bool, None]],
    "featured": NotRequired[Union[bool, None]],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "tickets": NotRequired[Union[list["TicketInput"], None]],
    "post_parent": NotRequired[Union[int, None]],
    "post_password": NotRequired[Union[str, None]],
    "recurrence": NotRequired["RecurrenceInput"],
    "applies_to": NotRequired["EventAppliesToInput"],
    "exceptions": NotRequired["EventExceptionsInput"],
    "event_status": NotRequired["EventStatusInput"],
    "event_status_reason": NotRequired[Union[str, None]],
    "attendance_mode": NotRequired["EventAttendanceModeInput"],
    "virtual_url": NotRequired[Union[str, None]],
    "virtual_url_shown": NotRequired["EventVirtualUrlShownInput"],
    "end_unknown": NotRequired[Union[bool, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "audience": NotRequired["AudienceInput"],
    "event_language": NotRequired["EventLanguageInput"],
    "registration_until": NotRequired[Union[str, None]],
    "review_note": NotRequired[Union[str, None]],
    "fields": NotRequired["FieldsInput"],
    "performers": NotRequired["PerformersInput"],
    "video_url": NotRequired[Union[str, None]],
    "seo_title": NotRequired[Union[str, None]],
    "seo_description": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["EventTranslationsInput"],
    "source": NotRequired["SourceInput"],
})

VenueCreate = TypedDict("VenueCreate", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "venue": str,
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "show_map": NotRequired["ShowMapInput"],
    "show_map_link": NotRequired["ShowMapLinkInput"],
    "address": NotRequired[Union[str, None]],
    "city": NotRequired[Union[str, None]],
    "country": NotRequired[Union[str, None]],
    "province": NotRequired[Union[str, None]],
    "state": NotRequired[Union[str, None]],
    "zip": NotRequired[Union[str, None]],
    "phone": NotRequired[Union[str, None]],
    "stateprovince": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "geo_lat": NotRequired[Union[float, None]],
    "geo_lng": NotRequired[Union[float, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "fields": NotRequired["FieldsInput"],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["VenueTranslationsInput"],
})

VenueUpdate = TypedDict("VenueUpdate", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "venue": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "show_map": NotRequired["ShowMapInput"],
    "show_map_link": NotRequired["ShowMapLinkInput"],
    "address": NotRequired[Union[str, None]],
    "city": NotRequired[Union[str, None]],
    "country": NotRequired[Union[str, None]],
    "province": NotRequired[Union[str, None]],
    "state": NotRequired[Union[str, None]],
    "zip": NotRequired[Union[str, None]],
    "phone": NotRequired[Union[str, None]],
    "stateprovince": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "geo_lat": NotRequired[Union[float, None]],
    "geo_lng": NotRequired[Union[float, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "fields": NotRequired["FieldsInput"],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["VenueTranslationsInput"],
})

OrganizerCreate = TypedDict("OrganizerCreate", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "organizer": str,
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "phone": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "email": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["OrganizerTranslationsInput"],
})

OrganizerUpdate = TypedDict("OrganizerUpdate", {
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "organizer": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "phone": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "email": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["OrganizerTranslationsInput"],
})

CategoryCreate = TypedDict("CategoryCreate", {
    "name": str,
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["CategoryTranslationsInput"],
    "parent": NotRequired[Union[int, None]],
})

CategoryUpdate = TypedDict("CategoryUpdate", {
    "name": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["CategoryTranslationsInput"],
    "parent": NotRequired[Union[int, None]],
})

TagCreate = TypedDict("TagCreate", {
    "name": str,
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["TagTranslationsInput"],
})

TagUpdate = TypedDict("TagUpdate", {
    "name": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "slug": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["TagTranslationsInput"],
})

ImageCreate = TypedDict("ImageCreate", {
    "file": str,
})

SubmissionCreate = TypedDict("SubmissionCreate", {
    "title": str,
    "start_date": str,
    "end_date": NotRequired[str],
    "all_day": NotRequired[Union[bool, None]],
    "venue": NotRequired[Union[str, None]],
    "address": NotRequired[Union[str, None]],
    "city": NotRequired[Union[str, None]],
    "description": NotRequired[Union[str, None]],
    "cost": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "category": NotRequired[Union[int, None]],
    "contact_name": str,
    "contact_email": str,
    "note": NotRequired[Union[str, None]],
    "terms": NotRequired["SubmissionTermsInput"],
})

SubmissionUpdate = TypedDict("SubmissionUpdate", {
    "title": NotRequired[str],
    "start_date": NotRequired[str],
    "end_date": NotRequired[str],
    "all_day": NotRequired[Union[bool, None]],
    "venue": NotRequired[Union[str, None]],
    "address": NotRequired[Union[str, None]],
    "city": NotRequired[Union[str, None]],
    "description": NotRequired[Union[str, None]],
    "cost": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "category": NotRequired[Union[int, None]],
    "contact_name": NotRequired[str],
    "note": NotRequired[Union[str, None]],
    "token": str,
})

SubmissionConfirm = TypedDict("SubmissionConfirm", {
    "token": str,
})

SubmissionApprove = TypedDict("SubmissionApprove", {
    "status": NotRequired["SubmissionStatusInput"],
})

SubmissionRefuse = TypedDict("SubmissionRefuse", {
    "message": NotRequired[Union[str, None]],
    "tell": NotRequired[bool],
})

ImportCreate = TypedDict("ImportCreate", {
    "url": NotRequired[str],
    "format": NotRequired["ImportFormatInput"],
    "user": NotRequired[str],
    "password": NotRequired[str],
    "series": NotRequired[bool],
    "dry_run": NotRequired[bool],
    "policy": NotRequired["ImportPolicy"],
    "timezone": NotRequired[Union[str, None]],
    "status": NotRequired["ImportStatusInput"],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "columns": NotRequired["ColumnsInput"],
    "date_order": NotRequired["ImportDateOrderInput"],
    "gone": NotRequired["ImportGone"],
})

SourceCreate = TypedDict("SourceCreate", {
    "name": str,
    "kind": "SourceKind",
    "url": str,
    "user": NotRequired[Union[str, None]],
    "password": NotRequired[Union[str, None]],
    "site": NotRequired[Union[str, None]],
    "every": NotRequired[int],
    "policy": NotRequired["ImportPolicy"],
    "gone": NotRequired["ImportGone"],
    "timezone": NotRequired[Union[str, None]],
    "status": NotRequired["ImportStatusInput"],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "columns": NotRequired["ColumnsInput"],
    "date_order": NotRequired["ImportDateOrderInput"],
    "filter": NotRequired["FilterInput"],
    "mapping": NotRequired["MappingInput"],
    "active": NotRequired[bool],
})

SourceUpdate = TypedDict("SourceUpdate", {
    "name": NotRequired[str],
    "kind": NotRequired["SourceKind"],
    "url": NotRequired[str],
    "user": NotRequired[Union[str, None]],
    "password": NotRequired[Union[str, None]],
    "site": NotRequired[Union[str, None]],
    "every": NotRequired[int],
    "policy": NotRequired["ImportPolicy"],
    "gone": NotRequired["ImportGone"],
    "timezone": NotRequired[Union[str, None]],
    "status": NotRequired["ImportStatusInput"],
    "categories": NotRequired["TermInput"],
    "tags": NotRequired["TermInput"],
    "venue": NotRequired["VenueInput"],
    "organizer": NotRequired["OrganizerInput"],
    "columns": NotRequired["ColumnsInput"],
    "date_order": NotRequired["ImportDateOrderInput"],
    "filter": NotRequired["FilterInput"],
    "mapping": NotRequired["MappingInput"],
    "active": NotRequired[bool],
})

WebhookCreate = TypedDict("WebhookCreate", {
    "url": str,
    "events": "WebhookEventsInput",
    "filter": NotRequired["FilterInput"],
    "payload": NotRequired["WebhookPayload"],
    "language": NotRequired[Union[str, None]],
    "active": NotRequired[bool],
    "ed25519": NotRequired[bool],
})

WebhookUpdate = TypedDict("WebhookUpdate", {
    "url": NotRequired[str],
    "events": NotRequired["WebhookEventsInput"],
    "filter": NotRequired["FilterInput"],
    "payload": NotRequired["WebhookPayload"],
    "language": NotRequired[Union[str, None]],
    "active": NotRequired[bool],
    "ed25519": NotRequired[bool],
})

FieldCreate = TypedDict("FieldCreate", {
    "key": NotRequired[str],
    "kind": "FieldKind",
    "of": NotRequired["OfInput"],
    "label": str,
    "hint": NotRequired[Union[str, None]],
    "unit": NotRequired[Union[str, None]],
    "options": NotRequired[Union[list["OptionInput"], None]],
    "position": NotRequired[int],
    "public": NotRequired[bool],
    "filter": NotRequired[bool],
    "archived": NotRequired[bool],
    "translations": NotRequired["FieldTranslationsInput"],
})

FieldUpdate = TypedDict("FieldUpdate", {
    "key": NotRequired[str],
    "kind": NotRequired["FieldKind"],
    "of": NotRequired["OfInput"],
    "label": NotRequired[str],
    "hint": NotRequired[Union[str, None]],
    "unit": NotRequired[Union[str, None]],
    "options": NotRequired[Union[list["OptionInput"], None]],
    "position": NotRequired[int],
    "public": NotRequired[bool],
    "filter": NotRequired[bool],
    "archived": NotRequired[bool],
    "translations": NotRequired["FieldTranslationsInput"],
})

TermLink = TypedDict("TermLink", {
    "id": NotRequired[int],
    "slug": NotRequired[str],
    "name": NotRequired[str],
})

VenueLink = TypedDict("VenueLink", {
    "id": NotRequired[Union[int, None]],
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "venue": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "show_map": NotRequired["ShowMapInput"],
    "show_map_link": NotRequired["ShowMapLinkInput"],
    "address": NotRequired[Union[str, None]],
    "city": NotRequired[Union[str, None]],
    "country": NotRequired[Union[str, None]],
    "province": NotRequired[Union[str, None]],
    "state": NotRequired[Union[str, None]],
    "zip": NotRequired[Union[str, None]],
    "phone": NotRequired[Union[str, None]],
    "stateprovince": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "geo_lat": NotRequired[Union[float, None]],
    "geo_lng": NotRequired[Union[float, None]],
    "accessibility": NotRequired["AccessibilityInput"],
    "fields": NotRequired["FieldsInput"],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["VenueTranslationsInput"],
})

OrganizerLink = TypedDict("OrganizerLink", {
    "id": NotRequired[Union[int, None]],
    "author": NotRequired["AuthorInput"],
    "date": NotRequired[str],
    "date_utc": NotRequired[str],
    "organizer": NotRequired[str],
    "description": NotRequired[Union[str, None]],
    "status": NotRequired["Status"],
    "phone": NotRequired[Union[str, None]],
    "website": NotRequired[Union[str, None]],
    "email": NotRequired[Union[str, None]],
    "image": NotRequired["ImageInput"],
    "slug": NotRequired[Union[str, None]],
    "excerpt": NotRequired[Union[str, None]],
    "content_language": NotRequired[Union[str, None]],
    "translations": NotRequired["OrganizerTranslationsInput"],
})

TermReference = Union[int, str]

EventOrderbyParam = Union[Literal["start_date"], Literal["end_date"], Literal["title"], Literal["date"], Literal["modified"], Literal["relevance"]]

EventOrderParam = Union[Literal["asc"], Literal["desc"], Literal["ASC"], Literal["DESC"]]

EventOnParam = Union[Literal["tonight"], Literal["today"], Literal["tomorrow"], Literal["weekend"], Literal["week"]]

EventStatusParam = Union[Literal["scheduled"], Literal["cancelled"], Literal["postponed"], Literal["rescheduled"]]

EventAttendanceModeParam = Union[Literal["offline"], Literal["online"], Literal["mixed"]]

TranslationsParam = Literal["full"]

EventAppliesToParam = Union[Literal["this"], Literal["following"], Literal["all"]]

ChangeIncludeParam = Literal["object"]

SubmissionStatusParam = Union[Literal["waiting"], Literal["decided"]]

SubmissionFile = TypedDict("SubmissionFile", {
    "file": NotRequired[str],
})

SubmissionCreateForm = Any

SubmissionUpdateForm = Any

ImportFile = TypedDict("ImportFile", {
    "file": NotRequired[str],
})

ImportCreateForm = Any

SourceEventsParam = Union[Literal["keep"], Literal["trash"]]

AuthorInput = Union[int, str]

EventImageInput = Union[str, int, dict[str, Any], bool, None]

CostInput = Union[str, float, list[Union[str, float]], None]

TermInput = Union[list[Union[int, str, "TermLink"]], int, str, "TermLink", None]

VenueInput = Union[list[Union[int, "VenueLink"]], int, "VenueLink", str, None]

OrganizerInput = Union[list[Union[int, "OrganizerLink"]], int, "OrganizerLink", str, None]

TicketStatusInput = Union[Literal["available"], Literal["box_office"], Literal["sold_out"], Literal["presale"], Literal["closed"]]

TicketInput = TypedDict("TicketInput", {
    "name": str,
    "url": NotRequired[Union[str, None]],
    "price": NotRequired[Union[float, None]],
    "currency": NotRequired[Union[str, None]],
    "available_from": NotRequired[Union[str, None]],
    "available_until": NotRequired[Union[str, None]],
    "status": NotRequired["TicketStatusInput"],
})

RecurrenceInput = Union[dict[str, Any], str, None]

EventAppliesToInput = Union[Literal["this"], Literal["following"], Literal["all"]]

EventExceptionsInput = Union[Literal["keep"], Literal["reset"]]

EventStatusInput = Union[Literal["scheduled"], Literal["cancelled"], Literal["canceled"], Literal["postponed"], Literal["rescheduled"]]

EventAttendanceModeInput = Union[Literal["offline"], Literal["online"], Literal["mixed"]]

EventVirtualUrlShownInput = Union[Literal["always"], Literal["started"], Literal["never"]]

AccessibilityInput = Union[list["Accessibility"], "Accessibility", None]

AudienceInput = Union[list["Audience"], "Audience", None]

EventLanguageInput = Union[list["EventLanguage"], "EventLanguage", None]

FieldsInput = Union[dict[str, Any], None]

PerformersInput = Union[list[str], str, None]

EventTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], list[str], None]

ImageInput = Union[str, int, dict[str, Any], bool, None]

SourceInput = Union[dict[str, Any], str, None]

ShowMapInput = Union[str, bool, None]

ShowMapLinkInput = Union[str, bool, None]

VenueTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], list[str], None]

OrganizerTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], list[str], None]

CategoryTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], list[str], None]

TagTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], list[str], None]

SubmissionTermsInput = Union[bool, None]

SubmissionStatusInput = Union[Literal["publish"], Literal["draft"]]

ImportFormatInput = Union[Literal["auto"], Literal["ics"], Literal["csv"], Literal["xlsx"], Literal["json"], Literal["schema"], Literal["lines"], Literal["tec"]]

ImportStatusInput = Union[Literal["publish"], Literal["draft"], Literal["pending"]]

ColumnsInput = Union[dict[str, Any], str, None]

ImportDateOrderInput = Union[Literal["dmy"], Literal["mdy"]]

FilterInput = Union[dict[str, Any], str, None]

MappingInput = Union[dict[str, Any], str, None]

WebhookEventsInput = Union[list[str], str]

FieldOfInput = Union[Literal["event"], Literal["venue"]]

OfInput = Union[list["FieldOfInput"], "FieldOfInput"]

OptionInput = TypedDict("OptionInput", {
    "key": NotRequired[Union[str, None]],
    "label": str,
})

OptionsInput = Union[dict[str, Any], None]

FieldTranslationsInput = Union[dict[str, Union[dict[str, Any], None]], None]

ListEventsQuery = TypedDict("ListEventsQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "start_date": NotRequired[str],
    "end_date": NotRequired[str],
    "starts_before": NotRequired[str],
    "starts_after": NotRequired[str],
    "ends_before": NotRequired[str],
    "ends_after": NotRequired[str],
    "strict_dates": NotRequired[bool],
    "search": NotRequired[str],
    "categories": NotRequired[list["TermReference"]],
    "tags": NotRequired[list["TermReference"]],
    "venue": NotRequired[list[int]],
    "organizer": NotRequired[list[int]],
    "featured": NotRequired[bool],
    "status": NotRequired[list["Status"]],
    "geoloc": NotRequired[bool],
    "geoloc_lat": NotRequired[float],
    "geoloc_lng": NotRequired[float],
    "include": NotRequired[list[int]],
    "post_parent": NotRequired[int],
    "ticketed": NotRequired[bool],
    "geoloc_radius": NotRequired[float],
    "orderby": NotRequired["EventOrderbyParam"],
    "order": NotRequired["EventOrderParam"],
    "password": NotRequired[str],
    "on": NotRequired["EventOnParam"],
    "longer_than": NotRequired[int],
    "after": NotRequired[str],
    "series": NotRequired[str],
    "source": NotRequired[int],
    "recurring": NotRequired[bool],
    "event_status": NotRequired[list["EventStatusParam"]],
    "attendance_mode": NotRequired["EventAttendanceModeParam"],
    "accessibility": NotRequired[list["Accessibility"]],
    "audience": NotRequired[list["Audience"]],
    "event_language": NotRequired[list["EventLanguage"]],
    "fields": NotRequired[dict[str, str]],
    "categories_exclude": NotRequired[list["TermReference"]],
    "tags_exclude": NotRequired[list["TermReference"]],
    "venue_exclude": NotRequired[list[int]],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
})

ListOccurrencesQuery = TypedDict("ListOccurrencesQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "start_date": NotRequired[str],
    "end_date": NotRequired[str],
    "starts_before": NotRequired[str],
    "starts_after": NotRequired[str],
    "ends_before": NotRequired[str],
    "ends_after": NotRequired[str],
    "strict_dates": NotRequired[bool],
    "search": NotRequired[str],
    "categories": NotRequired[list["TermReference"]],
    "tags": NotRequired[list["TermReference"]],
    "venue": NotRequired[list[int]],
    "organizer": NotRequired[list[int]],
    "featured": NotRequired[bool],
    "status": NotRequired[list["Status"]],
    "geoloc": NotRequired[bool],
    "geoloc_lat": NotRequired[float],
    "geoloc_lng": NotRequired[float],
    "include": NotRequired[list[int]],
    "post_parent": NotRequired[int],
    "ticketed": NotRequired[bool],
    "geoloc_radius": NotRequired[float],
    "orderby": NotRequired["EventOrderbyParam"],
    "order": NotRequired["EventOrderParam"],
    "password": NotRequired[str],
    "on": NotRequired["EventOnParam"],
    "longer_than": NotRequired[int],
    "after": NotRequired[str],
    "series": NotRequired[str],
    "source": NotRequired[int],
    "recurring": NotRequired[bool],
    "event_status": NotRequired[list["EventStatusParam"]],
    "attendance_mode": NotRequired["EventAttendanceModeParam"],
    "accessibility": NotRequired[list["Accessibility"]],
    "audience": NotRequired[list["Audience"]],
    "event_language": NotRequired[list["EventLanguage"]],
    "fields": NotRequired[dict[str, str]],
    "categories_exclude": NotRequired[list["TermReference"]],
    "tags_exclude": NotRequired[list["TermReference"]],
    "venue_exclude": NotRequired[list[int]],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
})

ListVenuesQuery = TypedDict("ListVenuesQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "search": NotRequired[str],
    "event": NotRequired[int],
    "has_events": NotRequired[bool],
    "only_with_upcoming": NotRequired[bool],
    "status": NotRequired[list["Status"]],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
})

ListOrganizersQuery = TypedDict("ListOrganizersQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "search": NotRequired[str],
    "event": NotRequired[int],
    "has_events": NotRequired[bool],
    "only_with_upcoming": NotRequired[bool],
    "status": NotRequired[list["Status"]],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
})

ListCategoriesQuery = TypedDict("ListCategoriesQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "search": NotRequired[str],
    "exclude": NotRequired[list["TermReference"]],
    "include": NotRequired[list["TermReference"]],
    "order": NotRequired[str],
    "orderby": NotRequired[str],
    "hide_empty": NotRequired[bool],
    "post": NotRequired[int],
    "event": NotRequired[int],
    "slug": NotRequired[str],
    "offset": NotRequired[int],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
    "parent": NotRequired[int],
})

ListTagsQuery = TypedDict("ListTagsQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "search": NotRequired[str],
    "exclude": NotRequired[list["TermReference"]],
    "include": NotRequired[list["TermReference"]],
    "order": NotRequired[str],
    "orderby": NotRequired[str],
    "hide_empty": NotRequired[bool],
    "post": NotRequired[int],
    "event": NotRequired[int],
    "slug": NotRequired[str],
    "offset": NotRequired[int],
    "content_language": NotRequired[str],
    "translations": NotRequired["TranslationsParam"],
    "translated": NotRequired[bool],
})

ListChangesQuery = TypedDict("ListChangesQuery", {
    "since": NotRequired[str],
    "types": NotRequired[list["ChangeType"]],
    "per_page": NotRequired[int],
    "include": NotRequired["ChangeIncludeParam"],
    "wait": NotRequired[int],
    "search": NotRequired[str],
    "categories": NotRequired[list["TermReference"]],
    "tags": NotRequired[list["TermReference"]],
    "venue": NotRequired[list[int]],
    "organizer": NotRequired[list[int]],
    "featured": NotRequired[bool],
    "geoloc": NotRequired[bool],
    "geoloc_lat": NotRequired[float],
    "geoloc_lng": NotRequired[float],
    "post_parent": NotRequired[int],
    "ticketed": NotRequired[bool],
    "geoloc_radius": NotRequired[float],
    "series": NotRequired[str],
    "source": NotRequired[int],
    "recurring": NotRequired[bool],
    "event_status": NotRequired[list["EventStatusParam"]],
    "attendance_mode": NotRequired["EventAttendanceModeParam"],
    "audience": NotRequired[list["Audience"]],
    "event_language": NotRequired[list["EventLanguage"]],
    "categories_exclude": NotRequired[list["TermReference"]],
    "tags_exclude": NotRequired[list["TermReference"]],
    "venue_exclude": NotRequired[list[int]],
    "content_language": NotRequired[str],
    "translated": NotRequired[bool],
})

ListSubmissionsQuery = TypedDict("ListSubmissionsQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
    "status": NotRequired["SubmissionStatusParam"],
})

ListImportsQuery = TypedDict("ListImportsQuery", {
    "source": NotRequired[int],
    "page": NotRequired[int],
    "per_page": NotRequired[int],
})

ListEntriesQuery = TypedDict("ListEntriesQuery", {
    "result": NotRequired["ImportResult"],
    "page": NotRequired[int],
    "per_page": NotRequired[int],
})

ListDeliveriesQuery = TypedDict("ListDeliveriesQuery", {
    "page": NotRequired[int],
    "per_page": NotRequired[int],
})
