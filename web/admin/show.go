package admin

import (
	"context"
	"strconv"

	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/web/forms/frame"
)

// Functions that templates of the administration call.

// lengths are the page lengths to choose from.
func lengths(ctx context.Context) []frame.Pair {
	list := make([]frame.Pair, 0, len(boardLengths))
	for _, n := range boardLengths {
		list = append(list, frame.Pair{Name: strconv.Itoa(n), Value: frame.Number(ctx, n)})
	}
	return list
}

// editorAddress is the address to which the form of an event is sent.
func editorAddress(ed *eventEditor) string {
	if ed.event == nil {
		return frame.AdminRoot + "/events/new"
	}
	return frame.EventAddress(ed.event.ID)
}

// previewAddress is the address that previews the form of an event while someone types.
func previewAddress(ed *eventEditor) string {
	if ed.event == nil {
		return frame.AdminRoot + "/events/preview"
	}
	address := frame.AdminRoot + "/events/preview?id=" + frame.IDText(ed.event.ID)
	if ed.event.Series != nil {
		address += "&series=" + frame.IDText(ed.event.Series.ID)
	}
	return address
}

// texts returns the event's translations.
func (ed *eventEditor) texts() translations.Texts {
	if ed.event == nil {
		return translations.Texts{}
	}
	return ed.event.Texts
}
