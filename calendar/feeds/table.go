package feeds

import (
	"bytes"
	"context"
	"io"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/calendar/sheets"
	"github.com/kalends/kalends/tenancy"
)

// The media types of tables.
const (
	CSVType      = "text/csv; charset=utf-8"
	WorkbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// Table returns the events that match a filter as a table that can be imported, in the language of the site and
// with a column for each text in its other languages: as CSV, or as an Excel workbook. It leaves out events with a
// password, because the copy would be readable without it.
func Table(ctx context.Context, events services.Events, f *calendar.FeedFilter, workbook bool) (*Document, error) {
	scope := *tenancy.Current(ctx)
	scope.Language = scope.Site.Language
	own := tenancy.With(ctx, scope)
	feed, err := events.Feed(own, f)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	table, err := sheets.NewTable(own, &out, sheets.Form{Workbook: workbook, Version: feed.Version,
		Picture: func(image *calendar.Image) string { return PictureAddress(scope.Base.Origin, image) }}, events.Now())
	if err != nil {
		return nil, err
	}
	doc := &Document{Kind: CSVType, Name: "events.csv", Version: feed.Version, Until: feed.Until,
		Changed: changed(ctx, feed.Until, events.Now())}
	if workbook {
		doc.Kind, doc.Name = WorkbookType, "events.xlsx"
	}
	ended := false
	doc.next = func(ctx context.Context) ([]byte, error) {
		if ended {
			return nil, io.EOF
		}
		some, err := feed.Next(tenancy.With(ctx, scope))
		if err != nil {
			return nil, err
		}
		if ended = len(some) == 0; ended {
			err = table.Close()
		} else {
			err = rows(table, some)
		}
		piece := bytes.Clone(out.Bytes())
		out.Reset()
		return piece, err
	}
	return doc, nil
}

// rows writes events, without events that no longer exist or have a password.
func rows(table *sheets.Table, list []services.FeedEvent) error {
	for i := range list {
		if list[i].Gone || list[i].Protected() {
			continue
		}
		if err := table.Write(&list[i]); err != nil {
			return err
		}
	}
	return table.Flush()
}
