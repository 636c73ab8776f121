package settings

import (
	"cmp"
	"context"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/forms/saving"
	"github.com/kalends/kalends/web/ui"
)

// seasons is the setting with the seasons of a site. In forms each season is a field of its own, so that two people can change two of them,
// and each part of a season has a control of its own.
const seasons = "seasons"

// siteAccent is the control with the accent of the site that a form showed for seasons without one.
const siteAccent = "site_accent"

var seasonTable = args.TableOf(reflect.TypeFor[platform.SeasonFields]())

// seasonNames are the fields with the seasons.
var seasonNames = func() (list []string) {
	for n := range tenancy.MostSeasons {
		list = append(list, "season_"+strconv.Itoa(n+1))
	}
	return list
}()

// seasonField says how a season is compared.
func seasonField(n int) saving.Field {
	return saving.Field{
		Text: func(f *frame.Form) string { return seasonText(f, n) },
		Sent: func(f *frame.Form) bool { return f.Has(inSeason(n, "name")) },
		Owns: func(control string) bool { return strings.HasPrefix(control, inSeason(n, "")) },
	}
}

// inSeason returns the name of the control for a part of a season.
func inSeason(n int, part string) string { return seasonNames[n] + "_" + part }

// ofSeason reports whether a control belongs to a season.
func ofSeason(control string) bool { return strings.HasPrefix(control, "season_") }

// fillSeasons fills in the stored seasons.
func fillSeasons(f *frame.Form, site *tenancy.Site) {
	for n := range site.Settings.Seasons {
		s := &site.Settings.Seasons[n]
		for part, text := range map[string]string{
			"name":   s.Name,
			"from":   s.From,
			"until":  s.Until,
			"header": s.Header,
			"accent": s.Accent,
			"lead":   s.Lead,
		} {
			f.Set(inSeason(n, part), text)
		}
	}
}

// joinSeasons joins the months and days that a form has chosen. A color that was the site's when the form was opened is none of the
// season's own, because a browser always sends one.
func joinSeasons(f *frame.Form, site *tenancy.Site) {
	accent := cmp.Or(f.Get(siteAccent), accentOf(site))
	for n := range tenancy.MostSeasons {
		for _, part := range []string{"from", "until"} {
			month, day := f.Get(inSeason(n, part+"_month")), f.Get(inSeason(n, part+"_day"))
			if f.Has(inSeason(n, part+"_month")) {
				f.Set(inSeason(n, part), joined(month, day))
			}
		}
		if name := inSeason(n, "accent"); f.Get(name) == accent {
			f.Set(name, "")
		}
	}
}

// bareColor matches the code of a color without its sign.
var bareColor = regexp.MustCompile(`^[0-9a-f]{6}$`)

// tidyColors writes the codes of colors as they are stored: 7A1F3D becomes #7a1f3d.
func tidyColors(f *frame.Form) {
	names := []string{"accent"}
	for n := range tenancy.MostSeasons {
		names = append(names, inSeason(n, "accent"))
	}
	for _, name := range names {
		if text := strings.ToLower(f.Text(name)); bareColor.MatchString(text) {
			f.Set(name, "#"+text)
		} else if f.Has(name) {
			f.Set(name, text)
		}
	}
}

func accentOf(site *tenancy.Site) string { return cmp.Or(site.Settings.Accent, ui.StandardAccent) }

// joined returns the chosen month and day as a day of the year, or "" if neither was chosen.
func joined(month, day string) string {
	if month+day == "" {
		return ""
	}
	return month + "-" + day
}

// seasonIn returns a season of a form as arguments, without empty ones.
func seasonIn(f *frame.Form, n int) map[string]any {
	season := map[string]any{}
	for i := range seasonTable.Fields {
		name := seasonTable.Fields[i].Name
		if text := f.Text(inSeason(n, name)); text != "" {
			season[name] = text
		}
	}
	return season
}

// seasonsIn returns all seasons as arguments: those of a form, and the stored ones that it lacks.
func seasonsIn(f, now *frame.Form) []any {
	list := make([]any, 0, tenancy.MostSeasons)
	for n, name := range seasonNames {
		of := f
		if !formFields.Sent(f, name) {
			of = now
		}
		list = append(list, seasonIn(of, n))
	}
	return list
}

// seasonText returns a season of a form as one text, for comparing.
func seasonText(f *frame.Form, n int) string {
	var parts []string
	for i := range seasonTable.Fields {
		if text := f.Text(inSeason(n, seasonTable.Fields[i].Name)); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "\n")
}

// seasonRead returns a season of a form as people read it, or "".
func seasonRead(ctx context.Context, f *frame.Form, n int) string {
	if seasonText(f, n) == "" {
		return ""
	}
	lines := []string{seasonTitle(ctx, f, n)}
	for _, part := range []string{"accent", "header", "lead"} {
		if text := f.Text(inSeason(n, part)); text != "" {
			lines = append(lines, partLabel(ctx, f, part)+": "+text)
		}
	}
	return strings.Join(lines, "\n")
}

// partLabel returns the label of a part of a season.
func partLabel(ctx context.Context, f *frame.Form, part string) string {
	return frame.TellOr(ctx, f.Label(ctx, part), "season."+part)
}

// checkSeasons adds the problems of each season to its controls.
func checkSeasons(ctx context.Context, f *frame.Form) error {
	for n := range tenancy.MostSeasons {
		fields, season := &platform.SeasonFields{}, seasonIn(f, n)
		err := seasonTable.ParseAll(season, args.Creating, fields)
		if err != nil && !f.RefuseAs(ctx, err, func(part string) string { return inSeason(n, part) }) {
			return err
		}
	}
	return nil
}

// labelOf returns the label of a setting, of a season, or of a control of a season.
func (ed *editor) labelOf(ctx context.Context, name string) string {
	if !ofSeason(name) {
		return ed.form.Label(ctx, name)
	}
	number, part, _ := strings.Cut(strings.TrimPrefix(name, "season_"), "_")
	n, _ := strconv.Atoi(number)
	label := frame.TellWith(ctx, "season", "N", frame.Number(ctx, n))
	if part != "" {
		label += frame.Tell(ctx, "comma") + " " + partLabel(ctx, ed.form, part)
	}
	return label
}

// seasonTitle is the name of a season with its days, or its number.
func seasonTitle(ctx context.Context, f *frame.Form, n int) string {
	title := frame.TellWith(ctx, "season", "N", frame.Number(ctx, n+1))
	if name := f.Text(inSeason(n, "name")); name != "" {
		title = "\u2068" + name + "\u2069" // in its own direction
	}
	from, until := f.Get(inSeason(n, "from")), f.Get(inSeason(n, "until"))
	if tenancy.IsDayOfYear(from) && tenancy.IsDayOfYear(until) {
		title += frame.Tell(ctx, "comma") + " " + annual(ctx, from) + " – " + annual(ctx, until)
	}
	return title
}

// annual writes a day of every year, such as "12-24". Seasons have the days of the Gregorian calendar, whatever dates are written in.
func annual(ctx context.Context, day string) string {
	at, err := time.Parse(time.DateOnly, "2000-"+day)
	if err != nil {
		return day
	}
	return gregorian(ctx).Annual(at)
}

func gregorian(ctx context.Context) ui.Dates {
	return ui.DatesOf(ui.DatesIn(ctx).Tag, &tenancy.Site{Settings: tenancy.Settings{English: ui.SiteOf(ctx).Settings.English}})
}

// monthsOfYear and daysOfMonth are the choices for a day of the year.
func monthsOfYear(ctx context.Context) (list []frame.Pair) {
	for month := 1; month <= 12; month++ {
		list = append(list, frame.Pair{Name: twoDigits(month), Value: i18n.MonthAlone(ui.DatesIn(ctx).Tag, month, false)})
	}
	return list
}

func daysOfMonth(ctx context.Context) (list []frame.Pair) {
	for day := 1; day <= 31; day++ {
		list = append(list, frame.Pair{Name: twoDigits(day), Value: frame.Number(ctx, day)})
	}
	return list
}

// monthIn and dayIn return the parts of a day of the year, as far as they are chosen.
func monthIn(day string) string {
	month, _, _ := strings.Cut(day, "-")
	return month
}

func dayIn(text string) string {
	_, day, _ := strings.Cut(text, "-")
	return day
}

// monthComesFirst reports whether the language writes the month before the day.
func monthComesFirst(ctx context.Context) bool {
	_, first := gregorian(ctx).MonthFirst()
	return first
}

func twoDigits(n int) string { return strconv.Itoa(100 + n)[1:] }

// opens reports whether the form shows the controls of a season at once: those with problems, or the first if there is no season yet.
func (ed *editor) opens(n int) bool {
	for i := range seasonTable.Fields {
		if ed.form.Problem(inSeason(n, seasonTable.Fields[i].Name)) != "" {
			return true
		}
	}
	return n == 0 && !slices.ContainsFunc(seasonNames, func(name string) bool { return formFields.Text(ed.form, name) != "" })
}

// today returns the number of the stored season that visitors see today, and whether there is one.
func (ed *editor) today() (int, bool) { return ed.site.SeasonOn(ui.WallAt(ed.now, ed.site.Location)) }

// lasts reports whether a stored season is the one that visitors see today.
func (ed *editor) lasts(n int) bool {
	on, is := ed.today()
	return is && on == n
}

// previewedSeason returns the number of the season that the preview shows, from 1: the first that the form changes, otherwise that of
// today, otherwise the first. It returns 0 if there is none.
func (ed *editor) previewedSeason() int {
	stored, first := &frame.Form{Values: map[string][]string{}}, 0
	fillSeasons(stored, ed.site)
	for n := range tenancy.MostSeasons {
		text := seasonText(ed.form, n)
		if text != "" && text != seasonText(stored, n) {
			return n + 1
		}
		if first == 0 && text != "" {
			first = n + 1
		}
	}
	if on, is := ed.today(); is {
		return on + 1
	}
	return first
}
