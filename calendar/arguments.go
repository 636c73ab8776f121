package calendar

import (
	"github.com/kalends/kalends/calendar/translations"
	"github.com/kalends/kalends/internal/args"
)

// The argument structs below define the interface: names, types, defaults and limits. TEC has none of the fields
// marked "beyond".

// PostFields are the arguments of everything that has an author and a status.
type PostFields struct {
	Author  args.Opt[int64]     `arg:"author,min=1,nonull,shown=string"`
	Date    args.Opt[args.Date] `arg:"date,nonull"`
	DateUTC args.Opt[args.Date] `arg:"date_utc,nonull"`
}

// EventFields are the arguments of an event write.
type EventFields struct {
	PostFields
	Title       args.Opt[string]                      `arg:"title,required,nonempty,max=1000"`
	Description args.Opt[string]                      `arg:"description,nonempty,bytes=262144"`
	Slug        args.Opt[string]                      `arg:"slug,nonempty,max=200"`
	Excerpt     args.Opt[string]                      `arg:"excerpt,nonempty,bytes=262144"`
	Status      args.Opt[string]                      `arg:"status,nonempty,nonull,enum=publish|future|draft|pending|private|trash"`
	Timezone    args.Opt[args.Zone]                   `arg:"timezone"`
	AllDay      args.Opt[bool]                        `arg:"all_day,default=false"`
	Start       args.Opt[args.Date]                   `arg:"start_date,required"`
	End         args.Opt[args.Date]                   `arg:"end_date,required"`
	Image       args.Opt[args.Image]                  `arg:"image,nonempty"`
	Cost        args.Opt[any]                         `arg:"cost"`
	Website     args.Opt[args.URL]                    `arg:"website,default=null"`
	ShowMap     args.Opt[bool]                        `arg:"show_map"`
	ShowMapLink args.Opt[bool]                        `arg:"show_map_link"`
	Hidden      args.Opt[bool]                        `arg:"hide_from_listings"`
	Sticky      args.Opt[bool]                        `arg:"sticky"`
	Featured    args.Opt[bool]                        `arg:"featured"`
	Categories  args.Opt[args.Refs]                   `arg:"categories,default=null"`
	Tags        args.Opt[args.Refs]                   `arg:"tags,default=null"`
	Venue       args.Opt[args.Links[VenueFields]]     `arg:"venue,default=null"`
	Organizer   args.Opt[args.Links[OrganizerFields]] `arg:"organizer,default=null"`

	Tickets  args.Opt[args.Objects[TicketFields]] `arg:"tickets,entries=50,beyond"`
	Parent   args.Opt[int64]                      `arg:"post_parent,min=0,beyond"`
	Password args.Opt[string]                     `arg:"post_password,max=255,beyond"`

	Recurrence   args.Opt[args.TextOrObject] `arg:"recurrence,beyond"`
	AppliesTo    args.Opt[string]            `arg:"applies_to,enum=this|following|all,beyond"`
	Exceptions   args.Opt[string]            `arg:"exceptions,enum=keep|reset,beyond"`
	EventStatus  args.Opt[string]            `arg:"event_status,enum=scheduled|cancelled|canceled|postponed|rescheduled,beyond"`
	StatusReason args.Opt[string]            `arg:"event_status_reason,max=1000,beyond"`
	Attendance   args.Opt[string]            `arg:"attendance_mode,enum=offline|online|mixed,beyond"`
	VirtualURL   args.Opt[args.URL]          `arg:"virtual_url,beyond"`
	VirtualShown args.Opt[string]            `arg:"virtual_url_shown,enum=always|started|never,beyond"`
	EndUnknown   args.Opt[bool]              `arg:"end_unknown,beyond"`
	Entry        args.Opt[args.Texts]        `arg:"accessibility,enum=wheelchair|toilets|hearing_loop|sign_language|captions|audio_description|plain_language|quiet_hour,beyond"`
	Audience     args.Opt[args.Texts]        `arg:"audience,enum=toddlers|children|teenagers|families|adults|seniors,beyond"`
	Spoken       args.Opt[args.Texts]        `arg:"event_language,enum=ar|bg|bn|bs|ca|cs|cy|da|de|dsb|el|en|eo|es|et|eu|fa|fi|fr|fy|ga|gl|he|hi|hr|hsb|hu|hy|id|is|it|ja|ka|ko|ku|lb|lt|lv|mk|mt|nb|nds|nl|pl|pt|rm|ro|ru|sk|sl|so|sq|sr|sv|sw|ta|th|ti|tr|uk|ur|vi|zh|zxx,beyond"`
	Register     args.Opt[args.Date]         `arg:"registration_until,beyond"`
	ReviewNote   args.Opt[string]            `arg:"review_note,max=2000,beyond"`
	Fields       args.Opt[args.Members]      `arg:"fields,beyond"`
	Performers   args.Opt[args.Lines]        `arg:"performers,max=200,beyond"`
	Video        args.Opt[args.URL]          `arg:"video_url,beyond"`
	SEOTitle     args.Opt[string]            `arg:"seo_title,max=200,beyond"`
	SEODesc      args.Opt[string]            `arg:"seo_description,max=500,beyond"`

	WrittenIn
	Translations args.Opt[args.Named[translations.EventTexts]] `arg:"translations,entries=100,shown=array,beyond"`

	Back Replaced // what taking a write back restores; not an API argument
	Past bool     // Fields are of an earlier version: values of fields that the site no longer defines are dropped; not an API argument
}

// TicketFields are the arguments of one ticket offer (rule 5.9).
type TicketFields struct {
	Name      args.Opt[string]    `arg:"name,required,nonempty,max=200"`
	URL       args.Opt[args.URL]  `arg:"url"`
	Price     args.Opt[float64]   `arg:"price,min=0,max=1000000000,blank"`
	Currency  args.Opt[string]    `arg:"currency,max=3"`
	Available args.Opt[args.Date] `arg:"available_from"`
	Until     args.Opt[args.Date] `arg:"available_until"`
	Status    args.Opt[string]    `arg:"status,enum=available|box_office|sold_out|presale|closed"`
}

// VenueFields are the arguments of a venue write.
type VenueFields struct {
	PostFields
	Name          args.Opt[string]      `arg:"venue,required,nonempty,max=1000"`
	Description   args.Opt[string]      `arg:"description,default=null,bytes=262144"`
	Status        args.Opt[string]      `arg:"status,nonempty,nonull,enum=publish|future|draft|pending|private|trash"`
	ShowMap       args.Opt[args.Truthy] `arg:"show_map,declared=string,default=null"`
	ShowMapLink   args.Opt[args.Truthy] `arg:"show_map_link,declared=string,default=null"`
	Address       args.Opt[string]      `arg:"address,default=null,max=1000"`
	City          args.Opt[string]      `arg:"city,default=null,max=1000"`
	Country       args.Opt[string]      `arg:"country,default=null,max=1000"`
	Province      args.Opt[string]      `arg:"province,default=null,max=1000"`
	State         args.Opt[string]      `arg:"state,default=null,max=1000"`
	Zip           args.Opt[string]      `arg:"zip,default=null,max=1000"`
	Phone         args.Opt[string]      `arg:"phone,default=null,max=1000"`
	StateProvince args.Opt[string]      `arg:"stateprovince,default=null,max=1000"`
	Website       args.Opt[args.URL]    `arg:"website,default=null"`
	Image         args.Opt[args.Image]  `arg:"image,default=null"`

	Slug    args.Opt[string]     `arg:"slug,max=200,beyond"`
	Excerpt args.Opt[string]     `arg:"excerpt,bytes=262144,beyond"`
	GeoLat  args.Opt[float64]    `arg:"geo_lat,min=-90,max=90,blank,beyond"`
	GeoLng  args.Opt[float64]    `arg:"geo_lng,min=-180,max=180,blank,beyond"`
	Entry   args.Opt[args.Texts] `arg:"accessibility,enum=wheelchair|toilets|hearing_loop|sign_language|captions|audio_description|plain_language|quiet_hour,beyond"`

	Fields args.Opt[args.Members] `arg:"fields,beyond"`

	WrittenIn
	Translations args.Opt[args.Named[translations.VenueTexts]] `arg:"translations,entries=100,shown=array,beyond"`

	Past bool // as of EventFields
}

// OrganizerFields are the arguments of an organizer write. Their declared
// defaults differ from the venue's, as in TEC.
type OrganizerFields struct {
	Author      args.Opt[int64]      `arg:"author,default=null,min=1,nonull,shown=string"`
	Date        args.Opt[args.Date]  `arg:"date,default=null,nonull"`
	DateUTC     args.Opt[args.Date]  `arg:"date_utc,default=null,nonull"`
	Name        args.Opt[string]     `arg:"organizer,required,default=null,nonempty,max=1000"`
	Description args.Opt[string]     `arg:"description,default=null,bytes=262144"`
	Status      args.Opt[string]     `arg:"status,default=null,nonempty,nonull,enum=publish|future|draft|pending|private|trash"`
	Phone       args.Opt[string]     `arg:"phone,default=null,max=1000"`
	Website     args.Opt[args.URL]   `arg:"website,default=null"`
	Email       args.Opt[args.Email] `arg:"email,default=null"`
	Image       args.Opt[args.Image] `arg:"image,default=null"`

	Slug    args.Opt[string] `arg:"slug,max=200,beyond"`
	Excerpt args.Opt[string] `arg:"excerpt,bytes=262144,beyond"`

	WrittenIn
	Translations args.Opt[args.Named[translations.OrganizerTexts]] `arg:"translations,entries=100,shown=array,beyond"`
}

// CategoryFields are the arguments of a category write.
type CategoryFields struct {
	TagFields
	Parent args.Opt[int64]  `arg:"parent,min=0,typed"`
	Color  args.Opt[string] // of a category: #rrggbb or ""; not an API argument, because the API's shape is fixed
}

// TagFields are the arguments of a tag write.
type TagFields struct {
	Name        args.Opt[string] `arg:"name,required,nonempty,max=200"`
	Description args.Opt[string] `arg:"description,nonempty,bytes=262144"`
	Slug        args.Opt[string] `arg:"slug,nonempty,max=200"`

	WrittenIn
	Translations args.Opt[args.Named[translations.TermTexts]] `arg:"translations,entries=100,shown=array,beyond"`
}

// Paging are the arguments of every list.
type Paging struct {
	Page    args.Opt[int] `arg:"page,default=1,min=1,max=1000000000"`
	PerPage args.Opt[int] `arg:"per_page,computed=15,min=1"`
}

// EventFilter are the query arguments of GET /events.
type EventFilter struct {
	Paging
	Start        args.Opt[args.Date]   `arg:"start_date"`
	End          args.Opt[args.Date]   `arg:"end_date"`
	StartsBefore args.Opt[args.Date]   `arg:"starts_before"`
	StartsAfter  args.Opt[args.Date]   `arg:"starts_after"`
	EndsBefore   args.Opt[args.Date]   `arg:"ends_before"`
	EndsAfter    args.Opt[args.Date]   `arg:"ends_after"`
	StrictDates  args.Opt[args.Truthy] `arg:"strict_dates,default=false"`
	Search       args.Opt[string]      `arg:"search,max=500"`
	Categories   args.Opt[args.Refs]   `arg:"categories"`
	Tags         args.Opt[args.Refs]   `arg:"tags"`
	Venue        args.Opt[args.IDs]    `arg:"venue"`
	Organizer    args.Opt[args.IDs]    `arg:"organizer"`
	Featured     args.Opt[bool]        `arg:"featured"`
	Status       args.Opt[args.Texts]  `arg:"status,declared=string,enum=publish|future|draft|pending|private|trash"`
	Geoloc       args.Opt[bool]        `arg:"geoloc"`
	GeolocLat    args.Opt[float64]     `arg:"geoloc_lat,min=-90,max=90"`
	GeolocLng    args.Opt[float64]     `arg:"geoloc_lng,min=-180,max=180"`
	Include      args.Opt[args.IDs]    `arg:"include,blank"`
	PostParent   args.Opt[int64]       `arg:"post_parent,min=1"`
	Ticketed     args.Opt[bool]        `arg:"ticketed"`

	GeolocRadius args.Opt[float64] `arg:"geoloc_radius,default=25,min=0,max=20038,beyond"`
	OrderBy      args.Opt[string]  `arg:"orderby,default=start_date,enum=start_date|end_date|title|date|modified|relevance,beyond"`
	Order        args.Opt[string]  `arg:"order,default=asc,enum=asc|desc|ASC|DESC,beyond"`
	Password     args.Opt[string]  `arg:"password,max=255,beyond"`

	On         args.Opt[string] `arg:"on,enum=tonight|today|tomorrow|weekend|week,beyond"`
	LongerThan args.Opt[int]    `arg:"longer_than,min=0,max=3660,beyond"`

	After       args.Opt[string]     `arg:"after,max=40,beyond"`
	Series      args.Opt[string]     `arg:"series,max=20,beyond"`
	Source      args.Opt[int64]      `arg:"source,min=1,beyond"`
	Recurring   args.Opt[bool]       `arg:"recurring,beyond"`
	EventStatus args.Opt[args.Texts] `arg:"event_status,declared=string,enum=scheduled|cancelled|postponed|rescheduled,beyond"`
	Attendance  args.Opt[string]     `arg:"attendance_mode,enum=offline|online|mixed,beyond"`

	Accessibility args.Opt[args.Texts] `arg:"accessibility,declared=string,enum=wheelchair|toilets|hearing_loop|sign_language|captions|audio_description|plain_language|quiet_hour,beyond"`
	Audience      args.Opt[args.Texts] `arg:"audience,declared=string,enum=toddlers|children|teenagers|families|adults|seniors,beyond"`
	Spoken        args.Opt[args.Texts] `arg:"event_language,declared=string,enum=ar|bg|bn|bs|ca|cs|cy|da|de|dsb|el|en|eo|es|et|eu|fa|fi|fr|fy|ga|gl|he|hi|hr|hsb|hu|hy|id|is|it|ja|ka|ko|ku|lb|lt|lv|mk|mt|nb|nds|nl|pl|pt|rm|ro|ru|sk|sl|so|sq|sr|sv|sw|ta|th|ti|tr|uk|ur|vi|zh|zxx,beyond"`

	Fields args.Opt[args.Members] `arg:"fields,beyond"`

	CategoriesExclude args.Opt[args.Refs] `arg:"categories_exclude,beyond"`
	TagsExclude       args.Opt[args.Refs] `arg:"tags_exclude,beyond"`
	VenueExclude      args.Opt[args.IDs]  `arg:"venue_exclude,beyond"`

	Speaking
	Translated args.Opt[bool] `arg:"translated,beyond"`

	Lacks Lack           // narrows lists for editors; not an API argument
	Shown Shown          // what lists for editors do with what is on show; not an API argument
	Ended args.Opt[bool] // narrows lists for editors to events that are over now, or to others; not an API argument
}

// FeedFilter are the query arguments of feeds: those of GET /events without page and order, which feeds determine
// themselves.
type FeedFilter struct {
	EventFilter `without:"page,per_page,after,orderby,order,translations"`
	Chosen      Chosen // what only public pages filter by; not an API argument
}

// Check rejects an incomplete position, and a series that is neither a number nor "first".
func (f *EventFilter) Check(found *args.Problems) {
	if text, ok := f.Series.Get(); ok && text != SeriesFirst && seriesID(text) == 0 {
		found.Invalid("series", "problem.series.filter", nil)
	}
	if after, ok := f.After.Get(); ok {
		if _, valid := ParsePlace(after); !valid || f.OrderBy.Or("start_date") != "start_date" {
			found.Invalid("after", "problem.after", nil)
		}
	}
	if f.GeolocLat.Given() != f.GeolocLng.Given() {
		name, other := "geoloc_lat", "geoloc_lng"
		if f.GeolocLat.Given() {
			name, other = other, name
		}
		found.Invalid(name, "problem.with", map[string]any{"Other": other})
	}
}

// PlaceFilter are the query arguments of GET /venues and GET /organizers.
type PlaceFilter struct {
	Paging
	Search       args.Opt[string]      `arg:"search,max=500"`
	Event        args.Opt[int64]       `arg:"event,min=1"`
	HasEvents    args.Opt[args.Truthy] `arg:"has_events"`
	OnlyUpcoming args.Opt[args.Truthy] `arg:"only_with_upcoming,default=false"`
	Status       args.Opt[args.Texts]  `arg:"status,declared=string,enum=publish|future|draft|pending|private|trash"`

	Speaking
	Translated args.Opt[bool] `arg:"translated,beyond"`

	ByName bool // instead of the newest first; not an API argument
}

// TagFilter are the query arguments of GET /tags.
type TagFilter struct {
	Paging
	Search    args.Opt[string]    `arg:"search,nonempty,max=500"`
	Exclude   args.Opt[args.Refs] `arg:"exclude,nonempty"`
	Include   args.Opt[args.Refs] `arg:"include,nonempty"`
	Order     args.Opt[string]    `arg:"order,nonempty"`
	OrderBy   args.Opt[string]    `arg:"orderby,nonempty"`
	HideEmpty args.Opt[bool]      `arg:"hide_empty,default=1"`
	Post      args.Opt[int64]     `arg:"post,min=1"`
	Event     args.Opt[int64]     `arg:"event,min=1"`
	Slug      args.Opt[string]    `arg:"slug,nonempty,max=200"`
	Offset    args.Opt[int]       `arg:"offset,min=0,max=1000000000,beyond"`

	Speaking
	Translated args.Opt[bool] `arg:"translated,beyond"`
}

// CategoryFilter are the query arguments of GET /categories.
type CategoryFilter struct {
	TagFilter
	Parent args.Opt[int64] `arg:"parent,min=1,typed"`
}
