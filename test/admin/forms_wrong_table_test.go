package admin

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/kalends/kalends/test/kit"
)

// Values of date, choice and box fields that no browser would send.
var (
	chosenWrong = []string{"timezone", "status", "author", "language", "languages", "theme", "role", "kind", "plan", "parent", "categories", "week_start",
		"date_form", "time_form", "english", "calendar", "currency_position", "read_only", "all_day", "do", "event_status", "attendance_mode", "virtual_url_shown"}
	fieldsOfEvents = []string{"title", "start_date", "end_date", "timezone", "all_day", "venue", "organizer", "description", "excerpt", "categories",
		"repeat_every", "repeat_until", "event_status", "event_status_reason", "attendance_mode", "virtual_url", "virtual_url_shown",
		"image", "cost", "website", "status", "date", "author", "slug", "post_password", "post_parent",
		"tickets[0][name]", "tickets[0][price]", "tickets[0][currency]", "tickets[0][url]", "tickets[0][available_from]", "tickets[0][available_until]",
		"tickets[0][status]", "tickets[1][name]",
		"new_venue.venue", "new_venue.address", "new_venue.zip", "new_venue.city", "new_venue.country", "new_venue.phone", "new_venue.website",
		"new_organizer.organizer", "new_organizer.phone", "new_organizer.email", "new_organizer.website",
		"new_organizer.1.organizer", "new_organizer.1.email", "new_organizer.1.website"}
)

// wrongEvent is the form of an event with an error in every field.
func wrongEvent() url.Values {
	return url.Values{"title": {" "}, "start_date": {"2031-02-30T10:00"}, "end_date": {"soon"}, "timezone": {"Mars/Olympus"}, "all_day": {"maybe"},
		"venue": {"Nowhere"}, "organizer": {"Nobody"}, "description": {kit.Letters(262145)}, "excerpt": {kit.Letters(262145)}, "categories": {"", "999999"},
		"image": {"ftp://example.org/x"}, "cost": {kit.Letters(1001)}, "website": {"javascript:alert(1)"}, "status": {"gone"}, "date": {"never"},
		"repeat": {"week"}, "repeat_every": {"0"}, "repeat_end": {"on"}, "repeat_until": {"soon"}, "event_status": {"gone"},
		"event_status_reason": {kit.Letters(1001)}, "attendance_mode": {"nowhere"}, "virtual_url": {"nowhere"}, "virtual_url_shown": {"nobody"},
		"author": {"999999"}, "slug": {kit.Letters(201)}, "post_password": {kit.Letters(256)}, "post_parent": {"999999"},
		"tickets[0][name]": {""}, "tickets[0][price]": {"-1"}, "tickets[0][currency]": {"EURO"}, "tickets[0][url]": {"nowhere"},
		"tickets[0][available_from]": {"never"}, "tickets[0][available_until]": {"never"}, "tickets[0][status]": {"lost"},
		"tickets[1][name]": {kit.Letters(201)},
		"new_venue.venue":  {kit.Letters(1001)}, "new_venue.address": {kit.Letters(1001)}, "new_venue.zip": {kit.Letters(1001)}, "new_venue.city": {kit.Letters(1001)},
		"new_venue.country": {kit.Letters(1001)}, "new_venue.phone": {kit.Letters(1001)}, "new_venue.website": {"nowhere"},
		"new_organizer.organizer": {kit.Letters(1001)}, "new_organizer.phone": {kit.Letters(1001)}, "new_organizer.email": {"nobody"},
		"new_organizer.website": {"nowhere"}, "new_organizer.1.organizer": {"<b></b>" + kit.Letters(1001)}, "new_organizer.1.phone": {"1"},
		"new_organizer.1.email": {"@"}, "new_organizer.1.website": {"//"}, "do": {"save"}}
}

var eventUntold = append([]string{"tickets[0][status]", "organizer"}, chosenWrong...)

// wrongForms are the forms of the administration: the path of the route, and
// which form of it that is.
var wrongForms = map[string]func(k *kit.Kit) *wrongForm{
	"/admin/login": func(k *kit.Kit) *wrongForm {
		return &wrongForm{who: k.Browser(), path: "/admin/login", begins: `action="/admin/login"`, form: url.Values{"login": {"nobody"}},
			secret: url.Values{"password": {"not it at all"}}, fields: []string{"login"}}
	},
	"/admin/forgotten": func(k *kit.Kit) *wrongForm {
		return &wrongForm{who: k.Browser(), path: "/admin/forgotten", begins: `action="/admin/forgotten"`, form: url.Values{"login": {" "}}, fields: []string{"login"}}
	},
	"/admin/import": func(k *kit.Kit) *wrongForm {
		k.Import(kit.Sent{Name: "events.csv", File: "Title,Date\nTalk,2031-05-01\n"}) // the next one may find it again
		b := k.Person("administrator")
		b.Get("/admin/import")
		return &wrongForm{who: b, path: "/admin/import", begins: `<h2 id="fetch">`, form: url.Values{"url": {"nowhere"}, "policy": {"none"}, "status": {"gone"}},
			fields: []string{"url", "policy", "status"}, untold: append([]string{"policy"}, chosenWrong...)}
	},
	"/admin/sources": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/sources")
		return &wrongForm{who: b, path: "/admin/sources", begins: kit.NarrowForm, form: url.Values{"name": {""}, "url": {"nowhere"}, "kind": {"ics"}, "every": {"3600"}},
			fields: []string{"name", "url"}, untold: chosenWrong}
	},
	"/admin/sources/#": func(k *kit.Kit) *wrongForm {
		path := fmt.Sprintf("/admin/sources/%d", k.Source(kit.Object{"url": "https://example.org/a.ics", "active": false}))
		b := k.Person("administrator")
		b.Get(path)
		return &wrongForm{who: b, path: path, begins: kit.NarrowForm, form: url.Values{"name": {""}, "url": {"nowhere"}, "kind": {"ics"}, "do": {"save"}},
			fields: []string{"name", "url"}, untold: chosenWrong}
	},
	"/admin/webhooks": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/webhooks")
		return &wrongForm{who: b, path: "/admin/webhooks", begins: kit.NarrowForm, form: url.Values{"url": {"https://10.0.0.1/"}, "events": {"event.exploded"},
			"filter": {"nothing=1"}, "payload": {"fat"}}, fields: []string{"events", "payload"}, untold: append([]string{"payload"}, chosenWrong...)}
	},
	"/admin/webhooks/#": func(k *kit.Kit) *wrongForm {
		id, _ := k.Webhook("https://example.org/hook", nil)
		path := fmt.Sprintf("/admin/webhooks/%d", id)
		b := k.Person("administrator")
		b.Get(path)
		return &wrongForm{who: b, path: path, begins: kit.NarrowForm, form: url.Values{"url": {"https://10.0.0.1/"}, "events": {"*"}, "filter": {"nothing=1"},
			"payload": {"thin"}, "do": {"save"}}, fields: []string{"url", "filter"}, untold: append([]string{"payload"}, chosenWrong...)}
	},
	"/admin/fields": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/fields")
		return &wrongForm{who: b, path: "/admin/fields", begins: kit.NarrowForm, form: url.Values{"label": {kit.Letters(201)}, "kind": {"choice"}, "of": {""},
			"options": {" "}}, fields: []string{"label", "of", "options"}}
	},
	"/admin/fields of no kind": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/fields")
		return &wrongForm{who: b, path: "/admin/fields", begins: kit.NarrowForm, form: url.Values{"label": {""}, "kind": {"essay"}, "of": {"", "planet"}},
			fields: []string{"label", "kind", "of"}, untold: append([]string{"of"}, chosenWrong...)}
	},
	"/admin/fields/edit": func(k *kit.Kit) *wrongForm {
		k.Post("/fields", "administrator", kit.Object{"label": "Stage", "kind": "choice", "options": []kit.Object{{"label": "Garden"}}})
		b := k.Person("administrator")
		b.Get("/admin/fields/edit?key=stage")
		return &wrongForm{who: b, path: "/admin/fields/edit", begins: kit.NarrowForm, form: url.Values{"key": {"stage"}, "label": {""}, "of": {""},
			"hint": {kit.Letters(501)}, "options[0][key]": {"garden"}, "options[0][label]": {""}, "more": {" "}, "do": {"save"}},
			fields: []string{"label", "of", "hint", "options"}, untold: chosenWrong}
	},
	"/admin/fields/edit to filter by": func(k *kit.Kit) *wrongForm {
		k.Post("/fields", "administrator", kit.Object{"label": "Dogs", "kind": "yes_no"})
		b := k.Person("administrator")
		form := b.Fill("/admin/fields/edit?key=dogs", kit.NarrowForm, url.Values{"public": {"0"}, "filter": {"0", "1"}, "do": {"save"}})
		return &wrongForm{who: b, path: "/admin/fields/edit", begins: kit.NarrowForm, form: form, fields: []string{"filter"}, untold: append([]string{"csrf", "public", "filter"}, chosenWrong...)}
	},
	"/admin/welcome": func(k *kit.Kit) *wrongForm {
		link := inSite(invite(k.Person("administrator"), "guest", "author"))
		b := k.Browser()
		return &wrongForm{who: b, path: "/admin/welcome", begins: `action="/admin/welcome"`, form: url.Values{"code": {b.Get(link).Hidden("code")}, "name": {kit.Letters(251)}},
			secret: url.Values{"password": {"pw-77"}, "again": {"and another"}}, fields: []string{"name", "password", "again"}}
	},
	"/admin/events/new": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/events/new")
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: wrongEvent(), fields: fieldsOfEvents, untold: eventUntold,
			says: []string{`name="new_organizer.2.organizer" type="text" dir="auto" value="Nobody"`}}
	},
	"/admin/events/new by the rules alone": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"&#32;"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T09:00"},
			"image": {"999999"}, "post_parent": {"999999"}, "categories": {"999999"}, "venue": {"Nowhere"}, "new_organizer.organizer": {"&#32;"}})
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: form, untold: []string{"categories", "venue", "new_venue.venue", "csrf", "repeat_from", "repeat_on"},
			fields: []string{"title", "end_date", "image", "post_parent", "categories", "venue", "new_organizer.organizer"}}
	},
	"/admin/events/new by its rule": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Recital"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
			"repeat": {"rule"}, "repeat_rule": {"FREQ=HOURLY;COUNT=x"}, "website": {"nowhere"}})
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: form, untold: []string{"csrf"}, fields: []string{"repeat_rule", "website"}}
	},
	"/admin/events/new by its number of dates": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Recital"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
			"repeat": {"day"}, "repeat_end": {"after"}, "repeat_count": {"many"}, "virtual_url": {"nowhere"}})
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: form,
			untold: []string{"csrf", "repeat_from", "repeat_on", "repeat_was"}, fields: []string{"repeat_count", "virtual_url"}}
	},
	"/admin/events/new that never happens": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Recital"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
			"repeat": {"rule"}, "repeat_rule": {"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}})
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: form, untold: []string{"csrf", "repeat_rule", "repeat_from", "repeat_on"}, fields: []string{"recurrence"}}
	},
	"/admin/events/new that ends before it begins": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Recital"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T11:00"},
			"repeat": {"week"}, "repeat_end": {"on"}, "repeat_until": {"2031-04-01"}})
		return &wrongForm{who: b, path: "/admin/events/new", begins: kit.EveryEditor, form: form, untold: []string{"csrf", "repeat_from", "repeat_on", "repeat_was"}, fields: []string{"recurrence"}}
	},
	"/admin/events/#": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		path := "/admin/events/" + fmt.Sprint(k.Event(nil))
		form := b.Fill(path, kit.EveryEditor, wrongEvent())
		form.Del("csrf")
		return &wrongForm{who: b, path: path, begins: kit.EveryEditor, form: form, fields: fieldsOfEvents, untold: eventUntold}
	},
	"/admin/events/#/move": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		id := k.Event(nil)
		b.Get("/admin")
		form := moving(k, id, "never", "soon")
		return &wrongForm{who: b, path: fmt.Sprintf("/admin/events/%d/move", id), begins: `<form class="stack narrow move-form"`, form: form,
			fields: []string{"start_date", "end_date"}}
	},
	"/admin/events/#/row": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/events/%d/row", k.Event(nil))
		form := b.Fill(path, `<form class="row-form"`, url.Values{"title": {" "}, "start_date": {"never"}, "end_date": {"soon"}, "status": {"gone"}})
		form.Del("csrf")
		return &wrongForm{who: b, path: path, begins: `<form class="row-form"`, form: form, fields: []string{"title", "start_date", "end_date", "status"},
			untold: []string{"status"}}
	},
	"/admin/events/#/copy": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		id := k.Event(nil)
		b.Get("/admin")
		return &wrongForm{who: b, path: fmt.Sprintf("/admin/events/%d/copy", id), begins: `<form class="stack narrow"`, form: url.Values{"start_date": {"never"}},
			fields: []string{"start_date"}}
	},
	"/admin/venues/new":     func(k *kit.Kit) *wrongForm { return wrongPlace(k, "venue", "venues", "") },
	"/admin/organizers/new": func(k *kit.Kit) *wrongForm { return wrongPlace(k, "organizer", "organizers", "") },
	"/admin/venues/#": func(k *kit.Kit) *wrongForm {
		return wrongPlace(k, "venue", "venues", madeBy(k, "/venues", map[string]any{"venue": "Here"}))
	},
	"/admin/organizers/#": func(k *kit.Kit) *wrongForm {
		return wrongPlace(k, "organizer", "organizers", madeBy(k, "/organizers", map[string]any{"organizer": "They"}))
	},
	"/admin/categories": func(k *kit.Kit) *wrongForm { return wrongTerm(k, "categories", "", `<form class="stack"`) },
	"/admin/tags":       func(k *kit.Kit) *wrongForm { return wrongTerm(k, "tags", "", `<form class="stack"`) },
	"/admin/categories/#": func(k *kit.Kit) *wrongForm {
		return wrongTerm(k, "categories", madeBy(k, "/categories", map[string]any{"name": "First"}), kit.NarrowForm)
	},
	"/admin/tags/#": func(k *kit.Kit) *wrongForm {
		return wrongTerm(k, "tags", madeBy(k, "/tags", map[string]any{"name": "First"}), kit.NarrowForm)
	},
	"/admin/categories that there is": func(k *kit.Kit) *wrongForm { return takenTerm(k, "categories", `<form class="stack"`, "") },
	"/admin/tags that there is":       func(k *kit.Kit) *wrongForm { return takenTerm(k, "tags", `<form class="stack"`, "") },
	"/admin/categories/# that is another's": func(k *kit.Kit) *wrongForm {
		return takenTerm(k, "categories", kit.NarrowForm, madeBy(k, "/categories", map[string]any{"name": "Second"}))
	},
	"/admin/tags/# that is another's": func(k *kit.Kit) *wrongForm {
		return takenTerm(k, "tags", kit.NarrowForm, madeBy(k, "/tags", map[string]any{"name": "Second"}))
	},
	"/admin/media": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		b.Get("/admin/media")
		return &wrongForm{who: b, path: "/admin/media", begins: "<main", files: map[string][]byte{"one.png": []byte("no picture"), "two.gif": []byte("nor this")},
			says: []string{"one.png", "two.gif"}}
	},
	"/admin/media/#": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		return &wrongForm{who: b, path: kit.InLibrary(k, b), begins: `<form class="stack narrow after"`, form: url.Values{"alt": {kit.Letters(1001)}, "do": {"save"}},
			fields: []string{"alt"}, untold: []string{"do"}}
	},
	"/admin/submissions/#": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/submissions/%d", k.Submitted())
		return &wrongForm{who: b, path: path, begins: kit.RefusalForm, fields: []string{"message"}, untold: []string{"csrf", "do"},
			form: b.Fill(path, kit.RefusalForm, url.Values{"do": {"refuse"}, "message": {kit.Letters(2001)}})}
	},
	"/admin/settings": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := settingsForm(b)
		maps.Copy(form, url.Values{"name": {kit.Letters(1001)}, "timezone": {"Mars/Olympus"}, "language": {"xx"}, "languages": {"", "xx"},
			"week_start": {"9"}, "date_form": {"loose"}, "time_form": {"loose"}, "english": {"old"}, "calendar": {"julian"}, "currency_symbol": {kit.Letters(11)}, "currency_code": {"eu"},
			"currency_position": {"above"}, "per_page": {"99"}, "accent": {"red"}, "theme": {"own"}, "links": {"nowhere"}})
		form.Del("csrf")
		return &wrongForm{who: b, path: "/admin/settings", begins: kit.SettingsForm, form: form, untold: chosenWrong, fields: []string{"name", "timezone", "language",
			"languages", "week_start", "date_form", "time_form", "english", "calendar", "currency_symbol", "currency_code", "currency_position", "per_page", "accent"}}
	},
	"/admin/settings/design": func(k *kit.Kit) *wrongForm {
		return wrongSettings(k, "/admin/settings/design", url.Values{"theme": {"own"}, "links": {"nowhere"}, "footer_links": {"nowhere"}})
	},
	"/admin/settings/seasons": func(k *kit.Kit) *wrongForm {
		return wrongSettings(k, "/admin/settings/seasons", url.Values{"season_2_header": {"nowhere"}, "season_2_lead": {kit.Letters(1001)}})
	},
	"/admin/settings/display": func(k *kit.Kit) *wrongForm {
		return wrongSettings(k, "/admin/settings/display", url.Values{"week_start": {"9"}, "per_page": {"99"}, "map_tiles": {"nowhere"}})
	},
	"/admin/settings/visitors": func(k *kit.Kit) *wrongForm {
		return wrongSettings(k, "/admin/settings/visitors", url.Values{"submission_terms": {kit.Letters(30_000)}})
	},
	"/admin/settings/sharing": func(k *kit.Kit) *wrongForm {
		return wrongSettings(k, "/admin/settings/sharing", url.Values{"share": {"not a slug"}})
	},
	"/admin/settings/texts": func(k *kit.Kit) *wrongForm {
		k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(k.T, 200, "")
		return wrongSettings(k, "/admin/settings/texts", url.Values{"translations.de.links": {"nowhere"}})
	},
	"/admin/users/new": func(k *kit.Kit) *wrongForm { return wrongUser(k, "/admin/users/new", "confirm") },
	"/admin/users/new that are others'": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		form := b.Fill("/admin/users/new", kit.NarrowForm, url.Values{"handle": {"Editor"}, "name": {kit.Letters(251)}, "email": {"AUTHOR@example.org"}})
		form.Del("csrf")
		return &wrongForm{who: b, path: "/admin/users/new", begins: kit.NarrowForm, form: form, secret: url.Values{"confirm": {"not it at all"}},
			fields: []string{"handle", "name", "email", "confirm"}, untold: []string{"do"}}
	},
	"/admin/users/#": func(k *kit.Kit) *wrongForm { return wrongUser(k, userPath(k, "author"), "yours") },
	"/admin/profile of a person": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		b.Get("/admin/profile")
		return &wrongForm{who: b, path: "/admin/profile", begins: `aria-labelledby="person"`, secret: url.Values{"present": {"not it at all"}}, untold: chosenWrong,
			form:   url.Values{"do": {"person"}, "name": {kit.Letters(251)}, "email": {"nobody"}, "language": {"xx"}, "theme": {"loud"}},
			fields: []string{"name", "email", "present", "language", "theme"}}
	},
	"/admin/profile with a password": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		b.Get("/admin/profile")
		return &wrongForm{who: b, path: "/admin/profile", begins: `aria-labelledby="password"`, form: url.Values{"do": {"password"}}, untold: []string{"do"},
			secret: url.Values{"old": {"not it at all"}, "password": {"pw-77"}, "again": {"and another"}}, fields: []string{"old", "password", "again"}}
	},
	"/admin/profile with an app": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		b.Get("/admin/profile")
		return &wrongForm{who: b, path: "/admin/profile", begins: `aria-labelledby="codes"`, untold: []string{"do"},
			form: url.Values{"do": {"codes.begin"}}, secret: url.Values{"codes": {"not it at all"}}, fields: []string{"codes"}}
	},
	"/admin/sign-in": func(k *kit.Kit) *wrongForm {
		b := k.Person("administrator")
		b.Get("/admin/sign-in")
		return &wrongForm{who: b, path: "/admin/sign-in", begins: kit.NarrowForm, untold: []string{"do", "others"},
			form: url.Values{"do": {"save"}, "issuer": {"http://10.0.0.1"}, "client_id": {kit.Letters(501)}, "groups_claim": {kit.Letters(101)},
				"administrator_groups": {kit.Letters(2001)}, "editor_groups": {kit.Letters(2001)}, "author_groups": {kit.Letters(2001)},
				"contributor_groups": {kit.Letters(2001)}, "subscriber_groups": {kit.Letters(2001)}, "others": {"king"}, "passwords": {"0"}},
			secret: url.Values{"confirm": {"not it at all"}, "client_secret": {""}},
			fields: []string{"issuer", "client_id", "client_secret", "groups_claim", "administrator_groups", "editor_groups", "author_groups", "contributor_groups",
				"subscriber_groups", "others", "passwords", "confirm"}}
	},
	"/admin/login/code": func(k *kit.Kit) *wrongForm {
		k.Person("editor").Codes()
		b := k.Browser()
		asked := b.SignIn("editor", kit.AdminPassword).Hidden("asked")
		return &wrongForm{who: b, path: "/admin/login/code", begins: `action="/admin/login/code"`, form: url.Values{"asked": {asked}, "to": {"/admin/venues"}},
			secret: url.Values{"app_code": {"12 34 56"}}, fields: []string{"app_code"}}
	},
	"/admin/profile with a passkey renamed": func(k *kit.Kit) *wrongForm {
		b, key := keyed(k)
		return &wrongForm{who: b, path: "/admin/profile", begins: `data-passkeys`, untold: []string{"do"},
			form: url.Values{"do": {"passkey.rename"}, "passkey": {key}, "passkey_name": {kit.Letters(251)}}, fields: []string{"passkey-" + key}}
	},
	"/admin/profile with a passkey removed": func(k *kit.Kit) *wrongForm {
		b, key := keyed(k)
		return &wrongForm{who: b, path: "/admin/profile", begins: kit.NarrowForm, untold: []string{"do"},
			form: url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}}, secret: url.Values{"confirm": {"not it at all"}}, fields: []string{"confirm"}}
	},
	"/admin/access": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		form := b.Fill("/admin/access", kit.NarrowForm, url.Values{"name": {kit.Letters(201)}, "kind": {"golden"}, "read_only": {"maybe"}})
		form.Del("csrf")
		return &wrongForm{who: b, path: "/admin/access", begins: kit.NarrowForm, form: form, fields: []string{"name", "kind", "read_only"}, untold: chosenWrong}
	},
	"/admin/access by its rule": func(k *kit.Kit) *wrongForm {
		b := k.Person("editor")
		form := b.Fill("/admin/access", kit.NarrowForm, url.Values{"name": {kit.Letters(201)}, "kind": {"application_password"}, "read_only": {"0", "1"}})
		form.Del("csrf")
		return &wrongForm{who: b, path: "/admin/access", begins: kit.NarrowForm, form: form, fields: []string{"name", "read_only"}, untold: []string{"do"}}
	},
	"/admin/sites": func(k *kit.Kit) *wrongForm {
		return &wrongForm{who: k.Browser(), path: "/admin/sites", begins: `<section class="lobby"`, form: url.Values{"email": {"nobody@example.org"}},
			secret: url.Values{"password": {"not it at all"}}, fields: []string{"email"}}
	},
	"/admin/provider/login": func(k *kit.Kit) *wrongForm {
		return &wrongForm{who: k.Browser(), path: "/admin/provider/login", begins: "<main", secret: url.Values{"password": {"kalp_not_it"}}, fields: []string{"password"}}
	},
	"/admin/provider/new": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/new", begins: `action="/admin/provider/new"`, untold: chosenWrong,
			form: url.Values{"name": {kit.Letters(1001)}, "slug": {"A B"}, "timezone": {"Mars/Olympus"}, "language": {"xx"}, "plan": {"none"}, "handle": {"ö"},
				"person": {kit.Letters(251)}, "email": {"nobody"}},
			secret: url.Values{"token": {"not it at all"}}, fields: []string{"name", "slug", "timezone", "language", "plan", "handle", "person", "email", "token"}}
	},
	"/admin/provider/new that is another's": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/new", begins: `action="/admin/provider/new"`, untold: chosenWrong,
			form: url.Values{"name": {"Another"}, "slug": {"demo"}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"none"}, "handle": {"ö"},
				"person": {"A guest"}, "email": {"nobody"}},
			secret: url.Values{"token": {"not it at all"}}, fields: []string{"slug", "plan", "handle", "email", "token"}}
	},
	"/admin/provider/many": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/many", begins: `action="/admin/provider/many"`, untold: chosenWrong,
			form:   url.Values{"list": {""}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"none"}, "do": {"create"}},
			fields: []string{"list", "plan"}}
	},
	"/admin/provider/change": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/change", begins: `action="/admin/provider/change"`, untold: []string{"set", "do"},
			form: url.Values{"id": {"demo"}, "set": {"plan.none"}, "do": {"change"}}, fields: []string{"set"}}
	},
	"/admin/provider/defaults": func(k *kit.Kit) *wrongForm {
		return &wrongForm{who: k.Console(), path: "/admin/provider/defaults", begins: kit.NarrowForm, untold: chosenWrong, fields: []string{"language", "timezone", "currency_code", "plan", "theme"},
			form: url.Values{"language": {""}, "timezone": {"Mars/Olympus"}, "currency_code": {"euro"}, "plan": {"none"}, "theme": {"loud"}}}
	},
	"/admin/provider/sites/:slug": func(k *kit.Kit) *wrongForm {
		return consoleWrong(k, `aria-labelledby="grant"`, url.Values{"do": {"grant"}, "plan": {"none"}, "own_events": {"own"}, "events": {"-1"}, "own_occurrences": {"own"}, "occurrences": {"x"}, "own_users": {"own"},
			"users": {"many"}, "own_media_bytes": {"own"}, "media_bytes": {"-3"}, "own_requests_per_minute": {"own"}, "requests_per_minute": {""}, "geo": {"0"}},
			"plan", "events", "occurrences", "users", "media_bytes", "requests_per_minute")
	},
	"/admin/provider/sites/:slug/support": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		b.Get("/admin/provider/sites/demo/support")
		return &wrongForm{who: b, path: "/admin/provider/sites/demo/support", begins: kit.NarrowForm,
			form: url.Values{"role": {"subscriber"}, "reason": {strings.Repeat("x", 201)}}, fields: []string{"role", "reason"}, untold: []string{"role"}}
	},
	"/admin/provider/sites/:slug/edit": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		b.Get("/admin/provider/sites/demo/edit")
		return &wrongForm{who: b, path: "/admin/provider/sites/demo/edit", begins: kit.NarrowForm, untold: chosenWrong, fields: []string{"name", "slug", "timezone", "language"},
			form: url.Values{"name": {kit.Letters(1001)}, "slug": {"A B"}, "timezone": {"Mars/Olympus"}, "language": {"xx"}}}
	},
	"/admin/provider/sites/:slug with an administrator": func(k *kit.Kit) *wrongForm {
		return consoleWrong(k, `<details open>`, url.Values{"do": {"invite"}, "handle": {"ö"}, "name": {kit.Letters(251)}, "email": {"nobody"}}, "handle", "name", "email", "token")
	},
	"/admin/provider/sites/:slug with an administrator there is": func(k *kit.Kit) *wrongForm {
		return consoleWrong(k, `<details open>`, url.Values{"do": {"invite"}, "handle": {"editor"}, "name": {kit.Letters(251)}, "email": {"editor@example.org"}}, "handle", "name", "email", "token")
	},
	"/admin/provider/sites/:slug with a domain": func(k *kit.Kit) *wrongForm {
		return consoleWrong(k, `aria-labelledby="domains"`, url.Values{"do": {"add"}, "domain": {"no domain"}}, "domain")
	},
	"/admin/provider/sites/:slug deleted": func(k *kit.Kit) *wrongForm {
		return consoleWrong(k, `<form class="notice stack"`, url.Values{"do": {"delete"}, "sure": {"1"}, "grace": {"999"}}, "grace")
	},
	"/admin/provider/plans": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/plans", begins: `<form class="stack"`, fields: []string{"name", "events", "occurrences", "users", "media_bytes", "requests_per_minute"},
			form: url.Values{"name": {"A B"}, "events": {"-1"}, "occurrences": {"-7"}, "users": {"many"}, "media_bytes": {"-2"}, "requests_per_minute": {"0"}}}
	},
	"/admin/provider/plans that there is": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		return &wrongForm{who: b, path: "/admin/provider/plans", begins: `<form class="stack"`, fields: []string{"name", "events"},
			form: url.Values{"name": {"unlimited"}, "events": {"-1"}}}
	},
	"/admin/provider/plans/:slug": func(k *kit.Kit) *wrongForm {
		b := k.Console()
		b.Post("/admin/provider/plans", url.Values{"name": {"medium"}, "events": {"5"}})
		return &wrongForm{who: b, path: "/admin/provider/plans/medium", begins: kit.NarrowForm, untold: []string{"do"}, fields: []string{"events", "occurrences", "users", "media_bytes", "requests_per_minute"},
			form: url.Values{"do": {"save"}, "events": {"-1"}, "occurrences": {"-7"}, "users": {"many"}, "media_bytes": {"-2"}, "requests_per_minute": {"0"}}}
	},
}

func wrongPlace(k *kit.Kit, kind, section, id string) *wrongForm {
	b := k.Person("administrator")
	path := "/admin/" + section + "/new"
	if id != "" {
		path = "/admin/" + section + "/" + id
	}
	wrong := url.Values{kind: {" "}, "phone": {kit.Letters(1001)}, "website": {"nowhere"}, "status": {"gone"}, "date": {"never"}, "author": {"999999"},
		"slug": {kit.Letters(201)}, "image": {"ftp://example.org/x"}, "description": {kit.Letters(262145)}, "excerpt": {kit.Letters(262145)}}
	if kind == "organizer" {
		wrong.Set("email", "nobody")
	} else {
		for name, value := range map[string]string{"address": kit.Letters(1001), "zip": kit.Letters(1001), "city": kit.Letters(1001), "country": kit.Letters(1001), "geo_lat": "91", "geo_lng": "east", "show_map": "maybe", "show_map_link": "maybe"} {
			wrong.Set(name, value)
		}
	}
	fields := make([]string, 0, len(wrong))
	for name := range wrong {
		if !strings.HasPrefix(name, "show_map") { // nothing is neither true nor false to them
			fields = append(fields, name)
		}
	}
	form := b.Fill(path, kit.EveryEditor, wrong)
	untold := append([]string{"show_map", "show_map_link"}, chosenWrong...)
	if kind != "organizer" { // the field for the region becomes that for the province, with its problem
		form.Set("region", kit.Letters(1001))
		fields, untold = append(fields, "province"), append(untold, "region", "province")
	}
	form.Del("csrf")
	return &wrongForm{who: b, path: path, begins: kit.EveryEditor, form: form, fields: fields, untold: untold}
}

func wrongTerm(k *kit.Kit, section, id, begins string) *wrongForm {
	b := k.Person("editor")
	path := strings.TrimSuffix("/admin/"+section+"/"+id, "/")
	wrong := url.Values{"name": {"<b></b>"}, "slug": {kit.Letters(201)}, "description": {kit.Letters(262145)}}
	fields := []string{"name", "slug", "description"}
	if section == "categories" {
		wrong["parent"], wrong["color"], wrong["color_none"] = []string{"999999"}, []string{"red"}, []string{"0"}
		fields = append(fields, "parent", "color")
	}
	form := b.Fill(path, begins, wrong)
	form.Del("csrf")
	return &wrongForm{who: b, path: path, begins: begins, form: form, fields: fields, untold: chosenWrong}
}

// takenTerm is the form of a term with a taken name, or for an existing term a taken slug, and invalid values
// elsewhere.
func takenTerm(k *kit.Kit, section, begins, id string) *wrongForm {
	b := k.Person("editor")
	madeBy(k, "/"+section, map[string]any{"name": "First"})
	path := strings.TrimSuffix("/admin/"+section+"/"+id, "/")
	wrong, taken := url.Values{"name": {"FIRST"}, "description": {kit.Letters(262145)}}, "name"
	if id != "" {
		wrong, taken = url.Values{"name": {"FIRST"}, "slug": {"First!"}, "description": {kit.Letters(262145)}}, "slug"
	}
	fields := []string{taken, "description"}
	if section == "categories" {
		wrong["color"], wrong["color_none"] = []string{"red"}, []string{"0"}
		fields = append(fields, "color")
	}
	if section == "categories" && id != "" {
		wrong["parent"] = []string{madeBy(k, "/categories", map[string]any{"name": "Child", "parent": id})}
		fields = append(fields, "parent")
	}
	form := b.Fill(path, begins, wrong)
	form.Del("csrf")
	return &wrongForm{who: b, path: path, begins: begins, form: form, fields: fields, untold: chosenWrong}
}

func wrongUser(k *kit.Kit, path, password string) *wrongForm {
	b := k.Person("administrator")
	form := b.Fill(path, kit.NarrowForm, url.Values{"handle": {"ö ö"}, "name": {kit.Letters(251)}, "email": {"nobody"}, "role": {"king"}})
	form.Del("csrf")
	return &wrongForm{who: b, path: path, begins: kit.NarrowForm, form: form, secret: url.Values{password: {"not it at all"}},
		fields: []string{"handle", "name", "email", "role", password}, untold: chosenWrong}
}

func consoleWrong(k *kit.Kit, begins string, form url.Values, fields ...string) *wrongForm {
	b := k.Console()
	b.Get("/admin/provider/sites/demo")
	return &wrongForm{who: b, path: "/admin/provider/sites/demo", begins: begins, form: form, fields: fields, untold: append([]string{"sure"}, chosenWrong...)}
}

// wrongSettings is a page of the settings with values of its own that are wrong.
func wrongSettings(k *kit.Kit, path string, wrong url.Values) *wrongForm {
	b := k.Person("administrator")
	form := b.Fill(path, kit.SettingsForm, wrong)
	form.Del("csrf")
	return &wrongForm{who: b, path: path, begins: kit.SettingsForm, form: form, untold: chosenWrong, fields: slices.Sorted(maps.Keys(wrong))}
}
