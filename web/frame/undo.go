package frame

import (
	"strconv"
	"strings"

	"github.com/kalends/kalends/calendar"
)

// undoMark begins the value of a cookie that says what the next page can take back.
const undoMark = "undo"

// MostUndone bounds the writes that are taken back together.
const MostUndone = 200

// UndoOf says how to take writes back, as a cookie and a form hold it.
func UndoOf(writes ...calendar.Write) string {
	parts := []string{undoMark}
	for _, w := range writes {
		parts = append(parts, IDText(w.ID)+"."+IDText(w.Version))
	}
	return strings.Join(parts, "~")
}

// WritesIn reads what undoOf wrote, nil for anything else.
func WritesIn(value string) []calendar.Write {
	parts := strings.Split(value, "~")
	if parts[0] != undoMark || len(parts) > 1+MostUndone {
		return nil
	}
	var list []calendar.Write
	for _, part := range parts[1:] {
		id, version, _ := strings.Cut(part, ".")
		n, err := strconv.ParseInt(version, 10, 64)
		if IDIn(id) == 0 || err != nil {
			return nil
		}
		list = append(list, calendar.Write{ID: IDIn(id), Version: n})
	}
	return list
}
