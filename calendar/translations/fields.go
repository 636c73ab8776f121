package translations

import "github.com/kalends/kalends/internal/args"

// EventTexts are the texts of an event in one language.
type EventTexts struct {
	Title       args.Opt[string] `arg:"title,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
	Cost        args.Opt[any]    `arg:"cost"`
	SEOTitle    args.Opt[string] `arg:"seo_title,max=200"`
	SEODesc     args.Opt[string] `arg:"seo_description,max=500"`
}

// VenueTexts are the texts of a venue in one language.
type VenueTexts struct {
	Name        args.Opt[string] `arg:"venue,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
	Address     args.Opt[string] `arg:"address,max=1000"`
	City        args.Opt[string] `arg:"city,max=1000"`
	Country     args.Opt[string] `arg:"country,max=1000"`
}

// OrganizerTexts are the texts of an organizer in one language.
type OrganizerTexts struct {
	Name        args.Opt[string] `arg:"organizer,max=1000"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Excerpt     args.Opt[string] `arg:"excerpt,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
}

// TermTexts are the texts of a category or tag in one language.
type TermTexts struct {
	Name        args.Opt[string] `arg:"name,max=200"`
	Description args.Opt[string] `arg:"description,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,max=200"`
}

// Write returns the texts as a Write.
func (t *EventTexts) Write() *Write {
	return &Write{Title: t.Title, Description: t.Description, Excerpt: t.Excerpt, Slug: t.Slug, Cost: t.Cost,
		SEOTitle: t.SEOTitle, SEODesc: t.SEODesc}
}

// Write returns the texts as a Write.
func (t *VenueTexts) Write() *Write {
	return &Write{Title: t.Name, Description: t.Description, Excerpt: t.Excerpt, Slug: t.Slug,
		Address: t.Address, City: t.City, Country: t.Country}
}

// Write returns the texts as a Write.
func (t *OrganizerTexts) Write() *Write {
	return &Write{Title: t.Name, Description: t.Description, Excerpt: t.Excerpt, Slug: t.Slug}
}

// Write returns the texts as a Write.
func (t *TermTexts) Write() *Write {
	return &Write{Title: t.Name, Description: t.Description, Slug: t.Slug}
}
