package changes

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// defaultPage is the default number of changes on a page.
const defaultPage = 100

// Filter are the query arguments of GET /changes: its own, and those of GET /events that do not depend on the time of the
// request.
type Filter struct {
	Since   args.Opt[string]     `arg:"since,max=200,beyond"`
	Types   args.Opt[args.Texts] `arg:"types,declared=string,enum=event|venue|organizer|category|tag|image,beyond"`
	PerPage args.Opt[int]        `arg:"per_page,default=100,min=1,max=500"`
	Include args.Opt[string]     `arg:"include,enum=object,beyond"`
	Wait    args.Opt[int]        `arg:"wait,min=1,max=25,beyond"`

	calendar.EventFilter `without:"page,per_page,after,orderby,order,include,password,translations,status,start_date,end_date,starts_before,starts_after,ends_before,ends_after,strict_dates,on,longer_than,accessibility,fields"` //nolint:lll // a tag is one line
}

// Refused are the arguments of GET /events that followers may not use, because their results depend on the time of the request
// or on what the reader knows.
func Refused() []string {
	return []string{"start_date", "end_date", "starts_before", "starts_after", "ends_before", "ends_after", "strict_dates", "on",
		"longer_than", "accessibility", "fields", "status", "password", "page", "offset", "after", "orderby", "order"}
}

// Own reports whether an argument belongs to GET /changes only, and not to GET /events.
func Own(name string) bool {
	return slices.Contains([]string{"since", "types", "include", "wait"}, name)
}

// Check refuses the first dates of series, which change as time passes.
func (f *Filter) Check(found *args.Problems) {
	if f.Series.Or("") == calendar.SeriesFirst {
		found.Invalid("series", "problem.changes.moving", nil)
	}
}

// Whole reports whether the response includes the objects themselves.
func (f *Filter) Whole() bool { return f.Include.Given() }

// types returns the requested types, in the order of Types.
func (f *Filter) types() []string {
	asked := f.Types.Or(nil)
	if len(asked) == 0 {
		return Types()
	}
	return slices.DeleteFunc(Types(), func(t string) bool { return !slices.Contains(asked, t) })
}

// selections returns the selections that the filter follows, and a digest of everything to which a token is bound.
func (f *Filter) selections(s *tenancy.Scope, now time.Time) ([]Selection, uint64, error) {
	q, err := f.EventFilter.Following(s, now)
	if err != nil {
		return nil, 0, err
	}
	plain, err := (&calendar.EventFilter{}).Following(s, now)
	if err != nil {
		return nil, 0, err
	}
	filter, err := canonical(q)
	if err != nil {
		return nil, 0, err
	}
	none, err := canonical(plain)
	if err != nil {
		return nil, 0, err
	}
	types := f.types()
	filtered := filter != none
	if filtered && !slices.Equal(types, []string{Event}) {
		if f.Types.Given() {
			return nil, 0, args.Invalid("types", "problem.changes.types", nil)
		}
		types = []string{Event}
	}
	list := make([]Selection, len(types))
	all := sha256.New()
	for i, t := range types {
		list[i] = Selection{Type: t, Viewer: q.Viewer}
		about := fmt.Sprintf("%d %s %v ", s.Site.ID, t, q.Viewer)
		if t == Event {
			list[i].Events, list[i].Filtered = q, filtered
			about += filter
		}
		if t == Image && !s.Principal.MayRead(tenancy.EditOwn) {
			list[i].Shown = true
			if !s.Principal.Anonymous() {
				about += "shown"
			}
		}
		sum := sha256.Sum256([]byte(about))
		copy(list[i].Key[:], sum[:])
		all.Write(sum[:])
	}
	return list, binary.BigEndian.Uint64(all.Sum(nil)), nil
}

// canonical returns a text that is equal for queries with the same result. It omits unused conditions, so that tokens remain
// valid when a release adds conditions.
func canonical(q calendar.EventQuery) (string, error) {
	q.Page, q.PerPage, q.OrderBy, q.Descending, q.Until = 0, 0, "", false, time.Time{}
	plain, err := json.Marshal(q) //nolint:musttag // nobody reads it; it is compared
	if err != nil {
		return "", fmt.Errorf("write a filter: %w", err)
	}
	if known, ok := canonicals.get(string(plain)); ok {
		return known, nil
	}
	var tree any
	if err := json.Unmarshal(plain, &tree); err != nil {
		return "", fmt.Errorf("read a filter: %w", err)
	}
	used, err := json.Marshal(pruned(tree))
	if err == nil {
		canonicals.put(string(plain), string(used))
	}
	return string(used), err
}

// canonicals are the canonical texts of recent filters, because followers send the same filters repeatedly.
var canonicals texts

// mostTexts is how many texts are remembered. When there are more, all are forgotten.
const mostTexts = 200

// texts caches texts that were derived from others.
type texts struct {
	mu sync.Mutex
	of map[string]string
}

func (t *texts) get(from string) (made string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	made, ok = t.of[from]
	return made, ok
}

func (t *texts) put(from, made string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil || len(t.of) >= mostTexts {
		t.of = map[string]string{}
	}
	t.of[from] = made
}

// pruned returns a JSON value without empty members. A list keeps its entries.
func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member = pruned(member); member == nil {
				delete(v, name)
			} else {
				v[name] = member
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		if len(v) == 0 {
			return nil
		}
	case string:
		if v == "" || v == "0001-01-01T00:00:00Z" {
			return nil
		}
	case float64:
		if v == 0 {
			return nil
		}
	}
	return v
}

// Events are the conditions of a filter of events that do not depend on the time, for packages that follow events without a
// token.
type Events struct {
	calendar.EventFilter `without:"page,per_page,after,orderby,order,include,password,translations,status,start_date,end_date,starts_before,starts_after,ends_before,ends_after,strict_dates,on,longer_than,accessibility,fields"` //nolint:lll // a tag is one line
}

// Check refuses the first dates of series, which change as time passes.
func (f *Events) Check(found *args.Problems) {
	if f.Series.Or("") == calendar.SeriesFirst {
		found.Invalid("series", "problem.changes.moving", nil)
	}
}

// Selection returns the selection of events that the scope's principal sees with the filter.
func (f *Events) Selection(s *tenancy.Scope, now time.Time) (*Selection, error) {
	list, _, err := (&Filter{Types: args.Some(args.Texts{Event}), EventFilter: f.EventFilter}).selections(s, now)
	if err != nil {
		return nil, err
	}
	return &list[0], nil
}
