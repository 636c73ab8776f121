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

// Kinds of objects that are not in the history.
const (
	testKind       = "test"
	submissionKind = "submission"
)

// Events of objects for which there is only one.
const (
	Received = "submission.received"
	Finished = "import.finished"
	Test     = "webhook.test" // sent on request
)

// kinds are the kinds of objects in the history that webhooks report on.
var kinds = []string{"event", "venue", "organizer", "category", "tag", "image"}

// Names lists the names of all events that a webhook can have, in the order of the API.
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

// wants reports whether a webhook subscribes to an event.
func (w *Webhook) wants(event string) bool {
	return slices.Contains(w.Events, event) || slices.Contains(w.Events, Every)
}

// readings are the rights that a key needs for each kind of object.
var readings = map[string]tenancy.Access{"event": tenancy.ReadEvents, "venue": tenancy.ReadVenues, "organizer": tenancy.ReadOrganizers,
	"category": tenancy.ReadTerms, "tag": tenancy.ReadTerms, "image": tenancy.ReadImages, submissionKind: tenancy.ReadSubmissions}

// kinds returns the kinds of objects in the history that a webhook subscribes to and that a principal may see.
func (w *Webhook) kinds(p tenancy.Principal) []string {
	return slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool {
		sees := p.Opens(readings[kind]) || kind == "event" && p.Opens(tenancy.ReadSubmissions)
		return !sees || !slices.ContainsFunc(Names(), func(event string) bool {
			return w.wants(event) && (strings.HasPrefix(event, kind+".") || event == Received && kind == "event")
		})
	})
}

// State is the state of an object at a version, as a webhook sees it.
type State struct {
	Inside    bool // it is there, not in the trash, and within the filter
	Public    bool // for events: published, and in public lists
	Cancelled bool
}

// Step is the change of an object in one version of the site. A series with all its dates counts as one object.
type Step struct {
	Position Mark // of the object
	At       time.Time
	Action   string // as the history names it; "": only the filter or a date of the series changed
	Was, Is  State
	Sent     bool // the event was submitted by someone without an account
	Filtered bool // the webhook has a filter
}

// happened returns the names, as above, of all that happened in a step.
func (s *Step) happened() []string {
	if s.Position.Kind != "event" {
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

// plain is happened for venues, organizers, terms and images. Receivers only learn whether these exist.
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

// News is a message about an object that waits for a webhook.
type News struct {
	Kind    string
	Object  int64
	Event   string // the most important type that the webhook subscribes to
	Keeps   string // sent instead of later events as long as the receiver has not received it: created or published
	Enters  bool   // the receiver does not know the object
	Leaves  bool   // the receiver can no longer see the object
	Instead string // sent for an object that is no longer public and that the receiver does not know
	Version int64
	At      time.Time
}

// news returns the messages of a webhook about a step, as far as the principal may see it.
func (w *Webhook) news(s *Step, p tenancy.Principal) (list []News) {
	if s.Sent && s.Action == "create" && w.wants(Received) && p.Opens(tenancy.ReadSubmissions) {
		list = append(list, News{Kind: submissionKind, Object: s.Position.ID, Event: Received, Version: s.Position.Version, At: s.At})
	}
	if !p.Opens(readings[s.Position.Kind]) {
		return list
	}
	happened := s.happened()
	for _, what := range strengths {
		event := s.Position.Kind + "." + what
		if !slices.Contains(happened, what) || !w.wants(event) {
			continue
		}
		n := News{Kind: s.Position.Kind, Object: s.Position.ID, Event: event, Version: s.Position.Version, At: s.At,
			Enters: !s.Was.Inside && s.Is.Inside && s.Action != "restore", Leaves: !s.Is.Inside}
		if what == created || what == published {
			n.Keeps = event
		}
		if what == unpublished && !n.Leaves && w.wants(s.Position.Kind+"."+created) {
			n.Instead = s.Position.Kind + "." + created
		}
		return append(list, n)
	}
	return list
}

// fold combines the news of several steps, one for each object. Later news replace earlier ones, as they do while they wait.
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
		case list[i].Event == "" && n.Leaves: // it was created and deleted in between
		case list[i].Event == "":
			list[i] = n
		default:
			list[i] = list[i].replacedBy(n)
		}
	}
	return slices.DeleteFunc(list, func(n News) bool { return n.Event == "" })
}

// replacedBy returns the news after a later change, if the receiver has not received n. There are none if the
// object no longer exists and the receiver does not know it.
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
