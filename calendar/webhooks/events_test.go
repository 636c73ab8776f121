package webhooks

import (
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/tenancy"
)

var (
	none      = State{}
	draft     = State{Inside: true}
	public    = State{Inside: true, Public: true}
	called    = State{Inside: true, Public: true, Cancelled: true}
	allEvents = &Webhook{Events: []string{Every}}
)

// A write is told as the strongest of what it is, of that which the webhook asks for.
func TestNews(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		kind     string
		action   string
		was, is  State
		filtered bool
		events   string
		want     string
	}{
		{"a draft", "event", "create", none, draft, false, "*", "event.created"},
		{"published when made", "event", "create", none, public, false, "*", "event.published"},
		{"to whom only wants creations", "event", "create", none, public, false, "event.created", "event.created"},
		{"to whom only wants updates", "event", "create", none, public, false, "event.updated", ""},
		{"edited", "event", "update", public, public, false, "*", "event.updated"},
		{"published", "event", "publish", draft, public, false, "*", "event.published"},
		{"published, to whom only wants updates", "event", "publish", draft, public, false, "event.updated", "event.updated"},
		{"withdrawn", "event", "update", public, draft, false, "*", "event.unpublished"},
		{"cancelled", "event", "update", public, called, false, "*", "event.cancelled"},
		{"cancelled and withdrawn", "event", "update", public, State{Inside: true, Cancelled: true}, false, "*", "event.unpublished"},
		{"trashed", "event", "trash", public, none, false, "*", "event.trashed"},
		{"trashed, to whom wants unpublished", "event", "trash", public, none, false, "event.unpublished", "event.unpublished"},
		{"a draft trashed", "event", "trash", draft, none, false, "event.unpublished", ""},
		{"restored as a draft", "event", "restore", none, draft, false, "*", "event.restored"},
		{"restored and public", "event", "restore", none, public, false, "*", "event.published"},
		{"deleted", "event", "delete", draft, none, false, "*", "event.deleted"},
		{"a date changed", "event", "", public, public, false, "*", "event.updated"},
		{"enters the filter", "event", "update", none, public, true, "*", "event.published"},
		{"enters as a draft", "event", "update", none, draft, true, "*", "event.created"},
		{"leaves the filter", "event", "update", public, none, true, "*", "event.unpublished"},
		{"a draft leaves the filter", "event", "update", draft, none, true, "*", "event.unpublished"},
		{"its category moves elsewhere", "event", "", public, none, true, "*", "event.unpublished"},
		{"never within the filter", "event", "update", none, none, true, "*", ""},
		{"a venue", "venue", "create", none, draft, false, "*", "venue.created"},
		{"a venue in the trash", "venue", "trash", draft, none, false, "*", "venue.deleted"},
		{"a venue from the trash", "venue", "delete", none, none, false, "*", ""},
		{"a venue restored", "venue", "restore", none, draft, false, "*", "venue.created"},
		{"a tag", "tag", "update", draft, draft, false, "event.updated", ""},
	} {
		w := &Webhook{Events: strings.Fields(c.events)}
		var got []string
		for _, n := range w.news(&Step{Position: Mark{1, c.kind, 7}, Action: c.action, Was: c.was, Is: c.is, Filtered: c.filtered}, tenancy.Principal{}) {
			got = append(got, n.Event)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Of several steps before a look the last counts, but that something was made or published is not forgotten, and what came and went
// is nothing.
func TestFold(t *testing.T) {
	t.Parallel()
	step := func(action string, was, is State) Step {
		return Step{Position: Mark{1, "event", 7}, Action: action, Was: was, Is: is, At: time.Unix(1, 0)}
	}
	made, edited := step("create", none, public), step("update", public, public)
	sketched, shown, hidden := step("create", none, draft), step("publish", draft, public), step("update", public, draft)
	thrown, gone, back := step("trash", public, none), step("delete", none, none), step("restore", none, public)
	gone.Was.Inside = true
	for _, c := range []struct {
		name  string
		steps []Step
		want  string // told: keeps, else the event
		enter bool
	}{
		{"made and edited", []Step{made, edited}, "event.published", true},
		{"a draft, edited", []Step{sketched, step("update", draft, draft)}, "event.created", true},
		{"a draft, published", []Step{sketched, shown}, "event.published", true},
		{"published, edited", []Step{shown, edited}, "event.published", false},
		{"published and withdrawn", []Step{made, hidden}, "event.created", true},
		{"withdrawn and published", []Step{hidden, shown}, "event.published", false},
		{"made and thrown away", []Step{made, thrown}, "", false},
		{"made, thrown away and deleted", []Step{made, thrown, gone}, "", false},
		{"thrown away and deleted", []Step{thrown, gone}, "event.deleted", false},
		{"thrown away and back", []Step{thrown, back}, "event.published", false},
		{"edited twice", []Step{edited, edited}, "event.updated", false},
	} {
		var all []News
		for i := range c.steps {
			all = append(all, allEvents.news(&c.steps[i], tenancy.Principal{})...)
		}
		list := fold(all)
		told, enters := "", false
		for _, n := range list {
			if told = n.Keeps; told == "" {
				told = n.Event
			}
			enters = n.Enters
		}
		if len(list) > 1 || told != c.want || enters != c.enter {
			t.Errorf("%s: %+v, want %q", c.name, list, c.want)
		}
	}
}
