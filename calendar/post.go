package calendar

import "time"

// Status is where an event, venue or organizer stands in its life.
type Status string

// The statuses (rules 2.3 and 3.12). Publish with a date to come is Future and
// becomes Publish when its time has come.
const (
	Publish Status = "publish"
	Future  Status = "future"
	Draft   Status = "draft"
	Pending Status = "pending"
	Private Status = "private"
	Trash   Status = "trash"
)

// Statuses lists all statuses.
func Statuses() []Status { return []Status{Publish, Future, Draft, Pending, Private, Trash} }

// Key addresses an item by id, or by slug when ID is 0 and Slug is not "".
type Key struct {
	ID     int64
	Slug   string
	Former bool   // for pages: a slug that nothing has now finds what had it, or what that was merged into
	In     string // the languages of texts whose slugs count before the site's own, with commas between
	On     Span   // of a series the first occurrence whose original start is within; zero: the series itself
}

// Post is what events, venues and organizers have in common.
type Post struct {
	ID       int64
	Version  int64 // of the site, at the item's last change
	Author   int64 // user id, 0 when the user is gone
	Status   Status
	Slug     string
	Date     time.Time // instant of publication; while undated, of creation
	Dated    bool      // false for drafts and pending items nobody gave a date
	Modified time.Time
	Image    *Image
	Translated
}

// Trashed reports whether the item is in the trash.
func (p *Post) Trashed() bool { return p.Status == Trash }

// Image is a picture of the site (rule 6.1).
type Image struct {
	ID            int64
	Version       int64
	Key           string // random folder its blobs lie in
	File          string // name of the original
	MIME          string
	Extension     string
	Width, Height int
	Bytes         int64
	Sizes         []ImageSize
	Alt           string
	Source        string // address it was fetched from, or ""
	Author        int64
	Created       time.Time
	Translated    // the title of its texts is the alternative text
}

// ImageSize is a smaller rendering of an Image.
type ImageSize struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	MIME   string `json:"mime"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int64  `json:"bytes"`
}
