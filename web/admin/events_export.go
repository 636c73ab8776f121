package admin

import (
	"bufio"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/forms/frame"
	"github.com/kalends/kalends/web/public/layout"
	"github.com/kalends/kalends/web/ui"
)

// forExcel is the format of an export for Excel.
const forExcel = "excel"

// exportEvents sends all pages of the list of events, with its filter, as a CSV file.
func (w *Pages) exportEvents(v *frame.Visit) (*frame.Reply, error) {
	b := &eventList{form: &frame.Form{Kind: "board", Values: v.Query}}
	f, err := b.filter(v.Ctx)
	if err == nil {
		_, err = w.calendar.Events().Counts(v.Ctx, f) // finds problems with the filter before anything is sent
	}
	switch {
	case err != nil && b.refuse(v.Ctx, err):
		return &frame.Reply{Redirect: b.address()}, nil
	case err != nil:
		return nil, err
	}
	scope := v.Scope()
	form := sheets.Form{Excel: v.Query.Get("format") == forExcel, Semicolons: i18n.DecimalComma(scope.Language),
		Picture: func(image *calendar.Image) string { return feeds.PictureAddress(scope.Base.Origin, image) }}
	name := scope.Site.Slug + "-" + ui.WallAt(w.calendar.Now(), scope.Site.Location).Format(time.DateOnly) + ".csv"
	return frame.StreamReply("text/csv; charset=utf-8", name, func(out *bufio.Writer) error {
		ctx, cancel := v.Lasting(frame.ExportTime)
		defer cancel()
		_, err := sheets.WriteCSV(ctx, w.calendar.Events(), out, f, form)
		return err
	}), nil
}

// programme is the address of the programme of the same events, for newspapers, or "" if pages do not know the filter of the list.
func (b *eventList) programme() string {
	query := url.Values{}
	for _, name := range slices.Concat(boardFields, b.addedNames()) {
		value := b.form.Get(name)
		switch name {
		case "search", "organizer", "from", "to":
		case "category":
			if value != "" && b.category == "" {
				return ""
			}
			value = b.category
		case "view", "status", "sort", "order", "length", "page": // the programme has what is published, by date
			continue
		default:
			if value != "" {
				return ""
			}
		}
		if value != "" {
			query.Set(name, value)
		}
	}
	if len(query) == 0 {
		return layout.ProgrammePath
	}
	return layout.ProgrammePath + "?" + query.Encode()
}

// exported is the address of the list as a file.
func (b *eventList) exported(format string) string {
	address := b.address("sort", "", "order", "", "length", "", "page", "", "format", format)
	return strings.Replace(address, frame.AdminRoot+"/events", frame.AdminRoot+"/events/export", 1)
}
