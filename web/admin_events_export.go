package web

import (
	"bufio"
	"strings"
	"time"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/feeds"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/web/ui"
)

// forExcel is the format of an export that Excel opens.
const forExcel = "excel"

// exportEvents sends what the list of events has with its filters, whatever the page,
// as a CSV file.
func (w *admin) exportEvents(v *visit) (*reply, error) {
	b := &board{form: &form{kind: "board", values: v.query}}
	f, err := b.filter(v.ctx)
	if err == nil {
		_, err = w.calendar.Events().Counts(v.ctx, f) // what is wrong with it is said before anything is sent
	}
	switch {
	case err != nil && b.refuse(v.ctx, err):
		return &reply{redirect: b.address()}, nil
	case err != nil:
		return nil, err
	}
	scope := v.scope()
	form := calendar.CSVForm{Excel: v.query.Get("format") == forExcel, Semicolons: i18n.DecimalComma(scope.Language),
		Picture: func(image *calendar.Image) string { return feeds.PictureAddress(scope.Base.Origin, image) }}
	name := scope.Site.Slug + "-" + ui.WallAt(w.calendar.Now(), scope.Site.Location).Format(time.DateOnly) + ".csv"
	return &reply{stream: &stream{kind: "text/csv; charset=utf-8", name: name, write: func(out *bufio.Writer) error {
		ctx, cancel := v.lasting(exportTime)
		defer cancel()
		_, err := w.calendar.Events().WriteCSV(ctx, out, f, form)
		return err
	}}}, nil
}

// exported is where the list is to be had as a file.
func (b *board) exported(format string) string {
	address := b.address("sort", "", "order", "", "length", "", "page", "", "format", format)
	return strings.Replace(address, adminRoot+"/events", adminRoot+"/events/export", 1)
}
