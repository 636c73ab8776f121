package calendar

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// at returns a moment of the tests' first day.
func at(text string) time.Time {
	t, err := time.Parse(time.DateTime, text)
	if err != nil {
		panic(err)
	}
	return t
}

// Who may read and change what, by role, author and status (rules 2.3 and 2.5).
func TestWhoMayReadAndEdit(t *testing.T) {
	t.Parallel()
	all := []Status{Publish, Future, Private, Draft, Pending, Trash}
	unpublished := []Status{Draft, Pending, Trash}
	for _, c := range []struct {
		role              tenancy.Role
		own               bool
		readable, editing []Status
	}{
		{tenancy.NoRole, false, []Status{Publish}, nil},
		{tenancy.Subscriber, false, []Status{Publish}, nil},
		{tenancy.Subscriber, true, all, nil},
		{tenancy.Contributor, false, []Status{Publish}, nil},
		{tenancy.Contributor, true, all, unpublished},
		{tenancy.Author, false, []Status{Publish}, nil},
		{tenancy.Author, true, all, all},
		{tenancy.Editor, false, all, all},
		{tenancy.Editor, true, all, all},
		{tenancy.Administrator, false, all, all},
	} {
		p := tenancy.Principal{Role: c.role}
		if c.role != tenancy.NoRole {
			p.UserID = 7
		}
		for _, status := range all {
			post := &Post{Status: status, Author: 9, Version: 3}
			if c.own {
				post.Author = 7
			}
			if want := slices.Contains(c.readable, status); MayRead(p, post) != want {
				t.Errorf("%q reads what is %s, own: %t: %t", c.role, status, c.own, !want)
			}
			want := slices.Contains(c.editing, status)
			if MayEdit(p, post) != want {
				t.Errorf("%q edits what is %s, own: %t: %t", c.role, status, c.own, !want)
			}
			p.ReadOnly = true
			if MayEdit(p, post) {
				t.Errorf("%q edits what is %s with a key that only reads", c.role, status)
			}
			if want := slices.Contains(c.readable, status); MayRead(p, post) != want {
				t.Errorf("%q reads what is %s with a key that only reads: %t", c.role, status, !want)
			}
			p.ReadOnly = false
			refused := tenancy.ErrForbidden
			if c.role == tenancy.NoRole { // rule 2.2
				refused = tenancy.ErrUnauthenticated
			}
			if err := Editable(p, post, nil); want && err != nil || !want && !errors.Is(err, refused) {
				t.Errorf("%q, %s, own: %t: %v", c.role, status, c.own, err)
			}
		}
	}
}

// What nobody is the author of, because the user was deleted, isn't everybody's.
func TestItemOfNobody(t *testing.T) {
	t.Parallel()
	post := &Post{Status: Private}
	if MayRead(tenancy.Principal{}, post) || MayEdit(tenancy.Principal{}, post) {
		t.Error("a visitor is taken for the author")
	}
	if o := OpenerOf(tenancy.Principal{}, "x"); o != (Opener{Password: "x"}) {
		t.Errorf("a visitor opens %+v", o)
	}
}

// Lists of what may be read and filters behind masks are put to the database as MayRead and MayEdit would answer.
func TestViewerAndOpener(t *testing.T) {
	t.Parallel()
	for _, role := range append(tenancy.Roles(), tenancy.NoRole) {
		p := tenancy.Principal{Role: role}
		if role != tenancy.NoRole {
			p.UserID = 7
		}
		o := OpenerOf(p, "")
		for _, status := range Statuses() {
			for _, author := range []int64{0, 7, 9} {
				post := &Post{Status: status, Author: author}
				isPublic := status == Publish || status == Future || status == Private
				opens := o.All || o.User != 0 && o.User == post.Author && (o.Publishes || !isPublic)
				if opens != MayEdit(p, post) {
					t.Errorf("%q, author %d, %s: opens %t", role, author, status, opens)
				}
			}
		}
		if v := ViewerOf(p); v.All && !MayRead(p, &Post{Status: Draft, Author: 9}) || v.User != 0 && !MayRead(p, &Post{Status: Draft, Author: v.User}) {
			t.Errorf("%q: %+v", role, v)
		}
	}
	reader := tenancy.Principal{UserID: 7, Role: tenancy.Editor, ReadOnly: true}
	if v := ViewerOf(reader); v != (Viewer{7, true}) {
		t.Errorf("with a key that only reads, an editor sees %+v", v)
	}
	if o := OpenerOf(reader, "x"); o != (Opener{Password: "x"}) {
		t.Errorf("with a key that only reads, an editor opens %+v", o)
	}
}

// Rule 3.16: the permission is checked before the version, which isn't told to anybody else.
func TestEditableAsksForTheVersionLast(t *testing.T) {
	t.Parallel()
	stale := Condition(func(version int64) error {
		if version == 3 {
			return ErrPrecondition
		}
		return nil
	})
	post := &Post{Status: Publish, Author: 9, Version: 3}
	if err := Editable(tenancy.Principal{UserID: 7, Role: tenancy.Author}, post, stale); !errors.Is(err, tenancy.ErrForbidden) {
		t.Errorf("somebody else's: %v", err)
	}
	if err := Editable(tenancy.Principal{UserID: 7, Role: tenancy.Editor}, post, stale); !errors.Is(err, ErrPrecondition) {
		t.Errorf("a stale version: %v", err)
	}
}

// Rules 2.4 and 9.1: what becomes of a new entry.
func TestStatusOfNewEntry(t *testing.T) {
	t.Parallel()
	const before, after = "2027-01-01 10:00:00", "2028-01-01 10:00:00"
	for _, c := range []struct {
		name   string
		role   tenancy.Role
		status string
		date   string
		want   Status
		dated  bool
	}{
		{"an editor's is published", tenancy.Editor, "", "", Publish, true},
		{"an author's is published", tenancy.Author, "", "", Publish, true},
		{"a contributor's becomes what is usual for them", tenancy.Contributor, "", "", Draft, false},
		{"a contributor may not publish", tenancy.Contributor, "publish", "", Pending, false},
		{"nor plan to", tenancy.Contributor, "future", after, Pending, true},
		{"nor hide it from others", tenancy.Contributor, "private", "", Pending, false},
		{"a contributor's draft is a draft", tenancy.Contributor, "draft", "", Draft, false},
		{"one with a future date is scheduled", tenancy.Editor, "", after, Future, true},
		{"also when it is to be published", tenancy.Editor, "publish", after, Future, true},
		{"one scheduled for a past date is published", tenancy.Editor, "future", before, Publish, true},
		{"and without a date at once", tenancy.Editor, "future", "", Publish, true},
		{"a private one stays private until its date", tenancy.Editor, "private", after, Private, true},
		{"a draft keeps its date", tenancy.Editor, "draft", after, Draft, true},
		{"a draft without a date has none", tenancy.Editor, "draft", "", Draft, false},
	} {
		w := &PostWrite{Unasked: Draft, Name: "Choir"}
		if c.status != "" {
			w.Status = args.Some(c.status)
		}
		want := noon
		if c.date != "" {
			w.DateUTC, want = args.DateArg(c.date), at(c.date)
		}
		p := &Post{}
		if err := w.Create(scopeOf(t, 7, c.role), noon, p); err != nil {
			t.Fatal(err)
		}
		if p.Status != c.want || p.Dated != c.dated || !p.Date.Equal(want) || p.Author != 7 {
			t.Errorf("%s: %s, dated %t on %s", c.name, p.Status, p.Dated, p.Date)
		}
	}
}

// What becomes of an entry when its status or date changes (rules 3.15 and 9.1).
func TestStatusOfChangedEntry(t *testing.T) {
	t.Parallel()
	const old, past, coming, later = "2027-01-01 10:00:00", "2027-02-01 10:00:00", "2028-01-01 10:00:00", "2029-01-01 10:00:00"
	now := noon.Format(time.DateTime)
	draft, planned := Post{Status: Draft, Date: at(old)}, Post{Status: Future, Date: at(coming), Dated: true}
	published := Post{Status: Publish, Date: at(old), Dated: true}
	for _, c := range []struct {
		name   string
		was    Post
		role   tenancy.Role
		status string
		date   string
		want   Status
		on     string
		dated  bool
	}{
		{"a draft is published now, not when it was begun", draft, tenancy.Editor, "publish", "", Publish, now, true},
		{"also when it was to be scheduled without a date", draft, tenancy.Editor, "future", "", Publish, now, true},
		{"and private from now on", draft, tenancy.Editor, "private", "", Private, now, true},
		{"a draft is scheduled with its own date", Post{Status: Draft, Date: at(coming), Dated: true}, tenancy.Editor, "publish", "", Future, coming, true},
		{"a draft that was given a date is published as of then", Post{Status: Draft, Date: at(past), Dated: true}, tenancy.Editor, "publish", "", Publish, past, true},
		{"a contributor's draft awaits review", draft, tenancy.Contributor, "publish", "", Pending, old, false},
		{"a scheduled one is published at once on request", planned, tenancy.Editor, "publish", "", Publish, now, true},
		{"and stays scheduled otherwise", planned, tenancy.Editor, "future", "", Future, coming, true},
		{"another date moves it", planned, tenancy.Editor, "", later, Future, later, true},
		{"a past date publishes it", planned, tenancy.Editor, "", past, Publish, past, true},
		{"a published one is withdrawn by a future date", published, tenancy.Editor, "", later, Future, later, true},
		{"a published one keeps its date", published, tenancy.Editor, "publish", "", Publish, old, true},
		{"a draft isn't published by a date", draft, tenancy.Editor, "", past, Draft, past, true},
		{"a private one isn't either", Post{Status: Private, Date: at(old), Dated: true}, tenancy.Editor, "", later, Private, later, true},
		{"a scheduled one in the trash is scheduled again", Post{Status: Trash, Date: at(coming), Dated: true}, tenancy.Editor, "publish", "", Future, coming, true},
		{"what comes out of the trash as a draft stays undated", Post{Status: Trash, Date: at(old)}, tenancy.Editor, "draft", "", Draft, old, false},
	} {
		p, w := c.was, &PostWrite{}
		p.Author = 7
		if c.status != "" {
			w.Status = args.Some(c.status)
		}
		if c.date != "" {
			w.DateUTC = args.DateArg(c.date)
		}
		if err := w.Update(scopeOf(t, 7, c.role), noon, &p); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if p.Status != c.want || p.Dated != c.dated || !p.Date.Equal(at(c.on)) || !p.Modified.Equal(noon) {
			t.Errorf("%s: %s, dated %t on %s", c.name, p.Status, p.Dated, p.Date)
		}
	}
}

// Rule 3.15: in the trash only a new status makes a change possible.
func TestChangesInTheTrash(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		write PostWrite
		want  error
	}{
		"nothing but fields":         {PostWrite{Slug: args.Some("x")}, ErrGone},
		"the status that it has":     {PostWrite{Status: args.Some("trash")}, ErrGone},
		"another status":             {PostWrite{Status: args.Some("draft")}, nil},
		"another status, and a slug": {PostWrite{Status: args.Some("publish"), Slug: args.Some("x")}, nil},
	} {
		p := &Post{Status: Trash, Slug: "choir__trashed"}
		if err := c.write.Update(editorOf(t), noon, p); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := &Post{Status: Publish, Slug: "choir", Dated: true}
	if err := p.MoveToTrash(noon); err != nil || p.Slug != "choir__trashed" || p.Status != Trash || !p.Modified.Equal(noon) {
		t.Errorf("%+v, %v", p, err)
	}
	if err := p.MoveToTrash(noon); !errors.Is(err, ErrGone) { // rule 4.7
		t.Errorf("twice: %v", err)
	}
}

// The date of publication is in the site's time zone, or with date_utc in UTC, which counts if both are given; an
// offset counts in either.
func TestDateOfPublication(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ date, utc, want string }{
		"in the site's time zone":   {"2027-06-01 12:00:00", "", "2027-06-01 10:00:00"},
		"in UTC":                    {"", "2027-06-01 12:00:00", "2027-06-01 12:00:00"},
		"UTC counts":                {"2027-06-02 12:00:00", "2027-06-01 12:00:00", "2027-06-01 12:00:00"},
		"an offset":                 {"2027-06-01T12:00:00-05:00", "", "2027-06-01 17:00:00"},
		"a time that clocks skip":   {"2027-03-28 02:30:00", "", "2027-03-28 01:30:00"},
		"the first of a time twice": {"2027-10-31 02:30:00", "", "2027-10-31 00:30:00"},
	} {
		p, w := &Post{}, &PostWrite{Date: args.DateArg(c.date), DateUTC: args.DateArg(c.utc)}
		if c.date == "" {
			w.Date = args.Opt[args.Date]{}
		}
		if c.utc == "" {
			w.DateUTC = args.Opt[args.Date]{}
		}
		if w.date(editorOf(t), noon, p); !p.Date.Equal(at(c.want)) || !p.Dated {
			t.Errorf("%s: %s", name, p.Date)
		}
	}
}

// Rule 2.6: only editors and administrators name another author, and everybody may name who it is already.
func TestAuthor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		role   tenancy.Role
		author int64
		want   error
	}{{tenancy.Editor, 9, nil}, {tenancy.Author, 9, tenancy.ErrForbidden}, {tenancy.Contributor, 9, tenancy.ErrForbidden}, {tenancy.Author, 7, nil}} {
		p, w := &Post{}, &PostWrite{Author: args.Some(c.author), Unasked: Draft}
		if err := w.Create(scopeOf(t, 7, c.role), noon, p); !errors.Is(err, c.want) || err == nil && p.Author != c.author {
			t.Errorf("%s names %d: %v, %d", c.role, c.author, err, p.Author)
		}
	}
}

// Rules 9.3 and 10.1: where a slug comes from, and what the trash makes of it.
func TestSlugOfEntry(t *testing.T) {
	t.Parallel()
	some := args.Some[string]
	for _, c := range []struct {
		name  string
		write PostWrite
		was   Post // the zero Post is a new one
		want  string
	}{
		{"a new one is named", PostWrite{Name: "Über uns"}, Post{}, "uber-uns"},
		{"or given a slug", PostWrite{Name: "Choir", Slug: some("My Choir")}, Post{}, "my-choir"},
		{"of which nothing remains", PostWrite{Name: "Choir", Slug: some("!?")}, Post{}, "choir"},
		{"an event that is a draft has none yet", PostWrite{Name: "Choir", Status: some("draft"), Lazy: true}, Post{}, ""},
		{"nor has a pending one", PostWrite{Name: "Choir", Status: some("pending"), Lazy: true}, Post{}, ""},
		{"unless one is given", PostWrite{Name: "Choir", Status: some("draft"), Slug: some("c"), Lazy: true}, Post{}, "c"},
		{"or one is asked for", PostWrite{Name: "Choir", Status: some("draft"), Slug: some(""), Lazy: true}, Post{}, "choir"},
		{"one that is created in the trash isn't marked", PostWrite{Name: "Choir", Status: some("trash")}, Post{}, "choir"},
		{"a venue that is a draft has one", PostWrite{Name: "Hall", Status: some("draft")}, Post{}, "hall"},
		{"it gets one when it is published", PostWrite{Name: "Choir", Status: some("publish"), Lazy: true}, Post{ID: 1, Status: Draft}, "choir"},
		{"it stays when the name changes", PostWrite{Name: "Band", Lazy: true}, Post{ID: 1, Status: Publish, Slug: "choir"}, "choir"},
		{"it stays when it is a draft again", PostWrite{Name: "Band", Status: some("draft"), Lazy: true}, Post{ID: 1, Status: Publish, Slug: "choir"}, "choir"},
		{"an empty one asks for a new one", PostWrite{Name: "Band", Slug: some("")}, Post{ID: 1, Status: Publish, Slug: "choir"}, "band"},
		{"the trash marks it", PostWrite{Name: "Choir", Status: some("trash")}, Post{ID: 1, Status: Publish, Slug: "choir"}, "choir__trashed"},
		{"and takes back the mark", PostWrite{Name: "Choir", Status: some("publish")}, Post{ID: 1, Status: Trash, Slug: "choir__trashed"}, "choir"},
		{"and a mark with a number", PostWrite{Name: "Choir", Status: some("publish")}, Post{ID: 1, Status: Trash, Slug: "choir__trashed-2"}, "choir"},
		{"a draft without a slug comes back without one", PostWrite{Name: "Choir", Status: some("draft"), Lazy: true}, Post{ID: 1, Status: Trash, Slug: "__trashed"}, ""},
		{"a mark isn't set twice", PostWrite{Name: "Choir", Status: some("trash"), Slug: some("x__trashed")}, Post{ID: 1, Status: Publish, Slug: "choir"}, "x__trashed"},
	} {
		p, w := c.was, c.write
		p.Dated = true
		write := w.Update
		if p.ID == 0 {
			write = w.Create
		}
		if err := write(editorOf(t), noon, &p); err != nil || p.Slug != c.want {
			t.Errorf("%s: %q, %v", c.name, p.Slug, err)
		}
	}
}

// An undated entry that was never changed is told from one that was, however soon that happens.
func TestChanged(t *testing.T) {
	t.Parallel()
	p := &Post{Date: noon, Modified: noon}
	if p.Changed() {
		t.Error("a new draft was changed")
	}
	if p.changed(noon); !p.Changed() {
		t.Error("a change in the same second is lost")
	}
	p = &Post{Date: noon, Dated: true, Modified: noon}
	if !p.Changed() {
		t.Error("a published one has no time of change")
	}
	if p.changed(noon.Add(-time.Hour)); !p.Modified.Equal(noon.Add(-time.Hour)) {
		t.Errorf("a published one was changed at %s", p.Modified)
	}
}
