package lists

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// sought is the result of a search.
type sought struct {
	choice *layout.Choice // what was looked for
	agenda *Agenda
	page   *calendar.Page[calendar.Event]
	over   bool // no upcoming events were found; it has past events or none
}

// mostGuesses is how many other searches it tries if a search finds nothing.
const mostGuesses = 4

// seek returns the events of a choice. It reads search words as a filter if they name a time, a price or a place. If there are
// no upcoming events, it tries in turn: the days of a feast, past events, what the words probably mean, what they mean if none is
// a filter, and the words without the filter.
func (w *Pages) seek(ctx context.Context, a layout.Asked, c *layout.Choice) (*sought, error) {
	s, said, err := w.asTyped(ctx, a, c)
	if err != nil || !c.Search.Given() {
		return s, err
	}
	if s.page.Total > 0 {
		return w.unlessWithin(ctx, a, s, said)
	}
	version := s.page.Version
	s.over = true
	for _, other := range []func(context.Context, layout.Asked, *layout.Choice, *layout.Choice) (*sought, error){
		w.onFeast,
		w.before,
		w.guess,
		w.asWords,
		w.withoutTime,
	} {
		if found, err := other(ctx, a, c, said); err != nil || found != nil {
			return found.since(version), err
		}
	}
	return s, nil
}

// unlessWithin returns what was found, unless it has the words only inside of other words, and there are events for words that
// are nearly the same: "hage" is in "copenhagen", but means The Hague.
func (w *Pages) unlessWithin(ctx context.Context, a layout.Asked, s *sought, said *layout.Choice) (*sought, error) {
	c := s.choice
	if !c.Search.Given() || c.Any() || s.agenda.Page > 1 || bordered(s.page.Items[0], c.Search.Or("")) {
		return s, nil
	}
	near, err := w.likely(ctx, a, c, said, wording.Guess.Near)
	if err != nil || near == nil {
		return s, err
	}
	return near.since(s.page.Version), nil
}

// onFeast returns the events on the days of a feast named in the search, or nil.
func (w *Pages) onFeast(ctx context.Context, a layout.Asked, c, _ *layout.Choice) (*sought, error) {
	said, err := w.said(ctx, c, says{feasts: true, cities: true})
	if err != nil || said == nil || !said.Timed() {
		return nil, err
	}
	l, page, err := w.chosen(ctx, a, said)
	if err != nil || page.Total == 0 {
		return nil, err
	}
	l.read(c)
	return &sought{choice: said, agenda: l, page: page}, nil
}

// before returns the past events that a search finds, or nil. If they have its words only inside of other words, events for
// words that are nearly the same come first: "cadis" is in "cascadis", but means Cádiz.
func (w *Pages) before(ctx context.Context, a layout.Asked, c, said *layout.Choice) (*sought, error) {
	if c.Any() {
		return nil, nil //nolint:nilnil // there is none
	}
	past, err := w.pastOf(ctx, a, c, c.Search.Or(""))
	if err != nil || past.page.Total == 0 {
		return nil, err
	}
	if !bordered(past.page.Items[0], c.Search.Or("")) {
		if near, err := w.likely(ctx, a, c, said, wording.Guess.Near); err != nil || near != nil {
			return near, err
		}
	}
	return past, nil
}

// bordered reports whether each word of a search is at the end of a word of an event's title, texts or names, or begins as one does.
func bordered(e *calendar.Event, words string) bool {
	texts := []string{e.Title, e.Description, e.Excerpt}
	for _, v := range e.Venues {
		texts = append(texts, v.Name, v.City, v.Address)
	}
	for _, o := range e.Organizers {
		texts = append(texts, o.Name)
	}
	for _, t := range slices.Concat(e.Categories, e.Tags) {
		texts = append(texts, t.Name)
	}
	has := apart(strings.Join(texts, " "))
	return !slices.ContainsFunc(apart(words), func(word string) bool {
		return !slices.ContainsFunc(has, func(one string) bool {
			return strings.HasPrefix(one, beginning(word)) || strings.HasSuffix(one, word)
		})
	})
}

// asWords returns the events for similar words, without reading a word as the name of a city or the like, or nil. Some of these
// are also ordinary words, or part of a title: Nice, Reading, Rust, "Accelerate Online".
func (w *Pages) asWords(ctx context.Context, a layout.Asked, c, said *layout.Choice) (*sought, error) {
	if !untimed(c, said) {
		return nil, nil //nolint:nilnil // there is none
	}
	return w.guess(ctx, a, c, nil)
}

// untimed reports whether a word of a search was read as a city, a price or something else that is no time, and none as a time.
func untimed(c, said *layout.Choice) bool { return said != nil && !said.Timed() && !c.Timed() }

// withoutTime searches for the words except those that name a time, price or place, and for similar words. It
// returns nil if it finds nothing.
func (w *Pages) withoutTime(ctx context.Context, a layout.Asked, c, said *layout.Choice) (*sought, error) {
	if said == nil || !said.Search.Given() || c.Any() {
		return nil, nil //nolint:nilnil // there is none
	}
	text := said.Search.Or("")
	values := maps.Clone(c.Values)
	setWords(values, text)
	plain, err := w.rewritten(ctx, c, values)
	if err != nil {
		return nil, err
	}
	s, _, err := w.asTyped(ctx, a, plain)
	if err != nil || s.page.Total > 0 {
		return s.meaning(text), err
	}
	return w.guess(ctx, a, plain, nil)
}

// meaning records that text was searched for instead of the typed words.
func (s *sought) meaning(text string) *sought {
	if s != nil {
		s.agenda.meant, s.agenda.exactly = text, ""
	}
	return s
}

// read records that the words of a choice were read as a filter.
func (l *Agenda) read(c *layout.Choice) {
	l.older, l.typed, l.exactly = layout.PastPath+c.Words(), c.Search.Or(""), c.At+(&layout.Choice{Values: c.Quoted()}).Query(1)
}

// since lowers the version of the result to that of an earlier read.
func (s *sought) since(version int64) *sought {
	if s != nil {
		s.page.Version = min(s.page.Version, version)
	}
	return s
}

// asTyped returns the events that a choice finds without guessing. It also returns another choice if its words can
// be read as filters, or nil.
func (w *Pages) asTyped(ctx context.Context, a layout.Asked, c *layout.Choice) (*sought, *layout.Choice, error) {
	l, found, err := w.chosen(ctx, a, c)
	s := &sought{choice: c, agenda: l, page: found}
	if err != nil || !c.Search.Given() {
		return s, nil, err
	}
	words := c.Search.Or("")
	l.older = layout.PastPath + c.Words()
	if l.Page > 1 {
		return s, nil, nil
	}
	var said *layout.Choice
	for _, as := range []says{{cities: true}, {}} {
		one, err := w.said(ctx, c, as)
		if as.cities {
			said = one
		}
		if err != nil || one == nil || one.Search.Given() && entitled(found.Items, words) {
			return s, said, err
		}
		other, page, err := w.chosen(ctx, a, one)
		if err != nil {
			return s, said, err
		}
		if page.Total > 0 {
			page.Version = min(page.Version, found.Version)
			other.read(c)
			return &sought{choice: one, agenda: other, page: page}, one, nil
		}
		if len(one.Cities) == len(c.Cities) {
			break // no word was read as a city
		}
	}
	return s, said, nil
}

// says is what words of a search may be read as, in addition to times and prices.
type says struct{ feasts, cities bool }

// entitled reports whether the first event has all words of a search in its title.
func entitled(events []*calendar.Event, words string) bool {
	if len(events) == 0 {
		return false
	}
	title := apart(events[0].Title)
	return !slices.ContainsFunc(apart(words), func(word string) bool { return !slices.Contains(title, word) })
}

// apart returns the folded words of a text.
func apart(text string) []string {
	return strings.FieldsFunc(wording.Fold(text), func(c rune) bool { return !wording.InWord(c) })
}

// beginning returns the letters of a word that its other forms have, too.
func beginning(word string) string {
	letters := []rune(word)
	return string(letters[:min(len(letters), leastBeginning)])
}

// leastBeginning is the number of letters that a word keeps at least when a search looks for its other forms.
const leastBeginning = 4

// said reads the words of a search as filters, and returns the resulting choice: days, free, online, a city, and
// the remaining words. It returns nil if the words name no filter, or only filters that are already selected.
func (w *Pages) said(ctx context.Context, c *layout.Choice, as says) (*layout.Choice, error) {
	words := c.Search.Or("")
	values := maps.Clone(c.Values)
	read := ui.SearchedIn(ctx).Ask(words, w.layout.Today(ctx), as.feasts)
	chosen := map[string]string{"when": read.Period, "from": dayValue(read.First), "to": dayValue(read.Last)}
	if read.Free {
		chosen["cost"] = "free"
	}
	if read.Online {
		chosen["how"] = "online"
	}
	if read.Children {
		chosen["for"] = "children"
	}
	timed := read.Period != "" || !read.First.IsZero()
	if !read.Any() || timed && c.Timed() || read.Free && c.Free || read.Online && c.Taking != "" || read.Children && c.Children != nil {
		chosen, read.Words = nil, words
	}
	for name, value := range chosen {
		if value != "" {
			values.Set(name, value)
		}
	}
	if setWords(values, read.Words); as.cities && !values.Has("city") && values.Has("search") {
		of := &calendar.Choice{}
		of.Search = args.Some(values.Get("search"))
		city, rest, err := w.calendar.Events().CityIn(ctx, of)
		if err != nil {
			return nil, err
		}
		if city != "" {
			values.Set("city", city)
			setWords(values, rest)
		}
	}
	if values.Get("search") == words {
		return nil, nil //nolint:nilnil // nothing is said
	}
	return w.rewritten(ctx, c, values)
}

func dayValue(day time.Time) string {
	if day.IsZero() {
		return ""
	}
	return day.Format(time.DateOnly)
}

func setWords(values url.Values, words string) {
	if values.Set("search", words); words == "" {
		values.Del("search")
	}
}

// rewritten returns a choice with other values on the same page.
func (w *Pages) rewritten(ctx context.Context, c *layout.Choice, values url.Values) (*layout.Choice, error) {
	other := &layout.Choice{At: c.At, Values: values, Embedded: c.Embedded}
	other.Coming()
	other.PerPage = c.PerPage
	return other, w.layout.Fill(ctx, other)
}

// muchUnlike is a difference in cost between two guesses that makes the second much less likely.
const muchUnlike = 5

// muchLess reports whether the next guess is so much less likely that past events found by the guesses so far have priority over
// its upcoming events: it costs much more, or one of its letters is wrong, and none of the guess before.
func muchLess(guess, next wording.Guess) bool {
	return next.Costs >= guess.Costs+muchUnlike || guess.Heard() && !next.Heard()
}

// guess returns the events, upcoming or past, of what the search words probably mean, or nil. said is the choice
// that results from reading the words as filters, or nil.
func (w *Pages) guess(ctx context.Context, a layout.Asked, c, said *layout.Choice) (*sought, error) {
	return w.likely(ctx, a, c, said, func(wording.Guess) bool { return true })
}

// likely is guess with only some of the guesses.
func (w *Pages) likely(ctx context.Context, a layout.Asked, c, said *layout.Choice, of func(wording.Guess) bool) (*sought, error) {
	typed := c
	if said != nil {
		typed = said
	}
	words := typed.Search.Or("")
	guesses, err := w.calendar.Events().Guesses(ctx, words, mostGuesses)
	if err != nil {
		return nil, err
	}
	if corrected := ui.SearchedIn(ctx).Corrected(words); corrected.Text != "" {
		at := slices.IndexFunc(guesses, func(g wording.Guess) bool { return g.Costs >= corrected.Costs })
		if at < 0 {
			at = len(guesses)
		}
		guesses = slices.Insert(guesses, at, corrected)
	}
	guesses = slices.DeleteFunc(guesses, func(g wording.Guess) bool { return !of(g) })
	tried := 0
	for i, g := range guesses {
		s, err := w.coming(ctx, a, typed, g.Text)
		if err != nil || s != nil {
			return s, err
		}
		last := i+1 == len(guesses) || muchLess(g, guesses[i+1])
		if last && untimed(c, said) {
			return nil, nil //nolint:nilnil // asWords also looks for past events
		}
		if c.Any() || said != nil || !last {
			continue
		}
		for ; tried <= i; tried++ {
			s, err := w.pastOf(ctx, a, c, guesses[tried].Text)
			if err != nil || s.page.Total > 0 {
				return s.meaning(guesses[tried].Text), err
			}
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

// coming returns the upcoming events of a choice with text as its search words, or nil.
func (w *Pages) coming(ctx context.Context, a layout.Asked, c *layout.Choice, text string) (*sought, error) {
	values := maps.Clone(c.Values)
	values.Set("search", layout.Shorten(text))
	other, err := w.rewritten(ctx, c, values)
	if err != nil {
		return nil, err
	}
	s, _, err := w.asTyped(ctx, a, other)
	if err != nil || s.page.Total == 0 {
		return nil, err
	}
	return s.meaning(text), nil
}

// pastOf returns the past events that match words.
func (w *Pages) pastOf(ctx context.Context, a layout.Asked, c *layout.Choice, words string) (*sought, error) {
	f := (&calendar.EventFilter{Search: args.Some(words)}).Over()
	f.PerPage = c.PerPage
	l, page, err := w.list(ctx, a, f)
	if err != nil {
		return nil, err
	}
	l.Over, l.at = true, layout.PastPath
	return &sought{choice: c, agenda: l, page: page, over: true}, nil
}

// meantPath is the address of the search for the probable meaning of the words.
func (l *Agenda) meantPath(ctx context.Context) string {
	if l.choice != nil {
		return ui.Href(ctx, l.choice.At+l.choice.Query(1))
	}
	return ui.Href(ctx, l.at+l.Query(1))
}
