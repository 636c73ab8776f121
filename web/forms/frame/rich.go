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
