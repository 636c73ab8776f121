package editing

import (
	"slices"

	"github.com/kalends/kalends/tenancy"
)

// apartFrom are the origins of deeds that cannot be undone here. Imports have their own undo; scheduled changes and
// visitors' submissions were not made by an editor.
var apartFrom = []tenancy.Via{tenancy.ViaImport, tenancy.ViaSchedule, tenancy.ViaSubmission}

// Undoable returns how a deed of the history can be undone. If all is true, TakeBackAll undoes it. If one is set,
// the deed divided a series, and TakeBack of that write undoes it. If neither is set, all of its changes have been
// replaced, or it deleted items that cannot be restored.
func Undoable(d *tenancy.Deed) (all bool, one *Write) {
	if d.Shared || d.Import != 0 || slices.Contains(apartFrom, d.First().Via) {
		return false, nil
	}
	merged, stands := d.Merged(), false
	for i := range d.Parts {
		e := &d.Parts[i].Entries[0]
		place := e.Position.Kind == "venue" || e.Position.Kind == "organizer"
		if e.Action == "delete" && !(place && e.Position.Kind == merged) {
			return false, nil
		}
		stands = stands || d.Parts[i].Stands
	}
	if !stands {
		return false, nil
	}
	made, changed := d.Part("event", "create"), d.Part("event", "update")
	if made != nil && changed != nil && made.Count == 1 && changed.Entries[0].Before["recurrence"] != nil {
		return false, &Write{ID: made.Entries[0].Position.ID, Version: d.Position.Version}
	}
	return true, nil
}
