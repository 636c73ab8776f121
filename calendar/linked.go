package calendar

// Venue is a place where events take place.
type Venue struct {
	Post
	Name                                string // plain text
	Description, Excerpt                string // sanitized HTML
	Address, City, Country              string
	Province, State, StateProvince, Zip string
	Phone, Website                      string
	GeoLat, GeoLng                      *float64 // WGS 84 degrees
	ShowMap, ShowMapLink                bool
	Accessibility                       []string // as of Facts
	Fields                              AddedFields
}

// Organizer is a person or group that holds events.
type Organizer struct {
	Post
	Name                  string // plain text
	Description, Excerpt  string // sanitised HTML
	Phone, Website, Email string
}

// Taxonomy says whether a Term is a category or a tag.
type Taxonomy string

// Term is a category or a tag.
type Term struct {
	ID          int64
	Version     int64
	Taxonomy    Taxonomy
	Name        string // plain text
	Slug        string
	Description string // sanitized HTML
	Parent      int64  // parent category; 0 at the top and for tags
	Path        string // slugs from the top, separated by slashes
	Ways        string // Path including the ancestors' slugs in other languages; "" if they have none
	Count       int    // published events with this term
	Color       string // of a category: #rrggbb in lowercase, or ""
	Translated
}

// StateOrProvince returns the default of stateprovince: the state in the United States or without a country, and the
// province elsewhere (rule 8.2).
func (v *Venue) StateOrProvince() string {
	switch v.Country {
	case "", "United States", "US", "USA":
		if v.State != "" {
			return v.State
		}
	}
	return v.Province
}

// Region returns the state or province for an address, or "".
func (v *Venue) Region() string {
	for _, name := range []string{v.StateProvince, v.StateOrProvince(), v.State} {
		if name != "" {
			return name
		}
	}
	return ""
}
