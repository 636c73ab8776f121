package api

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/internal/args"
)

// previewing are the arguments of a preview: only those that determine when an event takes place.
type previewing struct {
	Timezone   args.Opt[args.Zone]         `arg:"timezone,beyond"`
	AllDay     args.Opt[bool]              `arg:"all_day,default=false,beyond"`
	Start      args.Opt[args.Date]         `arg:"start_date,required,beyond"`
	End        args.Opt[args.Date]         `arg:"end_date,required,beyond"`
	Recurrence args.Opt[args.TextOrObject] `arg:"recurrence,beyond"`
}

// previewed is the maximum number of occurrences in a preview.
const previewed = 20

func (a *API) previewEvent(ctx context.Context, _ Call, in *previewing) (*Answer, error) {
	e, list, err := a.calendar.Events().Preview(ctx, calendar.Key{}, &calendar.EventFields{
		Timezone: in.Timezone, AllDay: in.AllDay, Start: in.Start, End: in.End, Recurrence: in.Recurrence}, previewed)
	if err != nil {
		return nil, err
	}
	v := a.newView(ctx)
	v.preview(e, list)
	return v.Answer(0), nil
}

// preview writes when an event would take place.
func (v *View) preview(e *calendar.Event, list []calendar.Occurrence) {
	v.Bytes = append(v.Bytes, '{')
	v.Open("occurrences", '[')
	for i := range list {
		v.Item()
		v.Time("start_date", list[i].Start)
		v.Time("end_date", list[i].End)
		v.Time("utc_start_date", list[i].StartUTC)
		v.Time("utc_end_date", list[i].EndUTC)
		v.Time("original_start", list[i].Original)
		v.Close('}')
	}
	v.Close(']')
	v.Text("timezone", e.Timezone)
	if e.Recurrence != nil {
		v.recurrence(e)
	}
	v.Close('}')
}

func (a *API) listOccurrences(ctx context.Context, c Call, in *calendar.EventFilter) (*Answer, error) {
	page, q, err := a.calendar.Events().Occurrences(ctx, c.Key, in)
	if err != nil {
		return nil, err
	}
	path := "events/" + strconv.FormatInt(q.Series, 10) + "/occurrences"
	q.Series = 0
	return a.eventList(ctx, path, page, q)
}
