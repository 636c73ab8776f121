package admin

import (
	"fmt"
	"net/url"
	"time"

	"github.com/kalends/kalends/test/kit"
)

// lateForms are the forms of the administration: the path of the route, and
// which form of it that is.
var lateForms = map[string]func(k *kit.Kit) *filled{
	"/admin/login": func(k *kit.Kit) *filled {
		k.Password("editor")
		b := k.Browser()
		b.Get("/admin/login")
		return &filled{who: b, path: "/admin/login", form: url.Values{"login": {"editor"}, "to": {"/admin/venues"}},
			secret: url.Values{"password": {kit.AdminPassword}}, typed: []string{`value="editor"`}}
	},
	"/admin/login/passkey": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		d := kit.NewDevice(k, "localhost")
		b.Register(d)
		other := k.Browser()
		return &filled{who: other, path: "/admin/login/passkey", form: url.Values{"to": {"/admin/venues"}},
			credential: d.Signed(k, other.Question()), device: true, means: 422}
	},
	"/admin/login/code": func(k *kit.Kit) *filled {
		a := k.Person("editor").Codes()
		k.Tries = k.Tries.Add(30 * time.Second)
		b := k.Browser()
		asked := b.SignIn("editor", kit.AdminPassword).Hidden("asked")
		return &filled{who: b, path: "/admin/login/code", form: url.Values{"asked": {asked}, "to": {"/admin/venues"}},
			secret: url.Values{"app_code": {a.Code(k.Tries)}}, means: 422} // a code is good once, and was read before the session was stored
	},
	"/admin/sign-in": func(k *kit.Kit) *filled {
		b, i := k.Person("administrator"), kit.NewIssuer(k)
		k.AskAt(i.Host)
		b.Get("/admin/sign-in")
		return &filled{who: b, path: "/admin/sign-in", form: url.Values{"do": {"save"}, "issuer": {i.URL}, "client_id": {"the client"}, "passwords": {"1"}},
			secret: url.Values{"client_secret": {"the secret of the client"}, "confirm": {kit.AdminPassword}}, typed: []string{i.URL, "the client"},
			makes: map[string]int{"sign_in_providers": 1}}
	},
	"/admin/forgotten": func(k *kit.Kit) *filled {
		b := k.Browser()
		return &filled{who: b, path: "/admin/forgotten", form: url.Values{"login": {"editor"}}, typed: []string{`value="editor"`}, means: 200}
	},
	"/admin/welcome": func(k *kit.Kit) *filled {
		link := inSite(invite(k.Person("administrator"), "guest", "author"))
		b := k.Browser()
		code := b.Get(link).Hidden("code")
		return &filled{who: b, path: "/admin/welcome", form: url.Values{"code": {code}, "name": {"A guest"}},
			secret: url.Values{"password": {"a new long password"}, "again": {"a new long password"}}, typed: []string{"A guest"},
			makes: map[string]int{"vouchers": -1}, done: `SELECT name = 'A guest' FROM users WHERE login = 'guest'`, over: true}
	},
	"/admin/events/new": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		typed := everyField(k)
		typed.Set("once", b.Get("/admin/events/new").Hidden("once"))
		typed.Del("post_password")
		return &filled{who: b, path: "/admin/events/new", form: typed, typed: []string{"Recital & more", "Town Hall", "choir@example.org", "<p>Two</p>", "organ, 2026", "Front"},
			makes: map[string]int{"events": 1, "venues": 1, "organizers": 1, "terms": 2, "event_venues": 1, "event_organizers": 1, "event_terms": 3, "occurrences": 6}}
	},
	"/admin/events/new with a picture": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		form := b.Fill("/admin/events/new", kit.EveryEditor, url.Values{"title": {"Exhibition"}, "start_date": {"2031-05-01T10:00"}, "end_date": {"2031-05-01T12:00"}})
		return &filled{who: b, path: "/admin/events/new", form: form, files: map[string][]byte{"image_file": kit.Stripes(k)}, typed: []string{"Exhibition"},
			makes: map[string]int{"events": 1, "images": 1, "occurrences": 1}, steps: true}
	},
	"/admin/events/#": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := "/admin/events/" + fmt.Sprint(k.Event(nil))
		return &filled{who: b, path: path, form: b.Fill(path, kit.EveryEditor, url.Values{"title": {"Another name"}, "new_venue.venue": {"Barn"}}),
			typed: []string{"Another name", "Barn"}, makes: map[string]int{"venues": 1, "event_venues": 1}, done: `SELECT title = 'Another name' FROM events`}
	},
	"/admin/events/#/move": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := k.Event(nil)
		b.Get("/admin")
		return &filled{who: b, path: fmt.Sprintf("/admin/events/%d/move", id), form: moving(k, id, "2030-04-02T10:00", ""),
			typed: []string{"2030-04-02T10:00"}, done: `SELECT start_local = '2030-04-02 10:00' FROM events`}
	},
	"/admin/events/#/row": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/events/%d/row", k.Event(nil))
		return &filled{who: b, path: path, form: b.Fill(path, `<form class="row-form"`, url.Values{"title": {"Otherwise"}}), typed: []string{"Otherwise"},
			done: `SELECT title = 'Otherwise' FROM events`}
	},
	"/admin/events/#/remove": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/events/%v", kit.Happens(k, kit.Weekly(k, nil), "")[1]["id"])
		return &filled{who: b, path: path + "/remove", form: b.Fill(path, `<form id="remove"`, url.Values{"do": {"remove"}, "applies_to": {"this"}}), gone: true,
			makes: map[string]int{"occurrences": -1, "removed_occurrences": 1}}
	},
	"/admin/events/undo": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/events/%d", k.Event(kit.Object{"title": "As it was"}))
		b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Otherwise"}}))
		b.Follow()
		where, form := kit.Undoing(b)
		return &filled{who: b, path: where, form: form, gone: true, done: `SELECT title = 'As it was' FROM events`}
	},
	"/admin/events/quick": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin")
		return &filled{who: b, path: "/admin/events/quick", form: url.Values{"text": {"Tea tomorrow 14:00"}, "once": {"QUICK"}}, typed: []string{"Tea tomorrow 14:00"},
			makes: map[string]int{"events": 1, "occurrences": 1}}
	},
	"/admin/events/#/copy": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := k.Event(nil)
		b.Get("/admin")
		return &filled{who: b, path: fmt.Sprintf("/admin/events/%d/copy", id), form: url.Values{"start_date": {"2030-04-02T10:00"}, "once": {"COPY"}, "do": {"draft"}},
			typed: []string{"2030-04-02T10:00"}, makes: map[string]int{"events": 1, "occurrences": 1}}
	},
	"/admin/events/#/preview": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := k.Event(map[string]any{"status": "draft"})
		path := fmt.Sprintf("/admin/events/%d", id)
		b.Get(path)
		return &filled{who: b, path: path + "/preview", form: url.Values{"do": {"make"}}, gone: true, makes: map[string]int{"previews": 1}}
	},
	"/admin/events/#/source": func(k *kit.Kit) *filled {
		feed := k.Outlet(oneOf("Theirs"))
		k.Source(kit.Object{"url": feed.URL})
		k.ReadSources()
		b := k.Person("editor")
		path := "/admin/events/" + k.Peek("demo", `SELECT id::text FROM events`)
		b.Post(path, b.Fill(path, kit.EveryEditor, url.Values{"title": {"Ours"}}))
		b.Get(path)
		return &filled{who: b, path: path + "/source", form: url.Values{"field": {"title"}}, gone: true, done: `SELECT title = 'Theirs' FROM events`}
	},
	"/admin/events/# of a series": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		twelve := kit.Weekly(k, kit.Object{"recurrence": kit.Object{"rrule": "FREQ=WEEKLY;BYDAY=TH;COUNT=12"}})
		path := fmt.Sprintf("/admin/events/%v", kit.Happens(k, twelve, "")[1]["id"])
		return &filled{who: b, path: path, form: b.Fill(path, kit.EveryEditor, url.Values{"title": {"Carols"}, "applies_to": {"following"}}), typed: []string{"Carols"},
			makes: map[string]int{"events": 1, "divided_series": 1}, done: `SELECT count(*) = 1 FROM events WHERE title = 'Carols'`}
	},
	"/admin/events of many": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/events")
		ids := []string{fmt.Sprint(k.Event(nil)), fmt.Sprint(k.Event(nil)), fmt.Sprint(k.Event(nil))}
		return &filled{who: b, path: "/admin/events", form: url.Values{"seen": {kit.AllSeen}, "do": {"draft"}, "sure": {"1"}, "id": ids, "to": {"/admin/events?page=1"}}, steps: true,
			done: `SELECT count(*) = 3 FROM events WHERE status = 'draft'`}
	},
	"/admin/events deleted": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/trash")
		ids := []string{fmt.Sprint(k.Event(nil)), fmt.Sprint(k.Event(nil))}
		return &filled{who: b, path: "/admin/events", form: url.Values{"do": {"delete"}, "sure": {"1"}, "seen": {kit.AllSeen}, "id": ids, "to": {"/admin/trash"}}, steps: true,
			makes: map[string]int{"events": -2, "occurrences": -2}}
	},
	"/admin/events/#/revisions": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := k.Event(map[string]any{"title": "First"})
		made := k.Version("demo")
		k.Patch(fmt.Sprintf("/events/%d", id), "editor", map[string]any{"title": "Second"})
		path := fmt.Sprintf("/admin/events/%d/revisions", id)
		b.Get(path)
		return &filled{who: b, path: path, form: url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}},
			done: `SELECT title = 'First' FROM events`}
	},
	"/admin/venues/#/revisions":     func(k *kit.Kit) *filled { return revisedPlace(k, "venue", "venues") },
	"/admin/organizers/#/revisions": func(k *kit.Kit) *filled { return revisedPlace(k, "organizer", "organizers") },
	"/admin/venues/new":             func(k *kit.Kit) *filled { return newPlace(k, "venue", "venues") },
	"/admin/organizers/new":         func(k *kit.Kit) *filled { return newPlace(k, "organizer", "organizers") },
	"/admin/venues/#":               func(k *kit.Kit) *filled { return changedPlace(k, "venue", "venues") },
	"/admin/organizers/#":           func(k *kit.Kit) *filled { return changedPlace(k, "organizer", "organizers") },
	"/admin/venues":                 func(k *kit.Kit) *filled { return manyPlaces(k, "venue", "venues") },
	"/admin/organizers":             func(k *kit.Kit) *filled { return manyPlaces(k, "organizer", "organizers") },
	"/admin/venues/merge":           func(k *kit.Kit) *filled { return merged(k, "venue", "venues", "venues") },
	"/admin/organizers/merge":       func(k *kit.Kit) *filled { return merged(k, "organizer", "organizers", "organizers") },
	"/admin/venues/twins":           func(k *kit.Kit) *filled { return toldApart(k, "venue", "venues") },
	"/admin/organizers/twins":       func(k *kit.Kit) *filled { return toldApart(k, "organizer", "organizers") },
	"/admin/categories/merge":       func(k *kit.Kit) *filled { return merged(k, "name", "categories", "terms") },
	"/admin/tags/merge":             func(k *kit.Kit) *filled { return merged(k, "name", "tags", "terms") },
	"/admin/categories":             func(k *kit.Kit) *filled { return newTerm(k, "categories") },
	"/admin/tags":                   func(k *kit.Kit) *filled { return newTerm(k, "tags") },
	"/admin/categories/#":           func(k *kit.Kit) *filled { return changedTerm(k, "categories") },
	"/admin/tags/#":                 func(k *kit.Kit) *filled { return changedTerm(k, "tags") },
	"/admin/categories moved": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/categories")
		ids := []string{madeBy(k, "/categories", map[string]any{"name": "Choir"}), madeBy(k, "/categories", map[string]any{"name": "Organ"})}
		top := madeBy(k, "/categories", map[string]any{"name": "Music"})
		return &filled{who: b, path: "/admin/categories", form: url.Values{"seen": {kit.AllSeen}, "do": {"move"}, "id": ids, "below": {top}}, steps: true,
			done: `SELECT count(*) = 2 FROM terms WHERE parent_id = ` + top}
	},
	"/admin/media": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/media")
		return &filled{who: b, path: "/admin/media", form: url.Values{}, files: map[string][]byte{"files": kit.Stripes(k)}, makes: map[string]int{"images": 1}}
	},
	"/admin/media/#": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := kit.InLibrary(k, b)
		return &filled{who: b, path: path, form: url.Values{"alt": {"Stripes in a row"}, "do": {"save"}}, typed: []string{"Stripes in a row"},
			done: `SELECT alt = 'Stripes in a row' FROM images`}
	},
	"/admin/media/# deleted": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		return &filled{who: b, path: kit.InLibrary(k, b), form: url.Values{"sure": {"1"}, "do": {"delete"}}, makes: map[string]int{"images": -1}, gone: true}
	},
	"/admin/submissions/#": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		path := fmt.Sprintf("/admin/submissions/%d", k.Submitted())
		return &filled{who: b, path: path, form: b.Fill(path, kit.RefusalForm, url.Values{"do": {"refuse"}, "message": {"Too far away"}}),
			typed: []string{"Too far away"}, done: `SELECT bool_or(status = 'trash') FROM events`}
	},
	"/admin/submissions/mistakes": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/submissions/mistakes")
		return &filled{who: b, path: "/admin/submissions/mistakes", form: url.Values{"report": {k.Reported()}, "do": {"correct"}}, makes: map[string]int{"reports": -1}}
	},
	"/admin/settings": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		return &filled{who: b, path: "/admin/settings", form: b.Fill("/admin/settings", kit.SettingsForm, url.Values{"name": {"The other name"}, "currency_symbol": {"kr"}}),
			typed: []string{"The other name"}, done: `SELECT name = 'The other name' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/settings/design":   lateSettings("/admin/settings/design", "links", "Home | https://example.org/home", `links = 'Home | https://example.org/home'`),
	"/admin/settings/seasons":  lateSettings("/admin/settings/seasons", "season_1_lead", "Lights and songs", `seasons::text LIKE '%Lights and songs%'`, "season_1_from_month", "12", "season_1_from_day", "01", "season_1_until_month", "12", "season_1_until_day", "24"),
	"/admin/settings/display":  lateSettings("/admin/settings/display", "map_credit", "Makers of maps | https://example.org/", `map_credit LIKE '%Makers of maps%'`),
	"/admin/settings/visitors": lateSettings("/admin/settings/visitors", "submission_terms", "Be kind.", `submission_terms = 'Be kind.'`),
	"/admin/settings/sharing":  lateSettings("/admin/settings/sharing", "share", "lakeside", `share::text LIKE '%lakeside%'`),
	"/admin/settings/texts":    lateSettings("/admin/settings/texts", "translations.de.name", "Der See", `COALESCE(translations::text, '') LIKE '%Der See%'`),
	"/admin/users/new": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		form := b.Fill("/admin/users/new", kit.NarrowForm, url.Values{"handle": {"guest"}, "name": {"A guest"}, "email": {"guest@example.org"}, "role": {"author"}})
		form.Del("confirm")
		form.Del("credential")
		return &filled{who: b, path: "/admin/users/new", form: form, secret: url.Values{"confirm": {kit.AdminPassword}}, typed: []string{"A guest", "guest@example.org"}, means: 200,
			makes: map[string]int{"users": 1, "user_addresses": 1, "vouchers": 1}, steps: true}
	},
	"/admin/users/#": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		path := userPath(k, "author")
		form := b.Fill(path, kit.NarrowForm, url.Values{"name": {"Another name"}, "role": {"editor"}})
		form.Del("yours")
		form.Del("credential")
		return &filled{who: b, path: path, form: form, secret: url.Values{"yours": {kit.AdminPassword}}, typed: []string{"Another name"},
			done: `SELECT name = 'Another name' AND role = 'editor' FROM users WHERE login = 'author'`}
	},
	"/admin/users/# deleted": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		path := userPath(k, "author")
		b.Get(path)
		return &filled{who: b, path: path, form: url.Values{"do": {"delete"}, "sure": {"1"}}, makes: map[string]int{"users": -1, "user_addresses": -1, "credentials": -1}, gone: true}
	},
	"/admin/users/# invited": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		path := userPath(k, "author")
		b.Get(path)
		return &filled{who: b, path: path, form: url.Values{"do": {"voucher"}}, secret: url.Values{"confirm": {kit.AdminPassword}}, makes: map[string]int{"vouchers": 1}, means: 200}
	},
	"/admin/profile of a person": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/profile")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"person"}, "name": {"E. Ditor"}, "email": {"other@example.org"}, "language": {"de"}, "theme": {"dark"}},
			secret: url.Values{"present": {kit.AdminPassword}}, typed: []string{"E. Ditor", "other@example.org"},
			done: `SELECT name = 'E. Ditor' AND email = 'other@example.org' FROM users WHERE login = 'editor'`}
	},
	"/admin/profile with a password": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/profile")
		old := k.Peek("demo", "SELECT password_hash FROM users WHERE login = 'editor'")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"password"}},
			secret: url.Values{"old": {kit.AdminPassword}, "password": {"a new long password"}, "again": {"a new long password"}},
			done:   `SELECT password_hash <> '` + old + `' FROM users WHERE login = 'editor'`, ends: true}
	},
	"/admin/profile with a passkey": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		d := kit.NewDevice(k, "localhost")
		b.Get("/admin/profile")
		question := b.Post("/admin/profile/passkey", url.Values{"confirm": {kit.AdminPassword}})
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey"}, "passkey_name": {"My phone"}}, credential: d.Made(k, question.Body),
			device: true, typed: []string{"My phone"}, means: 200}
	},
	"/admin/profile with a passkey renamed": func(k *kit.Kit) *filled {
		b, key := keyed(k)
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey.rename"}, "passkey": {key}, "passkey_name": {"My phone"}},
			typed: []string{"My phone"}, done: `SELECT name = 'My phone' FROM passkeys`}
	},
	"/admin/profile with a passkey removed": func(k *kit.Kit) *filled {
		b, key := keyed(k)
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"passkey.remove"}, "passkey": {key}, "sure": {"1"}},
			secret: url.Values{"confirm": {kit.AdminPassword}}, makes: map[string]int{"passkeys": -1}}
	},
	"/admin/profile with an app": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Get("/admin/profile")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"codes.begin"}}, secret: url.Values{"codes": {kit.AdminPassword}}, means: 200}
	},
	"/admin/profile with the code of an app": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		k.Tries = time.Now()
		b.Get("/admin/profile")
		p := b.Post("/admin/profile", url.Values{"do": {"codes.begin"}, "codes": {kit.AdminPassword}})
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"codes.confirm"}, "setup": {p.Hidden("setup")}},
			secret: url.Values{"app_code": {kit.NewApp(k, p).Code(k.Tries)}}, makes: map[string]int{"second_factors": 1}, means: 200, used: true}
	},
	"/admin/profile without an app": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		b.Codes()
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"codes.off"}}, secret: url.Values{"codes": {kit.AdminPassword}},
			makes: map[string]int{"second_factors": -1}}
	},
	"/admin/profile and the other sessions": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		k.Browser().SignIn("editor", kit.AdminPassword)
		b.Get("/admin/profile")
		return &filled{who: b, path: "/admin/profile", form: url.Values{"do": {"others"}}, done: `SELECT count(*) = 1 FROM sessions`}
	},
	"/admin/access": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		form := b.Fill("/admin/access", kit.NarrowForm, url.Values{"name": {"My laptop"}, "kind": {"api_key"}})
		form.Del("present")
		form.Del("credential")
		return &filled{who: b, path: "/admin/access", form: form, secret: url.Values{"present": {kit.AdminPassword}}, typed: []string{"My laptop"}, makes: map[string]int{"credentials": 1}, means: 200, seen: true}
	},
	"/admin/access revoked": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := b.Get("/admin/access").Hidden("id")
		return &filled{who: b, path: "/admin/access", form: url.Values{"do": {"revoke"}, "id": {id}}, makes: map[string]int{"credentials": -1}}
	},
	"/admin/import/# cancelled": func(k *kit.Kit) *filled {
		b := k.Person("editor")
		id := k.Post("/imports", "editor", kit.Object{"url": "https://example.org/a.ics"}).ID()
		b.Get(fmt.Sprint("/admin/import/", id))
		return &filled{who: b, path: fmt.Sprint("/admin/import/", id), form: url.Values{"do": {"cancel"}}, done: `SELECT state = 'cancelled' FROM imports`}
	},
	"/admin/sources": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		form := b.Fill("/admin/sources", kit.NarrowForm, url.Values{"name": {"Club"}, "url": {"https://example.org/a.ics"}})
		form.Del("password")
		return &filled{who: b, path: "/admin/sources", form: form, typed: []string{"https://example.org/a.ics"}, makes: map[string]int{"sources": 1}}
	},
	"/admin/sources/#": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		path := fmt.Sprint("/admin/sources/", k.Source(kit.Object{"url": "https://example.org/a.ics", "active": false}))
		form := b.Fill(path, kit.NarrowForm, url.Values{"name": {"Choir"}, "do": {"save"}})
		form.Del("password")
		return &filled{who: b, path: path, form: form, typed: []string{"Choir"}, done: `SELECT name = 'Choir' FROM sources`}
	},
	"/admin/webhooks": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		form := b.Fill("/admin/webhooks", kit.NarrowForm, url.Values{"url": {"https://example.org/hook"}})
		return &filled{who: b, path: "/admin/webhooks", form: form, typed: []string{"https://example.org/hook"}, makes: map[string]int{"webhooks": 1}, means: 200, seen: true}
	},
	"/admin/webhooks/#": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		id, _ := k.Webhook("https://example.org/hook", nil)
		path := fmt.Sprint("/admin/webhooks/", id)
		form := b.Fill(path, kit.NarrowForm, url.Values{"url": {"https://example.org/other"}, "do": {"save"}})
		return &filled{who: b, path: path, form: form, typed: []string{"https://example.org/other"}, done: `SELECT url = 'https://example.org/other' FROM webhooks`}
	},
	"/admin/fields": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		form := b.Fill("/admin/fields", kit.NarrowForm, url.Values{"label": {"Main stage"}})
		return &filled{who: b, path: "/admin/fields", form: form, typed: []string{"Main stage"}, done: `SELECT jsonb_array_length(fields) = 1 FROM sites WHERE slug = 'demo'`}
	},
	"/admin/fields/edit": func(k *kit.Kit) *filled {
		k.Post("/fields", "administrator", kit.Object{"label": "Stage", "kind": "text"})
		b := k.Person("administrator")
		form := b.Fill("/admin/fields/edit?key=stage", kit.NarrowForm, url.Values{"label": {"Main stage"}, "do": {"save"}})
		return &filled{who: b, path: "/admin/fields/edit", form: form, typed: []string{"Main stage"},
			done: `SELECT fields #>> '{0,texts,en,label}' = 'Main stage' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/fields/move": func(k *kit.Kit) *filled {
		for _, label := range []string{"One", "Two", "Three"} {
			k.Post("/fields", "administrator", kit.Object{"label": label, "kind": "text"})
		}
		b := k.Person("administrator")
		b.Get("/admin/fields")
		return &filled{who: b, path: "/admin/fields/move", form: url.Values{"key": {"three"}, "position": {"2"}},
			done: `SELECT fields #>> '{1,key}' = 'three' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/keys": func(k *kit.Kit) *filled {
		b := k.Person("administrator")
		id := b.Get("/admin/keys?search=author").Hidden("id")
		return &filled{who: b, path: "/admin/keys", form: url.Values{"do": {"revoke"}, "id": {id}, "to": {"/admin/keys"}}, makes: map[string]int{"credentials": -1}}
	},
	"/admin/provider/login": func(k *kit.Kit) *filled {
		return &filled{who: k.Browser(), path: "/admin/provider/login", form: url.Values{}, secret: url.Values{"password": {kit.ProviderToken}}}
	},
	"/admin/sites": func(k *kit.Kit) *filled {
		doors(k)
		return &filled{who: k.Browser(), path: "/admin/sites", form: url.Values{"email": {"editor@example.org"}}, secret: url.Values{"password": {kit.AdminPassword}},
			typed: []string{"editor@example.org"}, means: 200}
	},
	"/admin/sites/go": func(k *kit.Kit) *filled {
		b, pass := doors(k)
		return &filled{who: b, path: "/admin/sites/go", form: url.Values{"site": {"two"}, "pass": {pass}}, means: 200, used: true}
	},
	"/admin/arrive": func(k *kit.Kit) *filled {
		b, pass := doors(k)
		b.Choose("two", pass)
		b = k.Browser()
		b.Host = "two.localhost"
		return &filled{who: b, path: "/admin/arrive", form: url.Values{"pass": {pass}}, used: true}
	},
	"/admin/support": func(k *kit.Kit) *filled {
		k.Site("two")
		pass := supported(k, "two")
		b := k.Browser()
		b.Host = "two.localhost"
		return &filled{who: b, path: "/admin/support", form: url.Values{"pass": {pass}}, used: true}
	},
	"/admin/provider/sites/:slug/support": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/sites/demo/support")
		return &filled{who: b, path: "/admin/provider/sites/demo/support", form: url.Values{"role": {"editor"}, "reason": {"Ticket 7"}}, typed: []string{"Ticket 7"}, means: 200}
	},
	"/admin/provider/new": func(k *kit.Kit) *filled {
		b := k.Console()
		return &filled{who: b, path: "/admin/provider/new", typed: []string{"A fresh one", "guest@example.org"}, means: 200, seen: true,
			form: url.Values{"name": {"A fresh one"}, "slug": {"fresh"}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"unlimited"}, "handle": {"guest"},
				"person": {"A guest"}, "email": {"guest@example.org"}}, secret: url.Values{"token": {kit.ProviderToken}},
			done: `SELECT EXISTS (SELECT FROM sites WHERE slug = 'fresh')`}
	},
	"/admin/provider/many": func(k *kit.Kit) *filled {
		b := k.Console()
		return &filled{who: b, path: "/admin/provider/many", typed: []string{"A fresh one"}, means: 200, seen: true,
			form:   url.Values{"list": {"A fresh one; fresh; guest@example.org"}, "timezone": {"UTC"}, "language": {"en"}, "plan": {"unlimited"}, "do": {"create"}},
			secret: url.Values{"token": {kit.ProviderToken}}, done: `SELECT EXISTS (SELECT FROM sites WHERE slug = 'fresh')`}
	},
	"/admin/provider/change": func(k *kit.Kit) *filled {
		b := k.Console()
		return &filled{who: b, path: "/admin/provider/change", means: 200, form: url.Values{"id": {"demo"}, "set": {"suspend"}, "do": {"change"}},
			done: `SELECT state = 'read_only' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/provider/defaults": func(k *kit.Kit) *filled {
		b := k.Console()
		return &filled{who: b, path: "/admin/provider/defaults", typed: []string{"EUR"},
			form: url.Values{"language": {"de"}, "timezone": {"Europe/Berlin"}, "currency_code": {"EUR"}, "plan": {"unlimited"}, "theme": {"poster"}},
			done: `SELECT EXISTS (SELECT FROM installation WHERE new_sites ->> 'language' = 'de')`}
	},
	"/admin/provider/sites/:slug/copies": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/sites/demo/copies")
		return &filled{who: b, path: "/admin/provider/sites/demo/copies", form: url.Values{"do": {"archive"}, "sure": {"1"}}, steps: true,
			done: `SELECT EXISTS (SELECT FROM jobs WHERE kind = 'export')`}
	},
	"/admin/provider/plans": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/plans")
		return &filled{who: b, path: "/admin/provider/plans", form: url.Values{"name": {"small"}, "events": {"7"}, "media_bytes": {"1.5"}, "geo": {"0", "1"}},
			typed: []string{"small"}, done: `SELECT EXISTS (SELECT FROM plans WHERE name = 'small' AND max_events = 7)`}
	},
	"/admin/provider/sites/:slug": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/sites/demo")
		return &filled{who: b, path: "/admin/provider/sites/demo", form: url.Values{"do": {"suspend"}, "sure": {"1"}},
			done: `SELECT state = 'read_only' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/provider/sites/:slug/edit": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/sites/demo/edit")
		return &filled{who: b, path: "/admin/provider/sites/demo/edit", typed: []string{"Renamed"},
			form: url.Values{"name": {"Renamed"}, "slug": {"demo"}, "timezone": {"Asia/Tokyo"}, "language": {"ja"}},
			done: `SELECT name = 'Renamed' AND timezone = 'Asia/Tokyo' AND language = 'ja' FROM sites WHERE slug = 'demo'`}
	},
	"/admin/provider/plans/:slug": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Post("/admin/provider/plans", url.Values{"name": {"medium"}, "events": {"5"}})
		b.Get("/admin/provider/plans/medium")
		return &filled{who: b, path: "/admin/provider/plans/medium", form: url.Values{"do": {"save"}, "events": {"7"}},
			typed: []string{`value="7"`}, done: "SELECT EXISTS (SELECT FROM plans WHERE name = 'medium' AND max_events = 7)"}
	},
	"/admin/provider/sites/:slug with a domain": func(k *kit.Kit) *filled {
		b := k.Console()
		b.Get("/admin/provider/sites/demo")
		return &filled{who: b, path: "/admin/provider/sites/demo", form: url.Values{"do": {"add"}, "domain": {"calendar.example.org"}},
			typed: []string{"calendar.example.org"}, makes: map[string]int{"domain_claims": 1}}
	},
}

// doors is somebody in the lobby who can go to two sites, and the pass to "two".
func doors(k *kit.Kit) (*kit.Browser, string) {
	k.Site("two")
	k.PasswordOn("demo", "editor")
	k.PasswordOn("two", "editor")
	b := k.InLobby("editor@example.org")
	return b, b.Page.Pass("two")
}

func revisedPlace(k *kit.Kit, kind, section string) *filled {
	b := k.Person("editor")
	id := madeBy(k, "/"+section, map[string]any{kind: "First"})
	made := k.Version("demo")
	k.Patch("/"+section+"/"+id, "editor", map[string]any{kind: "Second"})
	path := "/admin/" + section + "/" + id + "/revisions"
	b.Get(path)
	return &filled{who: b, path: path, form: url.Values{"version": {fmt.Sprint(made)}, "expected": {fmt.Sprint(made + 1)}},
		done: `SELECT name = 'First' FROM ` + section}
}

func newPlace(k *kit.Kit, kind, section string) *filled {
	b := k.Person("editor")
	path := "/admin/" + section + "/new"
	form := b.Fill(path, kit.EveryEditor, url.Values{kind: {"Somewhere"}, "phone": {"+49 30 1"}, "description": {"<p>About</p>"}})
	return &filled{who: b, path: path, form: form, typed: []string{"Somewhere", "+49 30 1", "<p>About</p>"}, makes: map[string]int{section: 1}}
}

func changedPlace(k *kit.Kit, kind, section string) *filled {
	b := k.Person("editor")
	path := "/admin/" + section + "/" + madeBy(k, "/"+section, map[string]any{kind: "First"})
	return &filled{who: b, path: path, form: b.Fill(path, kit.EveryEditor, url.Values{kind: {"Second"}}), typed: []string{"Second"},
		done: `SELECT name = 'Second' FROM ` + section}
}

func manyPlaces(k *kit.Kit, kind, section string) *filled {
	b := k.Person("editor")
	b.Get("/admin/" + section)
	ids := []string{madeBy(k, "/"+section, map[string]any{kind: "First"}), madeBy(k, "/"+section, map[string]any{kind: "Second"})}
	return &filled{who: b, path: "/admin/" + section, form: url.Values{"seen": {kit.AllSeen}, "do": {"trash"}, "id": ids, "to": {"/admin/" + section}}, steps: true,
		done: `SELECT count(*) = 2 FROM ` + section + ` WHERE status = 'trash'`}
}

func toldApart(k *kit.Kit, kind, section string) *filled {
	b := k.Person("editor")
	path := "/admin/" + section + "/twins"
	b.Get(path)
	ids := []string{madeBy(k, "/"+section, map[string]any{kind: "Hall"}), madeBy(k, "/"+section, map[string]any{kind: "Foyer"})}
	return &filled{who: b, path: path, form: url.Values{"do": {"apart"}, "id": ids}, done: `SELECT count(*) = 2 FROM ` + section + ` WHERE apart <> '{}'`}
}

func merged(k *kit.Kit, name, section, table string) *filled {
	b := k.Person("administrator")
	ids := madeBy(k, "/"+section, map[string]any{name: "Keep me"}) + "&id=" + madeBy(k, "/"+section, map[string]any{name: "Take me"})
	form := kit.MergeForm(b.Get("/admin/" + section + "/merge?id=" + ids))
	form.Set("do", "merge")
	return &filled{who: b, path: "/admin/" + section + "/merge", form: form, makes: map[string]int{table: -1, "redirects": 1}, gone: true}
}

func newTerm(k *kit.Kit, section string) *filled {
	b := k.Person("editor")
	form := b.Fill("/admin/"+section, `<form class="stack"`, url.Values{"name": {"Concerts"}, "description": {"What sounds"}})
	return &filled{who: b, path: "/admin/" + section, form: form, typed: []string{"Concerts", "What sounds"}, makes: map[string]int{"terms": 1}}
}

func changedTerm(k *kit.Kit, section string) *filled {
	b := k.Person("editor")
	path := "/admin/" + section + "/" + madeBy(k, "/"+section, map[string]any{"name": "First"})
	return &filled{who: b, path: path, form: b.Fill(path, kit.NarrowForm, url.Values{"name": {"Second"}}), typed: []string{"Second"},
		done: `SELECT name = 'Second' FROM terms`}
}

func userPath(k *kit.Kit, role string) string {
	return "/admin/users/" + k.Peek("demo", "SELECT id::text FROM users WHERE login = $1", role)
}

// keyed is somebody with a passkey, and its key in the form.
func keyed(k *kit.Kit) (*kit.Browser, string) {
	b := k.Person("editor")
	b.Register(kit.NewDevice(k, "localhost"))
	return b, b.Get("/admin/profile").Hidden("passkey")
}

// lateSettings returns a page of the settings with one of its own.
func lateSettings(path, name, typed, done string, more ...string) func(*kit.Kit) *filled {
	return func(k *kit.Kit) *filled {
		k.Provider("PATCH", "/sites/demo", kit.Object{"settings": kit.Object{"content_languages": []string{"en", "de"}}}).Want(k.T, 200, "")
		b := k.Person("administrator")
		form := url.Values{name: {typed}}
		for i := 0; i < len(more); i += 2 {
			form.Set(more[i], more[i+1])
		}
		return &filled{who: b, path: path, form: b.Fill(path, kit.SettingsForm, form), typed: []string{typed},
			done: `SELECT ` + done + ` FROM sites WHERE slug = 'demo'`}
	}
}
