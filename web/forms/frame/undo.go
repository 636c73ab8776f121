package frame

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar/editing"
)

// undoMark is the prefix of a cookie value that says what the next page can undo.
const undoMark = "undo"

// allMark is the value that means all events of a write, in place of an id.
const allMark = "all"

// UndoAllOf encodes a write to many events, like UndoOf for writes to single events.
func UndoAllOf(version int64) string { return undoMark + "~" + allMark + "." + IDText(version) }

// AllIn decodes the result of UndoAllOf. It returns 0 for anything else.
func AllIn(value string) int64 {
	version, found := strings.CutPrefix(value, undoMark+"~"+allMark+".")
	if !found {
		return 0
	}
	return IDIn(version)
}

// MostUndone is the maximum number of writes undone together.
const MostUndone = 200

// UndoOf encodes writes to undo for a cookie and a form.
func UndoOf(writes ...editing.Write) string {
	parts := []string{undoMark}
	for _, w := range writes {
		parts = append(parts, IDText(w.ID)+"."+IDText(w.Version))
	}
	return strings.Join(parts, "~")
}

// WritesIn decodes the result of UndoOf. It returns nil for anything else.
func WritesIn(value string) []editing.Write {
	parts := strings.Split(value, "~")
	if parts[0] != undoMark || len(parts) > 1+MostUndone {
		return nil
	}
	var list []editing.Write
	for _, part := range parts[1:] {
		id, version, _ := strings.Cut(part, ".")
		n, err := strconv.ParseInt(version, 10, 64)
		if IDIn(id) == 0 || err != nil {
			return nil
		}
		list = append(list, editing.Write{ID: IDIn(id), Version: n})
	}
	return list
}

// OfferUndo makes a reply offer to undo a write of many events. With version 0 there is nothing to undo.
func OfferUndo(v *Visit, r *Reply, version int64) {
	if version == 0 {
		return
	}
	r.Undo = UndoAllOf(version)
	if r.Redirect == "" { // the page itself offers to undo
		v.Undo = r.Undo
	}
}
