package calendar

// Elsewhere describes the origin of an event that this site received from another site of the installation.
type Elsewhere struct {
	Home string  `json:"home"` // scheme and host of the site that it belongs to
	Slug string  `json:"slug"` // there
	Via  []int64 `json:"via"`  // ids of the sites that the event came through, beginning with the original site
}

// Canonical returns the address of the event's page on the site that it belongs to. It returns "" for an event of
// this site.
func (e *Event) Canonical() string {
	if e.Elsewhere == nil {
		return ""
	}
	there := *e
	there.Slug = e.Elsewhere.Slug
	return e.Elsewhere.Home + there.Path()
}

// Address returns the address of an event's page on the site to which the event belongs. For an event of this site, that is
// below pages.
func (e *Event) Address(pages string) string {
	if there := e.Canonical(); there != "" {
		return there
	}
	return pages + e.Path()
}

// Orphans are the venues, organizers and images that came with withdrawn events and are no longer used.
type Orphans struct{ Venues, Organizers, Images []int64 }
