package api

import (
	"slices"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/feeds"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// The arguments of routes that package calendar does not know, such as passwords of events, and force (rule 4.7).
type (
	reading struct {
		Password args.Opt[string] `arg:"password,max=255"`
		calendar.Speaking
	}
	readingBySlug struct {
		Password args.Opt[string] `arg:"password,max=255,beyond"`
		calendar.Speaking
	}
	speaking struct{ calendar.Speaking }
	removal  struct {
		Force args.Opt[args.Truthy] `arg:"force,beyond"`
	}
	eventRemoval struct {
		Password args.Opt[string] `arg:"password,max=255"`
		seriesRemoval
	}
	seriesRemoval struct {
		removal
		AppliesTo args.Opt[string] `arg:"applies_to,enum=this|following|all,beyond"`
	}
	eventUpdate struct {
		EventPassword args.Opt[string] `arg:"password,max=255"`
		eventUpdateBySlug
	}
	eventUpdateBySlug struct {
		calendar.EventFields
		Source args.Opt[args.TextOrObject] `arg:"source,beyond"`
	}
	rootArguments struct {
		Namespace args.Opt[string] `arg:"namespace,computed=calendar/events/v1"`
		Context   args.Opt[string] `arg:"context,default=view"`
	}
)

// Routes returns the route table in the order of /doc.
func (a *API) Routes() []Route {
	return slices.Concat(a.ownRoutes(), a.eventRoutes(), a.venueRoutes(), a.organizerRoutes(), a.termRoutes(), a.imageRoutes(),
		a.changeRoutes(), a.numberRoutes(), a.sentRoutes(), a.importRoutes(), a.sourceRoutes(), a.webhookRoutes(), a.fieldRoutes())
}

// ownRoutes are the routes about the interface itself and its user.
func (a *API) ownRoutes() []Route {
	const get, read = "GET", args.Reading
	return []Route{
		on[nothing](get, "/", "root", read, a.root).of("", "Root").by(tenancy.NoAccess),
		on[nothing](get, "/me", "me", read, a.me).of("", "Me").by(tenancy.NoAccess).more().personal(),
		on[nothing](get, "/doc", "doc", read, a.doc).of("", "Document").by(tenancy.NoAccess),
	}
}

// eventRoutes are the routes of events and of lists of them.
func (a *API) eventRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		event                = "event"
		events, eventID      = "/events", "/events/{id}"
		eventSlug            = "/events/by-slug/{slug}"
	)
	return []Route{
		on[nothing](get, events, "events.list", read, a.listEvents).of(event, "EventList").by(tenancy.ReadEvents),
		on[nothing](post, events, "events.create", create, a.createEvent).of(event, "Event").by(tenancy.WriteEvents),
		on[nothing](post, "/events/preview", "events.preview", create, a.previewEvent).of(event, "EventPreview").
			by(tenancy.WriteEvents).looking().more(),
		on[byID](get, "/events/{id}/occurrences", "events.occurrences.list", read, a.listOccurrences).of(event, "EventList").
			by(tenancy.ReadEvents).more(),
		on[nothing](get, "/events.ics", "events.feed", read, a.feed).of(event, "").by(tenancy.ReadEvents).as(feedMedia).more(),
		on[nothing](get, "/events.csv", "events.csv", read, a.table(false)).of(event, "").by(tenancy.ReadEvents).as(tableMedia).more(),
		on[nothing](get, "/events.xlsx", "events.xlsx", read, a.table(true)).of(event, "").
			by(tenancy.ReadEvents).as(feeds.WorkbookType).more(),
		on[byID](get, eventID, "events.get", read, a.getEvent).of(event, "Event").by(tenancy.ReadEvents),
		on[byID](del, eventID, "events.delete", read, a.deleteEvent).of(event, "Event").by(tenancy.WriteEvents),
		on[byID](post, eventID, "events.update", update, a.updateEvent).of(event, "Event").by(tenancy.WriteEvents),
		on[bySlug](get, eventSlug, "events.get", read, a.getEventBySlug).of(event, "Event").by(tenancy.ReadEvents),
		on[bySlug](del, eventSlug, "events.delete", read, a.deleteEventBySlug).of(event, "Event").by(tenancy.WriteEvents),
		on[bySlug](post, eventSlug, "events.update", update, a.updateEventBySlug).of(event, "Event").by(tenancy.WriteEvents),
	}
}

// venueRoutes are the routes of venues.
func (a *API) venueRoutes() []Route {
	const (
		get, post, del       = "GET", "POST", "DELETE"
		read, create, update = args.Reading, args.Creating, args.Updating
		venue                = "venue"
		venues, venueID      = "/venues", "/venues/{id}"
		venueSlug            = "/venues/by-slug/{slug}"
	)
	return []Route{
		on[nothing](get, venues, "venues.list", read, a.listVenues).of(venue, "VenueList").by(tenancy.ReadVenues),
		on[nothing](post, venues, "venues.create", create, a.createVenue).of(venue, "Venue").by(tenancy.WriteVenues),
		on[byID](get, venueID, "venues.get", read, a.getVenue).of(venue, "Venue").by(tenancy.ReadVenues),
		on[byID](del, venueID, "venues.delete", read, a.deleteVenue).of(venue, "Venue").by(tenancy.WriteVenues),
		on[byID](post, venueID, "venues.update", update, a.updateVenue).of(venue, "Venue").by(tenancy.WriteVenues),
		on[bySlug](get, venueSlug, "venues.get", read, a.getVenue).of(venue, "Venue").by(tenancy.ReadVenues),
		on[bySlug](del, venueSlug, "venues.delete", read, a.deleteVenue).of(venue, "Venue").by(tenancy.WriteVenues),
		on[bySlug](post, venueSlug, "venues.update", update, a.updateVenue).of(venue, "Venue").by(tenancy.WriteVenues),
	}
}

// organizerRoutes are the routes of organizers.
func (a *API) organizerRoutes() []Route {
	const (
		get, post, del          = "GET", "POST", "DELETE"
		read, create, update    = args.Reading, args.Creating, args.Updating
		organizer               = "organizer"
		organizers, organizerID = "/organizers", "/organizers/{id}"
		organizerSlug           = "/organizers/by-slug/{slug}"
	)
	return []Route{
		on[nothing](get, organizers, "organizers.list", read, a.listOrganizers).of(organizer, "OrganizerList").by(tenancy.ReadOrganizers),
		on[nothing](post, organizers, "organizers.create", create, a.createOrganizer).of(organizer, "Organizer").
			by(tenancy.WriteOrganizers),
		on[byID](get, organizerID, "organizers.get", read, a.getOrganizer).of(organizer, "Organizer").by(tenancy.ReadOrganizers),
		on[byID](del, organizerID, "organizers.delete", read, a.deleteOrganizer).of(organizer, "Organizer").by(tenancy.WriteOrganizers),
		on[byID](post, organizerID, "organizers.update", update, a.updateOrganizer).of(organizer, "Organizer").by(tenancy.WriteOrganizers),
		on[bySlug](get, organizerSlug, "organizers.get", read, a.getOrganizer).of(organizer, "Organizer").by(tenancy.ReadOrganizers),
		on[bySlug](del, organizerSlug, "organizers.delete", read, a.deleteOrganizer).of(organizer, "Organizer").by(tenancy.WriteOrganizers),
		on[bySlug](post, organizerSlug, "organizers.update", update, a.updateOrganizer).of(organizer, "Organizer").
			by(tenancy.WriteOrganizers),
	}
}

// termRoutes are the routes of categories and tags.
func (a *API) termRoutes() []Route {
	const (
		get, post, del         = "GET", "POST", "DELETE"
		read, create, update   = args.Reading, args.Creating, args.Updating
		category, tag          = "category", "tag"
		categories, categoryID = "/categories", "/categories/{id}"
		tags, tagID            = "/tags", "/tags/{id}"
	)
	return []Route{
		on[nothing](get, categories, "categories.list", read, a.listCategories).of(category, "CategoryList").by(tenancy.ReadTerms),
		on[nothing](post, categories, "categories.create", create, a.createCategory).of(category, "Category").by(tenancy.WriteTerms),
		on[byID](get, categoryID, "categories.get", read, a.getCategory).of(category, "Category").by(tenancy.ReadTerms),
		on[byID](post, categoryID, "categories.update", update, a.updateCategory).of(category, "Category").by(tenancy.WriteTerms),
		on[byID](del, categoryID, "categories.delete", read, a.deleteCategory).of(category, "Category").by(tenancy.WriteTerms),

		on[nothing](get, tags, "tags.list", read, a.listTags).of(tag, "TagList").by(tenancy.ReadTerms),
		on[nothing](post, tags, "tags.create", create, a.createTag).of(tag, "Tag").by(tenancy.WriteTerms),
		on[byID](get, tagID, "tags.get", read, a.getTag).of(tag, "Tag").by(tenancy.ReadTerms),
		on[byID](post, tagID, "tags.update", update, a.updateTag).of(tag, "Tag").by(tenancy.WriteTerms),
		on[byID](del, tagID, "tags.delete", read, a.deleteTag).of(tag, "Tag").by(tenancy.WriteTerms),
	}
}

// imageRoutes are the routes of images.
func (a *API) imageRoutes() []Route {
	const (
		get, post, del = "GET", "POST", "DELETE"
		read, create   = args.Reading, args.Creating
		image          = "image"
		media, mediaID = "/media", "/media/{id}"
	)
	return []Route{
		on[nothing](post, media, "media.create", create, a.uploadImage).of(image, "Image").by(tenancy.WriteImages).more(),
		on[byID](get, mediaID, "media.get", read, a.getImage).of(image, "Image").by(tenancy.ReadImages).more(),
		on[byID](del, mediaID, "media.delete", read, a.deleteImage).of(image, "Image").by(tenancy.WriteImages).more(),
	}
}

// changeRoutes are the routes for following what changes.
func (a *API) changeRoutes() []Route {
	const get, read, event = "GET", args.Reading, "event"
	return []Route{
		on[nothing](get, "/changes", "changes.list", read, a.listChanges).of(event, "ChangeList").by(tenancy.ReadChanges).more(),
	}
}
