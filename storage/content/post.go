package content

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/storage/pg"
)

// ReadPost reads what events, venues and organizers begin with.
func ReadPost(f *pg.Fields) calendar.Post {
	return calendar.Post{
		ID:       f.Int64(),
		Version:  f.Int64(),
		Author:   f.Int64(),
		Status:   calendar.Status(f.Text()),
		Slug:     f.Text(),
		Date:     f.Time(),
		Dated:    f.Bool(),
		Modified: f.Time(),
	}
}

// NullID returns nil for 0, the id of nothing.
func NullID(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// NullText returns nil for "", the absence of a text.
func NullText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
