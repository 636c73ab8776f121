package frame

import (
	"context"

	"github.com/kalends/kalends/calendar/wording"
)

// drawn is a text with markup as it may stand in a page, whoever typed it.
func drawn(ctx context.Context, text string) string {
	clean, err := wording.CleanHTML(ctx, text)
	if err != nil || len(clean) > wording.LongestHTML {
		return ""
	}
	return clean
}

// tableButtons are the buttons that stand below a text while the caret is in a table of it.
var tableButtons = []struct{ command, text string }{
	{"rowAbove", "rich.row.above"}, {"rowBelow", "rich.row.below"}, {"columnBefore", "rich.column.before"}, {"columnAfter", "rich.column.after"},
	{"headRow", "rich.row.head"}, {"rowRemove", "rich.row.remove"}, {"columnRemove", "rich.column.remove"}, {"tableRemove", "rich.table.remove"},
}
