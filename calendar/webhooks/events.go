package webhooks

import (
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/tenancy"
)

// What can happen to an object, the strongest first.
const (
	deleted     = "deleted"
	trashed     = "trashed"
	unpublished = "unpublished"
	published   = "published"
	cancelled   = "cancelled"
	restored    = "restored"
	created     = "created"
	updated     = "updated"
)

var strengths = []string{deleted, trashed, unpublished, published, cancelled, restored, created, updated}

// Kinds of objects that are none of the history.
const (
	testKind       = "test"
	submissionKind = "submission"
)

// Single events of other kinds of objects.
const (
	Received = "submission.received"
	Finished = "import.finished"
	Test     = "webhook.test" // sent when somebody asks for it
)

// kinds are the kinds of objects in the history that webhooks tell of.
var kinds = []string{"event", "venue", "organizer", "category", "tag", "image"}

// Names lists the names of all events that a webhook can have, in the order of the interface.
func Names() []string {
	var list []string
	for _, kind := range kinds {
		for _, what := range []string{created, updated, published, unpublished, cancelled, trashed, restored, deleted} {
			if kind == "event" || what == created || what == updated || what == deleted {
				list = append(list, kind+"."+what)
			}
		}
	}
	return append(list, Finished, Received)
}

// wants reports whether a webhook has an event.
func (w *Webhook) wants(event string) bool {
	return slices.Contains(w.Events, event) || slices.Contains(w.Events, Every)
}

// readings are what a key has to open to be told of objects of a kind.
var readings = map[string]tenancy.Access{"event": tenancy.ReadEvents, "venue": tenancy.ReadVenues, "organizer": tenancy.ReadOrganizers,
	"category": tenancy.ReadTerms, "tag": tenancy.ReadTerms, "image": tenancy.ReadImages, submissionKind: tenancy.ReadSubmissions}

// kinds returns the kinds of objects in the history that a webhook asks for, and that somebody may see.
func (w *Webhook) kinds(p tenancy.Principal) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
		sees := p.Opens(readings[kind]) || kind == "event" && p.Opens(tenancy.ReadSubmissions)
		return !sees || !slices.ContainsFunc(Names(), func(event string) bool {
			return w.wants(event) && (strings.HasPrefix(event, kind+".") || event == Received && kind == "event")
		})
	})
}

// State is what a webhook sees of an object at a version.
type State struct {
	Inside    bool // it is there, not in the trash, and within the filter
	Public    bool // of events: it is published and stands in lists
	Cancelled bool
}

// Step is what a version of the site did to an object: a series with all of its dates is one.
type Step struct {
	Place    Mark // of the object
	At       time.Time
	Action   string // as the history names it; "": only the filter or a date of the series changed
	Was, Is  State
	Sent     bool // somebody without an account has sent the event
	Filtered bool // the webhook has a filter
}

// happened returns what a step is, of the names above.
func (s *Step) happened() []string {
	if s.Place.Kind != "event" {
		return s.plain()
	}
	var all []string
	add := func(is bool, what string) {
		if is {
			all = append(all, what)
		}
	}
	add(s.Was.Inside && s.Action == "delete", deleted)
	add(s.Was.Inside && s.Action == "trash", trashed)
	switch {
	case s.Was.Inside && !s.Is.Inside:
		leaves := s.Filtered && s.Action != "trash" && s.Action != "delete"
		add(leaves || s.Was.Public && s.Action != "delete", unpublished)
	case !s.Was.Inside && s.Is.Inside:
		add(s.Is.Public, published)
		add(s.Action == "restore", restored)
		add(s.Action != "restore" && (s.Action == "create" || !s.Is.Public), created)
	case s.Was.Inside && s.Is.Inside:
		add(s.Was.Public && !s.Is.Public, unpublished)
		add(!s.Was.Public && s.Is.Public, published)
		add(!s.Was.Cancelled && s.Is.Cancelled, cancelled)
		add(true, updated)
	}
	return all
}

// plain is happened of venues, organizers, terms and images, of which receivers know only whether they are there.
func (s *Step) plain() []string {
	switch {
	case s.Was.Inside && !s.Is.Inside:
		return []string{deleted}
	case !s.Was.Inside && s.Is.Inside:
		return []string{created}
	case s.Was.Inside && s.Is.Inside:
		return []string{updated}
	}
	return nil
}

// News is what a webhook has to tell of an object.
type News struct {
	Kind    string
	Object  int64
	Event   string // the strongest that the webhook asks for
	Keeps   string // told instead of later events while the receiver was not told of it: created or published
	Enters  bool   // the receiver knows nothing of the object
	Leaves  bool   // the object is gone for the receiver
	Instead string // told of an object that is no longer public, of which the receiver knows nothing
	Version int64
	At      time.Time
}

// news returns what a webhook of somebody tells of a step.
func (w *Webhook) news(s *Step, p tenancy.Principal) (list []News) {
	if s.Sent && s.Action == "create" && w.wants(Received) && p.Opens(tenancy.ReadSubmissions) {
		list = append(list, News{Kind: submissionKind, Object: s.Place.ID, Event: Received, Version: s.Place.Version, At: s.At})
	}
	if !p.Opens(readings[s.Place.Kind]) {
		return list
	}
	happened := s.happened()
	for _, what := range strengths {
		event := s.Place.Kind + "." + what
		if !slices.Contains(happened, what) || !w.wants(event) {
			continue
		}
		n := News{Kind: s.Place.Kind, Object: s.Place.ID, Event: event, Version: s.Place.Version, At: s.At,
			Enters: !s.Was.Inside && s.Is.Inside && s.Action != "restore", Leaves: !s.Is.Inside}
		if what == created || what == published {
			n.Keeps = event
		}
		if what == unpublished && !n.Leaves && w.wants(s.Place.Kind+"."+created) {
			n.Instead = s.Place.Kind + "." + created
		}
		return append(list, n)
	}
	return list
}

// fold returns the news of several steps, of each object one: a later change replaces an earlier one, as in what waits.
func fold(all []News) []News {
	type object struct {
		kind string
		id   int64
	}
	at := map[object]int{}
	var list []News
	for _, n := range all {
		key := object{n.Kind, n.Object}
		i, there := at[key]
		switch {
		case !there:
			at[key] = len(list)
			list = append(list, n)
		case list[i].Event == "" && n.Leaves: // it came and went, and is gone for good
		case list[i].Event == "":
			list[i] = n
		default:
			list[i] = list[i].replacedBy(n)
		}
	}
	return slices.DeleteFunc(list, func(n News) bool { return n.Event == "" })
}

// replacedBy returns the news when nothing was told of those before; none if the receiver knows nothing of an object that is gone.
func (n News) replacedBy(later News) News {
	if later.Leaves {
		if n.Enters {
			return News{Kind: n.Kind, Object: n.Object}
		}
		return later
	}
	later.Enters = n.Enters
	switch {
	case strings.HasSuffix(later.Event, "."+unpublished):
		if n.Enters {
			later.Keeps = later.Instead
		}
	case later.Keeps == "":
		later.Keeps = n.Keeps
	}
	return later
}
