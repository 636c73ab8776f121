package schema

// venueShape is the schema of view.venue in api.
var venueShape = object(join(
	[]member{must("id", anInteger)}, postMembers, venueMembers, globalMembers, texted)...)

var venueMembers = []member{
	must("venue", aText, "arg.venue.venue"),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("image", Ref("Image")),
	may("address", aText, "arg.venue.address"),
	may("city", aText, "arg.venue.city"),
	may("country", aText, "arg.venue.country"),
	may("province", aText, "arg.venue.province"),
	may("state", aText, "arg.venue.state"),
	may("zip", aText, "arg.venue.zip"),
	may("phone", aText, "arg.venue.phone"),
	may("website", aText, "arg.venue.website"),
	may("stateprovince", aText, "arg.venue.stateprovince"),
	may("geo_lat", aNumber),
	may("geo_lng", aNumber),
	may("json_ld", anObject),
	must("show_map", aSwitch, "arg.venue.show_map"),
	must("show_map_link", aSwitch, "arg.venue.show_map_link"),
	may("accessibility", listOf(Ref("Accessibility")), "arg.venue.accessibility"),
	may("fields", Ref("FieldValues"), "arg.venue.fields"),
}

// organizerShape is the schema of view.organizer in api.
var organizerShape = object(join(
	[]member{must("id", anInteger)}, postMembers, organizerMembers, globalMembers, texted)...)

var organizerMembers = []member{
	must("organizer", aText, "arg.organizer.organizer"),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("image", Ref("Image")),
	may("phone", aText, "arg.organizer.phone"),
	may("website", aText, "arg.organizer.website"),
	may("email", aText, "arg.organizer.email"),
	may("json_ld", anObject),
}

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
