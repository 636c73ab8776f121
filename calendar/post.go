package calendar

import (
	"strconv"
	"time"
)

// Status is the publication status of an event, venue or organizer.
type Status string

// The statuses (rule 9.1). Publish with a future date becomes Future, and Publish again when the time has come.
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

// Key identifies an item by id, or by slug if ID is 0 and Slug is not "".
type Key struct {
	ID     int64
	Slug   string
	Former bool   // for pages: an unused slug also finds the item that once had it, or that this item was merged into; so does an id
	In     string // languages whose slugs take precedence over the site's own, separated by commas
	On     Span   // selects the first occurrence of a series whose original start is within; zero: the series itself
}

// FormerID is the slug that redirects to the item that had an ID on another site.
func FormerID(id int64) string { return "?p=" + strconv.FormatInt(id, 10) }

// Post is the common part of events, venues and organizers.
type Post struct {
	ID       int64
	Version  int64 // of the site, at the item's last change
	Author   int64 // user id; 0 if the user was deleted
	Status   Status
	Slug     string
	Date     time.Time // instant of publication, or of creation if not Dated
	Dated    bool      // false for drafts and pending items that were never given a date
	Modified time.Time
	Image    *Image
	Outside  bool // of the area of the principal who reads it, so that they may not change it
	Translated
}

// Trashed reports whether the item is in the trash.
func (p *Post) Trashed() bool { return p.Status == Trash }

// Image is an image of the site (rule 6.1).
type Image struct {
	ID            int64
	Version       int64
	Key           string // random folder of its blobs
	File          string // file name of the original
	MIME          string
	Extension     string
	Width, Height int
	Bytes         int64
	Sizes         []ImageSize
	Tone          string // dominant color as #rrggbb; "": unknown
	Focus         Focus  // what is never cut off
	Alt           string
	Source        string // address it was fetched from, or ""
	Author        int64
	Created       time.Time
	Translated    // titles in Texts are translations of the alternative text
}

// Focus is a point of an image, in percent from the left and from the top. It is never cropped.
type Focus struct{ X, Y int }

// Middle is the default focus of an image.
var Middle = Focus{50, 50}

// ImageSize is a smaller rendition of an Image.
type ImageSize struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	MIME   string `json:"mime"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Bytes  int64  `json:"bytes"`
}
