package admin

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/kalends/kalends/calendar/submissions"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/test/kit"
)

// A venue that came with a submission is published with it in its form, too, and goes when an editor names another one instead. When moving several events to the trash is undone,
// the venue of a submission is back at once.
func TestVenueOfASubmissionGoesAndComesBackAtOnce(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	site := *k.Sites["demo"]
	site.Settings.Submissions.On = true
	day, err := args.ParseDate("2031-05-01 19:00")
	k.Must(err)
	ctx := tenancy.With(t.Context(), tenancy.Scope{Site: &site, Language: "en"})
	send := func(title, venue string) int64 {
		sub, _, err := submissions.New(k.Calendar, k.DB, k.Platform.Attempts, nil).Send(ctx, &submissions.Fields{Title: args.Some(title),
			Start: args.Some(day), Venue: args.Some(venue), Name: args.Some("Ada"), Email: args.Some(args.Email("ada@example.net"))}, nil)
		k.Must(err)
		return sub.Event.ID
	}
	status := func(name string) string {
		return k.Peek("demo", "SELECT status FROM venues WHERE site_id = $1 AND name = $2", k.Sites["demo"].ID, name)
	}
	hall := k.Made("/venues", kit.Object{"venue": "Hall", "status": "publish"})
	b := k.Person("editor")
	form := fmt.Sprintf("/admin/events/%d", send("Reading", "Old barn"))
	if status("Old barn") != "pending" {
		t.Fatalf("the venue is %s", status("Old barn"))
	}
	if p := b.Post(form, b.Fill(form, kit.EveryEditor, url.Values{"venue": {fmt.Sprintf("Hall (#%d)", hall)}, "do": {"save"}})); p.Status != 303 {
		t.Fatalf("%d", p.Status)
	}
	if status("Old barn") != "trash" || status("Hall") != "publish" {
		t.Errorf("the venue that the event has no more is %s, the other one %s", status("Old barn"), status("Hall"))
	}
	form = fmt.Sprintf("/admin/events/%d", send("Fair", "Old mill"))
	if p := b.Post(form, b.Fill(form, kit.EveryEditor, url.Values{"do": {"publish"}})); p.Status != 303 || !b.Follow().Shows("new venue") || status("Old mill") != "publish" {
		t.Errorf("published in its form: %d, the venue is %s, or nobody says so", p.Status, status("Old mill"))
	}
	one, other := send("Concert", "Tent"), send("Dance", "Tent")
	b.Get("/admin/events")
	b.Post("/admin/events", url.Values{"do": {"trash"}, "id": {fmt.Sprint(one), fmt.Sprint(other)}})
	version := k.Version("demo")
	tent := k.Peek("demo", "SELECT id::text FROM venues WHERE site_id = $1 AND name = 'Tent'", k.Sites["demo"].ID)
	k.Ask(kit.Request{Method: "DELETE", Path: "/calendar/events/v1/venues/" + tent, As: "administrator"})
	b.Post("/admin/events/undo", url.Values{"writes": {fmt.Sprintf("undo~all.%d", version)}, "to": {"/admin/events"}})
	if got := k.Peek("demo", "SELECT string_agg(DISTINCT status, ' ') FROM events WHERE id IN ($1, $2)", one, other); got != "pending" {
		t.Errorf("the events are %s", got)
	}
	if status("Tent") != "pending" {
		t.Errorf("after undoing the venue is %s", status("Tent"))
	}
}
