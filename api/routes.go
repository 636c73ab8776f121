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
		On[Nothing](get, "/", "root", read, a.root).Of("", "Root").By(tenancy.NoAccess),
		On[Nothing](get, "/me", "me", read, a.me).Of("", "Me").By(tenancy.NoAccess).more(),
		On[Nothing](get, "/doc", "doc", read, a.doc).Of("", "Document").By(tenancy.NoAccess),
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
		On[Nothing](get, events, "events.list", read, a.listEvents).Of(event, "EventList").By(tenancy.ReadEvents),
		On[Nothing](post, events, "events.create", create, a.createEvent).Of(event, "Event").By(tenancy.WriteEvents),
		On[Nothing](post, "/events/preview", "events.preview", create, a.previewEvent).Of(event, "EventPreview").
			By(tenancy.WriteEvents).looking().more(),
		On[ByID](get, "/events/{id}/occurrences", "events.occurrences.list", read, a.listOccurrences).Of(event, "EventList").
			By(tenancy.ReadEvents).more(),
		On[Nothing](get, "/events.ics", "events.feed", read, a.feed).Of(event, "").By(tenancy.ReadEvents).as(feedMedia).more(),
		On[Nothing](get, "/events.csv", "events.csv", read, a.table(false)).Of(event, "").By(tenancy.ReadEvents).as(tableMedia).more(),
		On[Nothing](get, "/events.xlsx", "events.xlsx", read, a.table(true)).Of(event, "").
			By(tenancy.ReadEvents).as(feeds.WorkbookType).more(),
		On[ByID](get, eventID, "events.get", read, a.getEvent).Of(event, "Event").By(tenancy.ReadEvents),
		On[ByID](del, eventID, "events.delete", read, a.deleteEvent).Of(event, "Event").By(tenancy.WriteEvents),
		On[ByID](post, eventID, "events.update", update, a.updateEvent).Of(event, "Event").By(tenancy.WriteEvents),
		On[BySlug](get, eventSlug, "events.get", read, a.getEventBySlug).Of(event, "Event").By(tenancy.ReadEvents),
		On[BySlug](del, eventSlug, "events.delete", read, a.deleteEventBySlug).Of(event, "Event").By(tenancy.WriteEvents),
		On[BySlug](post, eventSlug, "events.update", update, a.updateEventBySlug).Of(event, "Event").By(tenancy.WriteEvents),
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
		On[Nothing](get, venues, "venues.list", read, a.listVenues).Of(venue, "VenueList").By(tenancy.ReadVenues),
		On[Nothing](post, venues, "venues.create", create, a.createVenue).Of(venue, "Venue").By(tenancy.WriteVenues),
		On[ByID](get, venueID, "venues.get", read, a.getVenue).Of(venue, "Venue").By(tenancy.ReadVenues),
		On[ByID](del, venueID, "venues.delete", read, a.deleteVenue).Of(venue, "Venue").By(tenancy.WriteVenues),
		On[ByID](post, venueID, "venues.update", update, a.updateVenue).Of(venue, "Venue").By(tenancy.WriteVenues),
		On[BySlug](get, venueSlug, "venues.get", read, a.getVenue).Of(venue, "Venue").By(tenancy.ReadVenues),
		On[BySlug](del, venueSlug, "venues.delete", read, a.deleteVenue).Of(venue, "Venue").By(tenancy.WriteVenues),
		On[BySlug](post, venueSlug, "venues.update", update, a.updateVenue).Of(venue, "Venue").By(tenancy.WriteVenues),
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
		On[Nothing](get, organizers, "organizers.list", read, a.listOrganizers).Of(organizer, "OrganizerList").By(tenancy.ReadOrganizers),
		On[Nothing](post, organizers, "organizers.create", create, a.createOrganizer).Of(organizer, "Organizer").
			By(tenancy.WriteOrganizers),
		On[ByID](get, organizerID, "organizers.get", read, a.getOrganizer).Of(organizer, "Organizer").By(tenancy.ReadOrganizers),
		On[ByID](del, organizerID, "organizers.delete", read, a.deleteOrganizer).Of(organizer, "Organizer").By(tenancy.WriteOrganizers),
		On[ByID](post, organizerID, "organizers.update", update, a.updateOrganizer).Of(organizer, "Organizer").By(tenancy.WriteOrganizers),
		On[BySlug](get, organizerSlug, "organizers.get", read, a.getOrganizer).Of(organizer, "Organizer").By(tenancy.ReadOrganizers),
		On[BySlug](del, organizerSlug, "organizers.delete", read, a.deleteOrganizer).Of(organizer, "Organizer").By(tenancy.WriteOrganizers),
		On[BySlug](post, organizerSlug, "organizers.update", update, a.updateOrganizer).Of(organizer, "Organizer").
			By(tenancy.WriteOrganizers),
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
		On[Nothing](get, categories, "categories.list", read, a.listCategories).Of(category, "CategoryList").By(tenancy.ReadTerms),
		On[Nothing](post, categories, "categories.create", create, a.createCategory).Of(category, "Category").By(tenancy.WriteTerms),
		On[ByID](get, categoryID, "categories.get", read, a.getCategory).Of(category, "Category").By(tenancy.ReadTerms),
		On[ByID](post, categoryID, "categories.update", update, a.updateCategory).Of(category, "Category").By(tenancy.WriteTerms),
		On[ByID](del, categoryID, "categories.delete", read, a.deleteCategory).Of(category, "Category").By(tenancy.WriteTerms),

		On[Nothing](get, tags, "tags.list", read, a.listTags).Of(tag, "TagList").By(tenancy.ReadTerms),
		On[Nothing](post, tags, "tags.create", create, a.createTag).Of(tag, "Tag").By(tenancy.WriteTerms),
		On[ByID](get, tagID, "tags.get", read, a.getTag).Of(tag, "Tag").By(tenancy.ReadTerms),
		On[ByID](post, tagID, "tags.update", update, a.updateTag).Of(tag, "Tag").By(tenancy.WriteTerms),
		On[ByID](del, tagID, "tags.delete", read, a.deleteTag).Of(tag, "Tag").By(tenancy.WriteTerms),
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
		On[Nothing](post, media, "media.create", create, a.uploadImage).Of(image, "Image").By(tenancy.WriteImages).more(),
		On[ByID](get, mediaID, "media.get", read, a.getImage).Of(image, "Image").By(tenancy.ReadImages).more(),
		On[ByID](del, mediaID, "media.delete", read, a.deleteImage).Of(image, "Image").By(tenancy.WriteImages).more(),
	}
}

// changeRoutes are the routes for following what changes.
func (a *API) changeRoutes() []Route {
	const get, read, event = "GET", args.Reading, "event"
	return []Route{
		On[Nothing](get, "/changes", "changes.list", read, a.listChanges).Of(event, "ChangeList").By(tenancy.ReadChanges).more(),
	}
}
