package tenancy

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kalends/kalends/internal/args"
)

// fields are those of an object, a name and its value by turns.
func fields(pairs ...any) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i].(string)] = pairs[i+1]
	}
	return m
}

// Each entry shows what came in place of what it replaced. Where an entry kept nothing, nobody guesses what was before.
func TestSettle(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		now           map[string]any
		list          []Entry
		after, states []map[string]any
	}{
		"nothing happened": {fields("a", 1), nil, nil, []map[string]any{}},
		"made and changed": {fields("a", 3, "b", 1),
			[]Entry{{Action: "update", Before: fields("a", 2)}, {Action: "update", Before: fields("a", 1, "b", nil)}, {Action: "create"}},
			[]map[string]any{fields("a", 3), fields("a", 2, "b", 1), fields("a", 1, "b", nil)},
			[]map[string]any{fields("a", 3, "b", 1), fields("a", 2, "b", 1), fields("a", 1, "b", nil)}},
		"gone": {nil,
			[]Entry{{Action: "delete", Before: fields("a", 2)}, {Action: "update", Before: fields("a", 1)}, {Action: "create"}},
			[]map[string]any{{}, fields("a", 2), fields("a", 1)},
			[]map[string]any{nil, fields("a", 2), fields("a", 1)}},
		"made anew under its number": {fields("a", 9),
			[]Entry{{Action: "create"}, {Action: "delete", Before: fields("a", 2)}, {Action: "create"}},
			[]map[string]any{fields("a", 9), {}, fields("a", 2)},
			[]map[string]any{fields("a", 9), nil, fields("a", 2)}},
		"a write that kept no history": {fields("a", 3),
			[]Entry{{Action: "update", Before: fields("a", 2)}, {Action: "publish"}, {Action: "update", Before: fields("a", 0)}},
			[]map[string]any{fields("a", 3), nil, nil},
			[]map[string]any{fields("a", 3), fields("a", 2), nil}},
		"a change of nothing": {fields("a", 3),
			[]Entry{{Action: "update", Before: fields()}, {Action: "update", Before: fields("a", 2)}},
			[]map[string]any{fields(), fields("a", 3)},
			[]map[string]any{fields("a", 3), fields("a", 3)}},
		"a field that there is no more": {fields("a", 3),
			[]Entry{{Action: "update", Before: fields("old", 1, "a", 2)}, {Action: "update", Before: fields("old", 0)}},
			[]map[string]any{fields("a", 3), fields("old", 1)},
			[]map[string]any{fields("a", 3), fields("a", 2, "old", 1)}},
		"unknown": {nil, []Entry{{Action: "update", Before: fields("a", 1)}, {Action: "create"}}, []map[string]any{nil, nil}, []map[string]any{nil, nil}},
	} {
		now := fmt.Sprint(c.now)
		states := Settle(c.list, c.now)
		var after []map[string]any
		for i := range c.list {
			after = append(after, c.list[i].After)
		}
		if diff := cmp.Diff(c.after, after); diff != "" {
			t.Errorf("%s: after %s", what, diff)
		}
		if diff := cmp.Diff(c.states, states); diff != "" {
			t.Errorf("%s: states %s", what, diff)
		}
		if fmt.Sprint(c.now) != now {
			t.Errorf("%s: the object itself was changed", what)
		}
	}
}

// A place is read as it was written; whatever else stands in an address is none.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, p := range []Position{{1, 0, "event", 7}, {1 << 60, 1 << 61, "session", 0}, {}} {
		if got, ok := ParsePosition(p.String()); !ok || got != p {
			t.Errorf("%s: %+v %v", p, got, ok)
		}
	}
	for _, text := range []string{"", "1", "1.0.event", "1.0.event.7.8", "a.0.event.7", "1.x.event.7", "1.0.event.", "1.0.event.7x",
		"9223372036854775808.0.event.1", "1.0." + strings.Repeat("e", 100) + ".1"} {
		if p, ok := ParsePosition(text); ok {
			t.Errorf("%q: %+v", text, p)
		}
	}
	found := &args.Problems{}
	for _, text := range []string{"", "1.0.event.7"} {
		(&HistoryFilter{After: args.Some(text)}).Check(found)
	}
	if found.Err() != nil {
		t.Errorf("%v", found.Err())
	}
	if (&HistoryFilter{After: args.Some("x")}).Check(found); found.Err() == nil {
		t.Error("no place is accepted")
	}
}

// told is a history that notes what is asked of it.
type told struct {
	HistoryStore
	entries int
	asked   []HistoryQuery
	err     error
}

func (s *told) List(_ context.Context, q HistoryQuery) (list []Entry, err error) {
	s.asked = append(s.asked, q)
	first := s.entries
	if q.After != nil {
		first = int(q.After.Version) - 1
	}
	for n := first; n > 0 && len(list) < q.Limit; n-- {
		list = append(list, Entry{Position: Position{Version: int64(n), Kind: "event", ID: 1}})
	}
	return list, s.err
}

func (s *told) Provider(ctx context.Context, q HistoryQuery) ([]Entry, error) { return s.List(ctx, q) }

func (s *told) Of(context.Context, string, int64, int64) ([]Entry, map[string]any, error) {
	return []Entry{{Position: Position{2, 0, "event", 1}, Action: "update", Before: fields("a", 1)}, {Position: Position{1, 0, "event", 1}, Action: "create"}}, fields("a", 2), s.err
}

// history returns the history of a site in Berlin for its administrator, at a moment when it is another day in UTC.
func history(t *testing.T, store *told) (*History, context.Context) {
	t.Helper()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)
	return NewHistory(store, func() time.Time { return now }),
		With(t.Context(), Scope{Site: &Site{ID: 1, Location: berlin}, Principal: Principal{UserID: 1, Role: Administrator}})
}

// deeds are the versions of the deeds of one user.
type deeds struct {
	told
	versions []int64
	ranges   [][2]int64 // of versions that were searched, without their limits
}

func (s *deeds) Deeds(_ context.Context, q HistoryQuery) (list []Deed, err error) {
	to := int64(math.MaxInt64)
	if q.After != nil {
		to = q.After.Version
	}
	s.ranges = append(s.ranges, [2]int64{q.Floor, to})
	for _, version := range s.versions {
		if version > q.Floor && version < to && len(list) < q.Limit {
			at := Position{Version: version, ID: q.User}
			list = append(list, Deed{Position: at, Parts: []DeedPart{{Entries: []Entry{{Position: at}}, Count: 1}}})
		}
	}
	return list, nil
}

// A user's own deeds are looked for in a limited number of versions for each page, and all are found.
func TestOwnDeedsAreSearchedPageByPage(t *testing.T) {
	t.Parallel()
	store := &deeds{versions: []int64{169_999, 150_001, 120_001, 120_000, 100_000, 50_001, 50_000, 40_000, 1}}
	h := NewHistory(store, time.Now)
	ctx := With(t.Context(), Scope{Site: &Site{ID: 1, Location: time.UTC, Version: 170_000}, Principal: Principal{UserID: 7, Role: Author}})
	f, found := &HistoryFilter{PerPage: args.Some(2)}, []int64{}
	for page := 0; ; page++ {
		list, next, err := h.Deeds(ctx, f)
		if err != nil || page > 20 {
			t.Fatal(page, err)
		}
		for i := range list {
			found = append(found, list[i].Position.Version)
		}
		if next == "" {
			break
		}
		f.After = args.Some(next)
	}
	if diff := cmp.Diff(store.versions, found); diff != "" {
		t.Error(diff)
	}
	for _, r := range store.ranges {
		if min(r[1], 170_001)-r[0] > mostSearched+1 {
			t.Errorf("%d versions were searched: %v", r[1]-r[0], r)
		}
	}
}

// Pages of a history follow one another without a gap, and the last says that it is the last.
func TestHistoryPages(t *testing.T) {
	t.Parallel()
	for entries, want := range map[int][]int{0: {0}, 1: {1}, 3: {3}, 4: {3, 1}, 6: {3, 3}, 7: {3, 3, 1}} {
		h, ctx := history(t, &told{entries: entries})
		f := &HistoryFilter{PerPage: args.Some(3)}
		var pages []int
		last := int64(entries + 1)
		for {
			list, next, err := h.List(ctx, f)
			if err != nil {
				t.Fatal(err)
			}
			pages = append(pages, len(list))
			for _, e := range list {
				if e.Position.Version != last-1 {
					t.Errorf("%d entries: %d after %d", entries, e.Position.Version, last)
				}
				last = e.Position.Version
			}
			if next == "" {
				break
			}
			f.After = args.Some(next)
		}
		if diff := cmp.Diff(want, pages); diff != "" {
			t.Errorf("%d entries: %s", entries, diff)
		}
	}
	for _, entries := range []int{0, 499, 500, 501, 1000} {
		h, ctx := history(t, &told{entries: entries})
		n := 0
		if err := h.Each(ctx, &HistoryFilter{}, func(*Entry) error { n++; return nil }); err != nil || n != entries {
			t.Errorf("%d of %d entries: %v", n, entries, err)
		}
		stop := errors.New("stop")
		if err := h.Each(ctx, &HistoryFilter{}, func(*Entry) error { return stop }); entries > 0 && !errors.Is(err, stop) {
			t.Errorf("went on: %v", err)
		}
	}
}

// Days are those of the site: from their beginning to their end, also those that the clocks make longer or shorter.
func TestHistoryDays(t *testing.T) {
	t.Parallel()
	date := func(text string) args.Opt[args.Date] {
		d, err := args.ParseDate(text)
		if err != nil {
			t.Fatal(err)
		}
		return args.Some(d)
	}
	for _, c := range []struct{ from, to, after, before string }{
		{"2027-03-27", "2027-03-27", "2027-03-26T23:00:00Z", "2027-03-27T23:00:00Z"},
		{"2027-03-28", "2027-03-28", "2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z"}, // 23 hours
		{"2027-10-31", "2027-10-31", "2027-10-30T22:00:00Z", "2027-10-31T23:00:00Z"}, // 25 hours
		{"2027-03-27 10:00", "2027-03-27 11:30", "2027-03-27T09:00:00Z", "2027-03-27T10:30:00Z"},
		{"2027-03-27T10:00:00Z", "2027-03-27T11:30:00Z", "2027-03-27T10:00:00Z", "2027-03-27T11:30:00Z"},
		{"today", "today", "2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z"}, // the 28th has begun in Berlin
	} {
		store := &told{}
		h, ctx := history(t, store)
		if _, _, err := h.List(ctx, &HistoryFilter{From: date(c.from), To: date(c.to), Who: args.Some(" Ann ")}); err != nil {
			t.Fatal(err)
		}
		q := store.asked[0]
		if q.From.UTC().Format(time.RFC3339) != c.after || q.Before.UTC().Format(time.RFC3339) != c.before || q.Who != "ann" {
			t.Errorf("%s to %s: %s to %s of %q", c.from, c.to, q.From.UTC(), q.Before.UTC(), q.Who)
		}
	}
}

// A history is for the administrators of its site, the provider's for the provider. A key that only reads may read it.
func TestHistoryIsForAdministrators(t *testing.T) {
	t.Parallel()
	h, ctx := history(t, &told{entries: 1})
	site := Current(ctx).Site
	as := func(p Principal) context.Context { return With(t.Context(), Scope{Site: site, Principal: p}) }
	each := func(ctx context.Context) map[string]error {
		_, _, list := h.List(ctx, &HistoryFilter{})
		_, entry := h.Entry(ctx, Position{1, 0, "event", 1})
		return map[string]error{"list": list, "entry": entry, "each": h.Each(ctx, &HistoryFilter{}, func(*Entry) error { return nil })}
	}
	for what, c := range map[string]struct {
		ctx  context.Context
		want error
	}{
		"no site": {t.Context(), ErrNoScope}, "nobody": {as(Principal{}), ErrUnauthenticated}, "an editor": {as(Principal{UserID: 2, Role: Editor}), ErrForbidden},
		"an administrator": {ctx, nil}, "a key that reads": {as(Principal{UserID: 1, Role: Administrator, ReadOnly: true}), nil},
		"the provider there": {as(Principal{Role: Administrator}), nil},
	} {
		for call, err := range each(c.ctx) {
			if !errors.Is(err, c.want) {
				t.Errorf("%s, %s: %v, want %v", what, call, err, c.want)
			}
		}
	}
	for what, c := range map[string]struct {
		ctx  context.Context
		want error
	}{
		"nobody": {t.Context(), ErrUnauthenticated}, "an administrator": {ctx, ErrForbidden}, "the provider": {AsProvider(t.Context(), Provider{}), nil},
	} {
		_, _, list := h.Provider(c.ctx, &HistoryFilter{})
		all := h.EachProvider(c.ctx, &HistoryFilter{}, func(*Entry) error { return nil })
		if !errors.Is(list, c.want) || !errors.Is(all, c.want) {
			t.Errorf("the provider's history for %s: %v, %v", what, list, all)
		}
	}
}

// One entry comes with what came after it and with the whole object; an entry that isn't there is ErrNoEntry, a store that fails something else.
func TestHistoryEntry(t *testing.T) {
	t.Parallel()
	store := &told{}
	h, ctx := history(t, store)
	e, err := h.Entry(ctx, Position{2, 0, "event", 1})
	if err != nil || cmp.Diff(e.After, fields("a", 2)) != "" || cmp.Diff(e.State, fields("a", 2)) != "" {
		t.Errorf("%+v %v", e, err)
	}
	if e, err = h.Entry(ctx, Position{1, 0, "event", 1}); err != nil || cmp.Diff(e.State, fields("a", 1)) != "" {
		t.Errorf("%+v %v", e, err)
	}
	for _, p := range []Position{{3, 0, "event", 1}, {2, 1, "event", 1}, {2, 0, "venue", 1}, {2, 0, "event", 2}} {
		if _, err := h.Entry(ctx, p); !errors.Is(err, ErrNoEntry) {
			t.Errorf("%s: %v", p, err)
		}
	}
	store.err = errors.New("away")
	if _, err := h.Entry(ctx, Position{2, 0, "event", 1}); !errors.Is(err, store.err) {
		t.Errorf("a store that fails: %v", err)
	}
	if _, _, err := h.List(ctx, &HistoryFilter{}); !errors.Is(err, store.err) {
		t.Errorf("a store that fails: %v", err)
	}
}
