package repeats

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/internal/holidays"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/ui"
)

// holidayYears is the number of years for which public holidays are looked up.
const holidayYears = 5

// The values of buttonHolidays.
const (
	nameHolidays = "name"
	skipHolidays = "skip"
)

// holiday is a date of a series that is a public holiday.
type holiday struct {
	at   time.Time
	name string
}

// holidayPlace returns the chosen place, otherwise the country of the event's time zone, of the site's time zone,
// or of the language. It returns nil if no holidays are known for any of these.
func holidayPlace(ctx context.Context, f *frame.Form) *holidays.Jurisdiction {
	if f.Has(repeatHolidays) {
		return holidays.At(f.Get(repeatHolidays))
	}
	site := ui.SiteOf(ctx)
	for _, code := range []string{args.CountryOf(f.Get("timezone")), args.CountryOf(site.Timezone), i18n.CountryOf(site.Language)} {
		if p := holidays.At(code); p != nil {
			return p
		}
	}
	return nil
}

// holidayChoices are the places to choose from, by name.
func holidayChoices(ctx context.Context) []frame.Pair {
	list := []frame.Pair{}
	for _, p := range holidays.Jurisdictions() {
		name := i18n.CountryName(ui.DatesIn(ctx).Tag, p.Country)
		if p.Region != "" {
			name += " – " + p.Region
		}
		list = append(list, frame.Pair{Name: p.Code, Value: name})
	}
	i18n.InOrder(ui.DatesIn(ctx).Tag, list, func(p frame.Pair) string { return p.Value })
	return list
}

// holidaysAmong returns the upcoming dates of a series that are public holidays at a place.
func holidaysAmong(ctx context.Context, r *Repeat, p *holidays.Jurisdiction, now time.Time) (list []holiday) {
	first := args.DayOf(args.WallTime(now, r.Clock.Zone))
	if start := args.DayOf(r.Clock.Start); start.After(first) {
		first = start
	}
	last := first.AddDate(holidayYears, 0, 0)
	names := map[time.Time][]string{}
	for _, h := range p.Between(first, last) {
		if name := h.Name(ui.DatesIn(ctx).Tag); !slices.Contains(names[h.Day], name) {
			names[h.Day] = append(names[h.Day], name)
		}
	}
	for at := range r.Set.All(r.Clock, first) {
		day := args.DayOf(at)
		if day.After(last) {
			break
		}
		if len(names[day]) > 0 {
			list = append(list, holiday{at, ui.Joined(names[day]...)})
		}
	}
	return list
}

// pressHolidays performs the action of a button about public holidays: it lists the dates, or skips the listed
// ones.
func pressHolidays(ctx context.Context, f *frame.Form, do string, now time.Time) {
	what, ok := strings.CutPrefix(do, buttonHolidays)
	if !ok {
		return
	}
	r, unended := unendedIn(ctx, f)
	p := holidayPlace(ctx, f)
	if p == nil || !r.Timed || r.Wrong || !r.Some() {
		return
	}
	if what == nameHolidays {
		f.Set(repeatNamed, p.Code)
		return
	}
	if f.Get(repeatNamed) != p.Code { // others were named
		return
	}
	except := slices.Clone(r.Set.Except)
	for _, h := range holidaysAmong(ctx, r, p, now) {
		except = append(except, h.at)
	}
	r.fill(f, unended)
	f.Set(repeatExcept, writeDays(except, r.Clock.Start))
	f.Set(repeatNamed, "")
}

// fillHolidays fills in the choice of a place, and the dates if a button has requested them.
func (s *Shown) fillHolidays(ctx context.Context, r *Repeat, now time.Time) {
	p := holidayPlace(ctx, s.form)
	if p == nil {
		return
	}
	s.place = p.Code
	if s.named = s.form.Get(repeatNamed) == p.Code; s.named {
		s.holidays = holidaysAmong(ctx, r, p, now)
	}
}
