package editing

import (
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// apartFrom are the ways in which deeds came about that are taken back elsewhere, or not by an editor: imports, what the time did, what
// visitors sent.
var apartFrom = []tenancy.Via{tenancy.ViaImport, tenancy.ViaSchedule, tenancy.ViaSubmission}

// Undoable reports how a deed of the history is taken back: by TakeBackAll, or by TakeBack of the write that it returns, because it divided a
// series. It is neither if nothing of the deed stands, or if it deleted what nothing brings back.
func Undoable(d *tenancy.Deed) (all bool, one *Write) {
	if d.Shared || d.Import != 0 || slices.Contains(apartFrom, d.First().Via) {
		return false, nil
	}
	merged, stands := d.Merged(), false
	for i := range d.Parts {
		e := &d.Parts[i].Entries[0]
		place := e.Place.Kind == "venue" || e.Place.Kind == "organizer"
		if e.Action == "delete" && !(place && e.Place.Kind == merged) {
			return false, nil
		}
		stands = stands || d.Parts[i].Stands
	}
	if !stands {
		return false, nil
	}
	made, changed := d.Part("event", "create"), d.Part("event", "update")
	if made != nil && changed != nil && made.Count == 1 && changed.Entries[0].Before["recurrence"] != nil {
		return false, &Write{ID: made.Entries[0].Place.ID, Version: d.Place.Version}
	}
	return true, nil
}
