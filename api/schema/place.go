package schema

import "github.com/kalends/kalends/calendar"

// venueShape is the schema of view.venue in api.
var venueShape = object(join([]member{must("id", anInteger)}, postMembers, placeMembers("venue"),
	ownTexts("venue", calendar.AllVenueFields()), venueMembers, globalMembers, texted)...)

// organizerShape is the schema of view.organizer in api.
var organizerShape = object(join([]member{must("id", anInteger)}, postMembers, placeMembers("organizer"),
	ownTexts("organizer", calendar.AllOrganizerFields()), organizerMembers, globalMembers, texted)...)

// placeMembers are the members that venues and organizers both have.
func placeMembers(kind string) []member {
	return []member{
		must(kind, aText, "arg."+kind+"."+kind),
		may("description", aText),
		may("excerpt", aText),
		may("slug", aText),
		may("image", Ref("Image")),
	}
}

// ownTexts are the texts that only venues or only organizers have.
func ownTexts[T, F any](kind string, fields []calendar.PlaceField[T, F]) (list []member) {
	for i := range fields {
		if f := &fields[i]; f.OwnText() {
			list = append(list, may(f.Name, aText, "arg."+kind+"."+f.Name))
		}
	}
	return list
}

var venueMembers = []member{
	may("geo_lat", aNumber),
	may("geo_lng", aNumber),
	may("json_ld", anObject),
	must("show_map", aSwitch, "arg.venue.show_map"),
	must("show_map_link", aSwitch, "arg.venue.show_map_link"),
	may("accessibility", listOf(Ref("Accessibility")), "arg.venue.accessibility"),
	may("fields", Ref("FieldValues"), "arg.venue.fields"),
}

var organizerMembers = []member{may("json_ld", anObject)}

// imageShape is the schema of view.image in api.
var imageShape = object(
	must("url", anAddress, "member.file.url"),
	must("id", anInteger, "arg.image.id"),
	must("extension", aText),
	must("width", anInteger),
	must("height", anInteger),
	must("filesize", anInteger),
	may("sizes", mapOf(Ref("ImageSize"))),
)

var imageSizeShape = object(
	must("width", anInteger),
	must("height", anInteger),
	must("mime-type", aText),
	must("filesize", anInteger),
	must("url", anAddress, "member.file.url"),
)
