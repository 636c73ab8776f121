package schema

// venueShape is the schema of view.venue in api.
var venueShape = object(join(
	[]member{must("id", anInteger)}, postMembers, venueMembers, globalMembers, texted)...)

var venueMembers = []member{
	must("venue", aText),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("image", Ref("Image")),
	may("address", aText),
	may("city", aText),
	may("country", aText),
	may("province", aText),
	may("state", aText),
	may("zip", aText),
	may("phone", aText),
	may("website", aText),
	may("stateprovince", aText),
	may("geo_lat", aNumber),
	may("geo_lng", aNumber),
	may("json_ld", anObject),
	must("show_map", aSwitch),
	must("show_map_link", aSwitch),
}

// organizerShape is the schema of view.organizer in api.
var organizerShape = object(join(
	[]member{must("id", anInteger)}, postMembers, organizerMembers, globalMembers, texted)...)

var organizerMembers = []member{
	must("organizer", aText),
	may("description", aText),
	may("excerpt", aText),
	may("slug", aText),
	may("image", Ref("Image")),
	may("phone", aText),
	may("website", aText),
	may("email", aText),
	may("json_ld", anObject),
}

// imageShape is the schema of view.image in api.
var imageShape = object(
	must("url", anAddress),
	must("id", anInteger),
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
	must("url", anAddress),
)
