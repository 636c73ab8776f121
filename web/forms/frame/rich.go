package frame

import "github.com/kalends/kalends/calendar/wording"

// drawn cleans a text with markup, so that it is safe in a page whoever wrote it.
func drawn(text string) string {
	clean := wording.CleanHTML(text)
	if len(clean) > wording.LongestHTML {
		return ""
	}
	return clean
}

// tableButtons are the buttons below a text while the caret is in one of its tables.
var tableButtons = []struct{ command, text string }{
	{"rowAbove", "rich.row.above"},
	{"rowBelow", "rich.row.below"},
	{"columnBefore", "rich.column.before"},
	{"columnAfter", "rich.column.after"},
	{"headRow", "rich.row.head"},
	{"rowRemove", "rich.row.remove"},
	{"columnRemove", "rich.column.remove"},
	{"tableRemove", "rich.table.remove"},
}
