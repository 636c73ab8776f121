package editor

import (
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/web/forms/frame"
)

// Functions that templates of the form call.

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
