package submissions

import (
	"context"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/wording"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Fields are the arguments of a submitted event.
type Fields struct {
	Title       args.Opt[string]      `arg:"title,required,nonempty,max=200"`
	Start       args.Opt[args.Date]   `arg:"start_date,required"`
	End         args.Opt[args.Date]   `arg:"end_date,nonull"`
	AllDay      args.Opt[bool]        `arg:"all_day,default=false"`
	Venue       args.Opt[string]      `arg:"venue,max=200"`
	Address     args.Opt[string]      `arg:"address,max=200"`
	City        args.Opt[string]      `arg:"city,max=200"`
	Description args.Opt[string]      `arg:"description,max=10000"`
	Cost        args.Opt[string]      `arg:"cost,max=200"`
	Website     args.Opt[args.URL]    `arg:"website"`
	Category    args.Opt[int64]       `arg:"category,min=1,blank"`
	Name        args.Opt[string]      `arg:"contact_name,required,nonempty,max=200"`
	Email       args.Opt[args.Email]  `arg:"contact_email,required,nonempty"`
	Note        args.Opt[string]      `arg:"note,max=2000"`
	Terms       args.Opt[args.Truthy] `arg:"terms"`
}

// CorrectionFields are the arguments of a correction by the sender. Fields that are not given stay unchanged.
type CorrectionFields struct {
	Fields `without:"contact_email,terms"`
	SenderFields
}

// SenderFields are the arguments that identify a sender.
type SenderFields struct {
	Token args.Opt[string] `arg:"token,always,nonempty,max=100"`
}

// Over returns the fields with absent ones set to those of the previous version.
func (f *Fields) Over(was *Sent) *Fields {
	all := *f
	asWas(&all.Title, was.Title)
	asWas(&all.AllDay, was.AllDay)
	asWas(&all.Venue, was.Venue)
	asWas(&all.Address, was.Address)
	asWas(&all.City, was.City)
	asWas(&all.Description, was.Description)
	asWas(&all.Cost, was.Cost)
	asWas(&all.Website, args.URL(was.Website))
	asWas(&all.Category, was.Category)
	asWas(&all.Name, was.Name)
	asWas(&all.Note, was.Note)
	if !all.Start.Given() {
		all.Start = args.DateArg(was.Start)
	}
	if !all.End.Given() {
		all.End = args.DateArg(was.End)
	}
	return &all
}

// asWas sets an absent argument.
func asWas[T any](field *args.Opt[T], was T) {
	if !field.Given() {
		*field = args.Some(was)
	}
}

// Filter are the arguments of a list of submissions.
type Filter struct {
	calendar.Paging
	Status args.Opt[string] `arg:"status,default=waiting,enum=waiting|decided"`
}

// ApprovalFields are the arguments of an approval.
type ApprovalFields struct {
	Status args.Opt[string] `arg:"status,default=publish,enum=publish|draft,nonull"`
}

// RefusalFields are the arguments of a refusal.
type RefusalFields struct {
	Message args.Opt[string] `arg:"message,max=2000"`
	Tell    args.Opt[bool]   `arg:"tell,default=true,nonull"`
}

// ReturnFields are the arguments of sending a submission back.
type ReturnFields struct {
	Note args.Opt[string] `arg:"review_note,required,nonempty,max=2000"`
}

// sent returns the content of the fields, and all problems with them as *args.Problems. Texts are plain: anything
// that looks like HTML is kept as typed.
func (f *Fields) sent(scope *tenancy.Scope, now time.Time) (*Sent, error) {
	found := &args.Problems{}
	t := &Sent{
		Title: wording.Tidy(f.Title.Or("")), Description: wording.TidyLines(f.Description.Or("")), AllDay: f.AllDay.Or(false),
		Venue: wording.Tidy(f.Venue.Or("")), Address: wording.Tidy(f.Address.Or("")), City: wording.Tidy(f.City.Or("")),
		Cost:    wording.Tidy(f.Cost.Or("")),
		Website: string(f.Website.Or("")), Category: f.Category.Or(0),
		Name: wording.Tidy(f.Name.Or("")), Email: string(f.Email.Or("")), Note: wording.TidyLines(f.Note.Or("")), Language: scope.Language,
	}
	if writes := scope.Writes(); writes != scope.Site.Language {
		t.Writing = writes
	}
	for _, one := range []struct{ arg, text string }{{"title", t.Title}, {"contact_name", t.Name}, {"contact_email", t.Email}} {
		if one.text == "" {
			found.Invalid(one.arg, "problem.blank", nil)
		}
	}
	if t.Venue == "" && t.Address+t.City != "" {
		found.Invalid("venue", "problem.blank", nil)
	}
	if scope.Site.Settings.Submissions.Terms != "" && !bool(f.Terms.Or(false)) {
		found.Invalid("terms", "problem.agree", nil)
	}
	place := scope.Site.Location
	start := args.WallTime(f.Start.Or(args.Date{}).In(place, now), place)
	end := start
	if date, ok := f.End.Get(); ok {
		end = args.WallTime(date.In(place, now), place)
	}
	last := end
	if t.AllDay {
		start, end, last = args.DayOf(start), args.DayOf(end), args.LastSecond(end)
	}
	switch {
	case !f.Start.Given():
	case end.Before(start):
		found.Invalid("end_date", "problem.end", nil)
	case args.Resolve(last, place).Before(now):
		found.Invalid("start_date", "problem.past", nil)
	}
	t.Start, t.End = start.Format(time.DateTime), end.Format(time.DateTime)
	return t, found.Err()
}

// asHTML converts a plain text to HTML. An empty line starts a paragraph.
func asHTML(text string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(text, "\n\n") {
		if part = strings.Trim(part, "\n"); part != "" {
			b.WriteString("<p>" + strings.ReplaceAll(wording.EscapeText(part), "\n", "<br>") + "</p>")
		}
	}
	return b.String()
}

// fields returns the arguments of the submitted event: all of them, or only those that differ from a previous
// version.
func (t *Sent) fields(was *Sent) *calendar.EventFields {
	all := was == nil
	if all {
		was = &Sent{}
	}
	f := &calendar.EventFields{}
	if t.Writing != "" {
		f.ContentLanguage = args.Some(t.Writing)
	}
	if all { // the form of the administration begins with the same
		f.Status, f.ShowMapLink = args.Some(string(calendar.Pending)), args.Some(true)
	}
	if all || t.Title != was.Title {
		f.Title = args.Some(wording.EscapeText(t.Title)) // the title rule decodes it again
	}
	if t.Description != was.Description {
		f.Description = args.Some(asHTML(t.Description))
	}
	if all || t.AllDay != was.AllDay || t.Start != was.Start || t.End != was.End {
		f.AllDay = args.Some(t.AllDay)
		f.Start, f.End = args.DateArg(t.Start), args.DateArg(t.End)
	}
	if t.Venue != was.Venue || t.Address != was.Address || t.City != was.City {
		f.Venue = args.Some(t.venue())
	}
	if t.Cost != was.Cost {
		f.Cost = args.Some[any](wording.EscapeText(t.Cost))
	}
	if t.Website != was.Website {
		f.Website = args.Some(args.URL(t.Website))
	}
	if t.Category != was.Category {
		f.Categories = args.Some(args.Refs{})
		if t.Category != 0 {
			f.Categories = args.Some(args.Refs{{ID: t.Category}})
		}
	}
	return f
}

// spoken returns the submission. If the site no longer publishes in the submission's language, its texts count as being in the
// site's language.
func (t *Sent) spoken(ctx context.Context) *Sent {
	now := *t
	if site := tenancy.Current(ctx).Site; now.Writing == site.Language || !site.Speaks(now.Writing) {
		now.Writing = ""
	}
	return &now
}

// venue returns the venue as a link to create or reuse: an existing one is reused if its name and all other given
// fields are equal.
func (t *Sent) venue() args.Links[calendar.VenueFields] {
	if t.Venue == "" {
		return args.Links[calendar.VenueFields]{}
	}
	v := &calendar.VenueFields{Name: args.Some(wording.EscapeText(t.Venue))}
	if t.Writing != "" {
		v.ContentLanguage = args.Some(t.Writing)
	}
	if t.Address != "" {
		v.Address = args.Some(wording.EscapeText(t.Address))
	}
	if t.City != "" {
		v.City = args.Some(wording.EscapeText(t.City))
	}
	return args.Links[calendar.VenueFields]{{New: v}}
}
