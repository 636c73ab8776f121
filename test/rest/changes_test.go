package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/test/kit"
)

// follower mirrors what it is told of changes.
type follower struct {
	k       *kit.Kit
	as      string
	filter  string
	next    string
	objects map[string]kit.Object // by type and id
	told    []string              // of the last chain: "type id action version"
	ever    map[string]bool       // by type and id
}

func following(k *kit.Kit, as, filter string) *follower {
	f := &follower{k: k, as: as, filter: filter, objects: map[string]kit.Object{}, ever: map[string]bool{}}
	f.catchUp()
	return f
}

// catchUp reads one chain of answers.
func (f *follower) catchUp() *follower {
	t := f.k.T
	t.Helper()
	f.told = nil
	seen := map[string]bool{}
	last := int64(-1)
	for more := true; more; {
		path := "/changes?include=object&per_page=3&" + f.filter
		if f.next != "" {
			path += "&since=" + url.QueryEscape(f.next)
		}
		answer := f.k.Get(path, f.as)
		answer.Want(t, 200, "")
		var page struct {
			Changes []struct {
				Type, Action string
				ID, Version  int64
				MergedInto   int64 `json:"merged_into"`
				At           string
				Object       kit.Object
			}
			Next string
			More bool
		}
		f.k.Must(json.Unmarshal(answer.Raw, &page))
		for _, c := range page.Changes {
			name := fmt.Sprintf("%s %d", c.Type, c.ID)
			if seen[name] {
				t.Errorf("%s twice in one chain", name)
			}
			seen[name], f.ever[name] = true, true
			if c.Version < last {
				t.Errorf("%s: version %d after %d", name, c.Version, last)
			}
			last = c.Version
			said := fmt.Sprintf("%s %s %d", name, c.Action, c.Version)
			if c.MergedInto != 0 {
				said += fmt.Sprintf(" into %d", c.MergedInto)
			}
			f.told = append(f.told, said)
			if c.Action != "deleted" && c.Object == nil {
				t.Errorf("%s: no object", said)
			}
			if c.Action == "deleted" {
				delete(f.objects, name)
			} else {
				f.objects[name] = c.Object
			}
		}
		f.next, more = page.Next, page.More
	}
	return f
}

// wants compares what the follower was told by the last chain.
func (f *follower) wants(what string, told ...string) {
	f.k.T.Helper()
	if got, want := strings.Join(f.catchUp().told, "\n"), strings.Join(told, "\n"); got != want {
		f.k.T.Errorf("%s: told as %q with %q:\n%s\nwant:\n%s", what, f.as, f.filter, got, want)
	}
}

// version returns the version that a write answered with.
func version(t *testing.T, a kit.Answer) string {
	t.Helper()
	v := a.Header.Get("X-Kalends-Version")
	if v == "" {
		t.Fatal("a write without X-Kalends-Version")
	}
	return v
}

// TestChanges: a follower is told of each object once, in its newest state and with the version of its last change, which is the
// one that the answer to the write named; and of nothing that it never could see (rules 18).
func TestChanges(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	first := k.Event(kit.Object{"title": "First"})
	public, editor := following(k, "", ""), following(k, "editor", "")
	if len(public.told) != 1 || !strings.HasPrefix(public.told[0], fmt.Sprintf("event %d created ", first)) {
		t.Fatalf("from nothing: %q", public.told)
	}
	public.wants("nothing new")

	draft := k.Post("/events", "author", kit.Times(kit.Object{"title": "Draft", "status": "draft"})).Want(t, 201, "")
	id := draft.ID()
	public.wants("a draft")
	editor.wants("a draft", fmt.Sprintf("event %d created %s", id, version(t, draft)))
	edited := k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Draft 2"}).Want(t, 200, "")
	public.wants("a draft that is edited")
	editor.wants("a draft that is edited", fmt.Sprintf("event %d updated %s", id, version(t, edited)))

	shown := k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "publish"}).Want(t, 200, "")
	public.wants("published", fmt.Sprintf("event %d created %s", id, version(t, shown)))
	gone := k.Patch(kit.Item("events", id), "editor", kit.Object{"status": "draft"}).Want(t, 200, "")
	k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Secret"}).Want(t, 200, "")
	public.wants("unpublished, then edited", fmt.Sprintf("event %d deleted %s", id, version(t, gone)))
	k.Patch(kit.Item("events", id), "editor", kit.Object{"title": "Secret 2"}).Want(t, 200, "")
	public.wants("edited once more")
	k.Del(kit.Query(kit.Item("events", id), "force", "true"), "editor").Want(t, 200, "")
	public.wants("deleted for good as a draft")

	flash := k.Event(kit.Object{"title": "Flash"})
	k.Del(kit.Query(kit.Item("events", flash), "force", "true"), "editor").Want(t, 200, "")
	public.wants("created and deleted between two questions")

	hidden := k.Patch(kit.Item("events", first), "editor", kit.Object{"hide_from_listings": true}).Want(t, 200, "")
	public.wants("hidden", fmt.Sprintf("event %d deleted %s", first, version(t, hidden)))
	back := k.Patch(kit.Item("events", first), "editor", kit.Object{"hide_from_listings": false}).Want(t, 200, "")
	public.wants("shown again", fmt.Sprintf("event %d created %s", first, version(t, back)))
	trashed := k.Del(kit.Item("events", first), "editor").Want(t, 200, "")
	public.wants("trashed", fmt.Sprintf("event %d deleted %s", first, version(t, trashed)))
}

// TestChangesOfMasked: followers who lack the password of an event get it as lists show it.
func TestChangesOfMasked(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	id := k.Event(kit.Object{"title": "Locked", "description": "hidden words", "post_password": "key", "venue": kit.Object{"venue": "Secret hall"}})
	for as, open := range map[string]bool{"": false, "subscriber": false, "editor": true} {
		a := k.Get("/changes?types=event&include=object", as).Want(t, 200, "").Has(t, "changes.#", 1, "changes.0.object.id", id, "changes.0.object.title", "Locked")
		if shows := strings.Contains(string(a.Raw), "hidden words") && strings.Contains(string(a.Raw), "Secret hall"); shows != open {
			t.Errorf("as %q: %s", as, a.Raw)
		}
	}
}

// TestChangesOfImages: the public is told of an image when something public shows it, and that it is gone when nothing does.
func TestChangesOfImages(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	image := k.Upload("", "editor", "a.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	k.Get("/changes?types=image", "").Want(t, 200, "").Has(t, "changes.#", 0)
	k.Get("/changes?types=image", "contributor").Want(t, 200, "").Has(t, "changes.#", 1)
	public, editor := following(k, "", "types=image"), following(k, "editor", "types=image")
	reader := following(k, "subscriber", "types=image")
	wants := func(about, what string, version string) {
		told := fmt.Sprintf("image %d %s %s", image, what, version)
		public.wants(about, told)
		reader.wants(about, told)
		editor.wants(about)
	}
	changed := func(id int64, fields kit.Object) string {
		return version(t, k.Patch(kit.Item("events", id), "editor", fields).Want(t, 200, ""))
	}
	id := k.Event(kit.Object{"image": image, "status": "draft"})
	public.wants("a draft shows it")
	wants("published", "created", changed(id, kit.Object{"status": "publish"}))
	k.Get("/changes?types=image&include=object", "").Want(t, 200, "").Has(t, "changes.0.object.id", image)
	k.Event(kit.Object{"image": image})
	public.wants("a second event shows it")
	k.Event(nil)
	changed(id, kit.Object{"image": nil})
	public.wants("only the second event shows it")
}

// TestChangesOfHiddenImages: an image goes from the public's view in whatever way the last that shows it does.
func TestChangesOfHiddenImages(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	for about, way := range map[string]struct{ made, changed kit.Object }{
		"unpublished": {nil, kit.Object{"status": "draft"}},
		"protected":   {nil, kit.Object{"post_password": "key"}},
		"taken away":  {nil, kit.Object{"image": nil}},
		"a series":    {kit.Object{"recurrence": kit.Object{"every": "week", "count": 3}}, kit.Object{"status": "private"}},
	} {
		image := k.Upload("", "editor", "a.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
		public := following(k, "", "types=image")
		fields := kit.Object{"image": image}
		maps.Copy(fields, way.made)
		id := k.Event(fields)
		public.catchUp()
		gone := k.Patch(kit.Item("events", id), "editor", way.changed).Want(t, 200, "")
		public.wants(about, fmt.Sprintf("image %d deleted %s", image, version(t, gone)))
	}
	image := k.Upload("", "editor", "a.png", kit.Picture(20, 20)).Want(t, 201, "").ID()
	venue := k.Made("/venues", kit.Object{"venue": "Hall", "image": image, "status": "publish"})
	public := following(k, "", "types=image")
	gone := k.Del(kit.Query(kit.Item("venues", venue), "force", "true"), "editor").Want(t, 200, "")
	public.wants("with its venue", fmt.Sprintf("image %d deleted %s", image, version(t, gone)))
}

// TestChangesWhileAway: who comes back after several changes is told the version at which an object stopped being visible, not the one
// of its last change.
func TestChangesWhileAway(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Post("/categories", "editor", kit.Object{"name": "Music"}).Want(t, 201, "").ID()
	public, author, editor := following(k, "", "types=event"), following(k, "author", "types=event"), following(k, "editor", "types=event")
	filtered := following(k, "", fmt.Sprintf("categories=%d", music))
	made := func(fields kit.Object) int64 {
		id := k.Post("/events", "author", kit.Times(fields)).Want(t, 201, "").ID()
		for _, f := range []*follower{public, author, editor, filtered} {
			f.catchUp()
		}
		return id
	}
	change := func(id int64, fields kit.Object) string {
		return version(t, k.Patch(kit.Item("events", id), "editor", fields).Want(t, 200, ""))
	}
	remove := func(id int64, more string) string {
		return version(t, k.Del(kit.Item("events", id)+more, "editor").Want(t, 200, ""))
	}
	told := func(id int64, version string) string { return fmt.Sprintf("event %d deleted %s", id, version) }

	id := made(kit.Object{"title": "Draft", "status": "draft"})
	trashed := remove(id, "")
	remove(id, "?force=true")
	public.wants("a draft that was trashed and deleted")
	author.wants("a draft that was trashed and deleted", told(id, trashed))
	editor.wants("a draft that was trashed and deleted", told(id, trashed))

	id = made(kit.Object{"title": "Hidden"})
	hidden := change(id, kit.Object{"hide_from_listings": true})
	change(id, kit.Object{"status": "draft"})
	remove(id, "")
	remove(id, "?force=true")
	public.wants("hidden, then unpublished", told(id, hidden))
	author.wants("hidden, then unpublished", told(id, hidden))

	id = made(kit.Object{"title": "Private"})
	private := change(id, kit.Object{"status": "private"})
	trashed = remove(id, "")
	public.wants("private, then trashed", told(id, private))
	editor.wants("private, then trashed", told(id, trashed))
	author.wants("private, then trashed", told(id, trashed))

	id = made(kit.Object{"title": "Song", "categories": []int64{music}})
	left := change(id, kit.Object{"categories": []int64{}})
	latest := change(id, kit.Object{"title": "Talk"})
	filtered.wants("left the filter, then edited", told(id, left))
	public.wants("left the filter, then edited", fmt.Sprintf("event %d updated %s", id, latest))

	id = made(kit.Object{"title": "Back"})
	remove(id, "")
	change(id, kit.Object{"status": "publish"})
	again := change(id, kit.Object{"status": "draft"})
	change(id, kit.Object{"title": "Gone"})
	public.wants("came back and went again", told(id, again))
}

// TestChangesOfSeries: a series is one object, however many dates it has, and whichever of them changed.
func TestChangesOfSeries(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	public := following(k, "", "types=event")
	made := k.Post("/events", "editor", kit.Times(kit.Object{"title": "Choir", "recurrence": kit.Object{"every": "week", "count": 9}})).Want(t, 201, "")
	first := made.ID()
	public.catchUp()
	if len(public.told) != 1 {
		t.Fatalf("a new series: %q", public.told)
	}
	var series int64
	_, err := fmt.Sscanf(public.told[0], "event %d created", &series)
	k.Must(err)
	var dates []int64
	for _, date := range kit.ListOf(k.Get(kit.Item("events", series)+"/occurrences?per_page=9", "").Want(t, 200, "").At("events")) {
		dates = append(dates, int64(date.(map[string]any)["id"].(float64)))
	}
	if len(dates) != 9 {
		t.Fatalf("dates %v of %d, %d", dates, series, first)
	}
	moved := k.Patch(kit.Item("events", dates[3])+"?applies_to=this", "editor", kit.Object{"title": "Choir, in the park"}).Want(t, 200, "")
	public.wants("one date", fmt.Sprintf("event %d updated %s", series, version(t, moved)))
	removed := k.Del(kit.Item("events", dates[5])+"?applies_to=this&force=true", "editor").Want(t, 200, "")
	public.wants("a date removed", fmt.Sprintf("event %d updated %s", series, version(t, removed)))
	all := k.Del(kit.Item("events", dates[0])+"?applies_to=all", "editor").Want(t, 200, "")
	public.wants("all to the trash", fmt.Sprintf("event %d deleted %s", series, version(t, all)))
}

// TestChangesByFilter: what leaves a filter is deleted for its follower, what enters it is created, also where a category or venue
// made the difference.
func TestChangesByFilter(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	music := k.Post("/categories", "editor", kit.Object{"name": "Music"}).Want(t, 201, "").ID()
	jazz := k.Post("/categories", "editor", kit.Object{"name": "Jazz"}).Want(t, 201, "").ID()
	one := k.Event(kit.Object{"title": "Trio", "categories": []int64{jazz}})
	other := k.Event(kit.Object{"title": "Talk"})
	f := following(k, "", fmt.Sprintf("categories=%d", music))
	words := following(k, "", "search=trio")
	if len(f.told) != 0 || len(words.told) != 1 {
		t.Fatalf("at first %q, %q", f.told, words.told)
	}
	below := k.Patch(kit.Item("categories", jazz), "editor", kit.Object{"parent": music}).Want(t, 200, "")
	f.wants("a category moved below", fmt.Sprintf("event %d created %s", one, version(t, below)))
	k.Patch(kit.Item("events", other), "editor", kit.Object{"title": "Talk 2"}).Want(t, 200, "")
	f.wants("an event outside")
	in := k.Patch(kit.Item("events", other), "editor", kit.Object{"categories": []int64{music}}).Want(t, 200, "")
	f.wants("entered", fmt.Sprintf("event %d created %s", other, version(t, in)))
	out := k.Patch(kit.Item("events", other), "editor", kit.Object{"categories": []int64{}}).Want(t, 200, "")
	f.wants("left", fmt.Sprintf("event %d deleted %s", other, version(t, out)))
	renamed := k.Patch(kit.Item("events", one), "editor", kit.Object{"title": "Quartet"}).Want(t, 200, "")
	words.wants("no longer called so", fmt.Sprintf("event %d deleted %s", one, version(t, renamed)))
	f.wants("renamed", fmt.Sprintf("event %d updated %s", one, version(t, renamed)))
	gone := k.Del(kit.Query(kit.Item("categories", music), "force", "true"), "editor").Want(t, 200, "")
	f.wants("the category itself deleted", fmt.Sprintf("event %d deleted %s", one, version(t, gone)))
}

// TestChangesOfOthers: venues, organizers, terms and images; a merge names what the object was merged into.
func TestChangesOfOthers(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	f := following(k, "", "types=venue,category,tag,organizer")
	hall := k.Post("/venues", "editor", kit.Object{"venue": "Hall"}).Want(t, 201, "")
	at := k.Event(kit.Object{"title": "At the hall", "venue": hall.ID()})
	f.wants("a venue", fmt.Sprintf("venue %d created %s", hall.ID(), version(t, hall)))
	events := following(k, "", fmt.Sprintf("venue=%d", hall.ID()))
	named := k.Patch(kit.Item("venues", hall.ID()), "editor", kit.Object{"venue": "Town hall"}).Want(t, 200, "")
	f.wants("its name", fmt.Sprintf("venue %d updated %s", hall.ID(), version(t, named)))
	events.wants("its name is no change of its events")
	tag := k.Post("/tags", "editor", kit.Object{"name": "Free"}).Want(t, 201, "")
	f.wants("a tag", fmt.Sprintf("tag %d created %s", tag.ID(), version(t, tag)))
	gone := k.Del(kit.Query(kit.Item("venues", hall.ID()), "force", "true"), "editor").Want(t, 200, "")
	f.wants("deleted", fmt.Sprintf("venue %d deleted %s", hall.ID(), version(t, gone)))
	events.wants("its events lost it", fmt.Sprintf("event %d deleted %s", at, version(t, gone)))
}

// TestChangesTokens: a token is bound to its reader and filter, and what is none is a problem of since.
func TestChangesTokens(t *testing.T) {
	t.Parallel()
	k := kit.NewWithFixedClock(t)
	k.Event(kit.Object{"title": "First"})
	public, editor, featured := following(k, "", ""), following(k, "editor", ""), following(k, "", "featured=true")
	for _, wrong := range []string{"x", "AXj3kQ2mVxYAVK7jHqA", public.next + "A", strings.ToLower(public.next) + "!", "AA"} {
		k.Get("/changes?since="+url.QueryEscape(wrong), "").Want(t, 400, "rest_invalid_param")
	}
	k.Get("/changes?since="+editor.next, "").Want(t, 410, "sync-token-expired")
	k.Get("/changes?since="+public.next, "editor").Want(t, 410, "sync-token-expired")
	k.Get("/changes?since="+featured.next, "").Want(t, 410, "sync-token-expired")
	k.Get("/changes?types=event&since="+public.next, "").Want(t, 410, "sync-token-expired")
	for _, moving := range []string{"start_date=today", "starts_after=2027-01-01", "status=draft", "series=first"} {
		k.Get("/changes?"+moving, "editor").Want(t, 400, "rest_invalid_param")
	}
	k.Get("/changes?types=event,venue&featured=true", "").Want(t, 400, "rest_invalid_param")
	k.Get("/changes?types=nonsense", "").Want(t, 400, "rest_invalid_param")
	k.Get("/changes?categories=unknown", "").Want(t, 400, "rest_invalid_param")
	k.Get("/changes?wait=26", "").Want(t, 400, "rest_invalid_param")
}

// TestChangesWait: a follower that waits is told of a change as soon as there is one that it may see; its slot at the gate is free
// meanwhile.
func TestChangesWait(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t, func(c *server.Config) { c.Places = 2 })
	k.Event(kit.Object{"title": "First"})
	f := following(k, "", "")
	const followers = 8 // more than there are slots
	answers := make(chan kit.Answer, followers)
	// A busy machine may keep a request in the line for longer than the gate lets it stand there. As clients do, it is sent again.
	send := func(r kit.Request) kit.Answer {
		a := k.Send(r)
		for ; a.Status == 503; a = k.Send(r) {
			time.Sleep(20 * time.Millisecond)
		}
		return a
	}
	for range followers {
		go func() { answers <- send(kit.Request{Method: "GET", Path: "/changes?wait=25&since=" + f.next}) }()
	}
	create := func(event kit.Object) kit.Answer {
		return send(kit.Request{Method: "POST", Path: "/events", As: "editor", JSON: kit.Times(event)}).Want(t, 201, "")
	}
	create(kit.Object{"title": "Draft", "status": "draft"})
	made := create(kit.Object{"title": "Second"})
	for range followers {
		(<-answers).Want(t, 200, "").Has(t, "changes.#", 1, "changes.0.id", made.ID())
	}
	k.Get("/changes?wait=1&since="+url.QueryEscape(f.catchUp().next), "").Want(t, 200, "").Has(t, "more", false)
}

// TestChangesWaitInMemory: a follower that knows the last change asks the database nothing, neither before it waits nor when its time is up.
func TestChangesWaitInMemory(t *testing.T) {
	t.Parallel()
	_, k := kit.CachedKit(t)
	k.Event(kit.Object{"title": "First"})
	f := following(k, "", "")
	locked, err := k.Owner().Begin(t.Context())
	k.Must(err)
	defer locked.Rollback(context.WithoutCancel(t.Context())) //nolint:errcheck // ends the lock
	_, err = locked.Exec(t.Context(), `LOCK TABLE selections, events IN ACCESS EXCLUSIVE MODE`)
	k.Must(err)
	wait := func() kit.Answer { return k.Get("/changes?wait=1&since="+f.next, "") }
	a := wait()
	for tries := 3; a.Status == 503 && tries > 0; tries-- { // a busy machine did not learn the version in time, so the database was asked
		a = wait()
	}
	a.Want(t, 200, "").Has(t, "more", false, "changes.#", 0)
}
