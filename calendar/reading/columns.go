package reading

import (
	"maps"
	"strings"
	"unicode"
)

// columns maps columns of a table to their meaning, by columnKey: those of The Events Calendar and those that exports
// add. Most meanings are arguments of an event; cells combines the others. "" marks columns that are recognised but
// ignored, such as comments.
var columns = func() map[string]string {
	all := maps.Clone(synonyms)
	for _, h := range Headers {
		all[columnKey(h.Name)] = h.Meaning
	}
	return all
}()

// synonyms are other headings of the columns, by columnKey.
var synonyms = map[string]string{
	"eventtitle":                       "title",
	"eventallday":                      "all_day",
	"eventtimezone":                    "timezone",
	"hidefromeventlistings":            "hide_from_listings",
	"hideeventfromlistings":            "hide_from_listings",
	"eventsticky":                      "sticky",
	"stickyinmonthview":                "sticky",
	"eventfeatured":                    "featured",
	"featuredevent":                    "featured",
	"eventcurrencysymbol":              "currency_symbol",
	"eventcurrencyposition":            "currency_position",
	"eventcurrencyisocode":             "currency_code",
	"eventcategories":                  "categories",
	"eventtag":                         "tags",
	"eventvenue":                       "venue",
	"venuename":                        "venue",
	"venuepostalcode":                  "venue.zip",
	"eventvenues":                      "venues",
	"eventorganizer":                   "organizer",
	"organizername":                    "organizer",
	"eventorganizernames":              "organizers",
	"eventorganizernamesorids":         "organizers",
	"eventrecurrencerule":              "recurrence.rrule",
	"rrule":                            "recurrence.rrule",
	"rdate":                            "recurrence.rdate",
	"exdate":                           "recurrence.exdate",
	"eventseries":                      "series",
	"eventoriginalstart":               "original_start",
	"eventattendancemode":              "attendance_mode",
	"eventvirtualurl":                  "virtual_url",
	"uid":                              "uid",
	"allowcomments":                    "",
	"eventallowcomments":               "",
	"allowtrackbacks":                  "",
	"allowtrackbacksandpingbacks":      "",
	"eventallowtrackbacksandpingbacks": "",
}

// foreign maps columns of other programs to their meaning, by columnKey: of Outlook, Google Calendar and Eventbrite, and other
// common headings. They apply only if no documented column has the same meaning.
var foreign = map[string]string{
	"subject": "title", "title": "title", "summary": "title", "name": "title",
	"titel": "title", "betreff": "title", "veranstaltung": "title", "titre": "title", "objet": "title", "asunto": "title",
	"titulo": "title", "título": "title", "oggetto": "title", "titolo": "title", "onderwerp": "title",
	"startdate": "start_date", "date": "start_date", "start": "start_date", "datum": "start_date", "beginntam": "start_date",
	"beginn": "start_date", "datededebut": "start_date", "datededébut": "start_date", "fechadecomienzo": "start_date",
	"fecha": "start_date", "data": "start_date", "datadinizio": "start_date", "begindatum": "start_date", "startdatum": "start_date",
	"eventstart": "start_date", "eventdate": "start_date", "starts": "start_date", "startdateandtime": "start_date",
	"starttime": "start_time", "time": "start_time", "beginntum": "start_time", "uhrzeit": "start_time", "startzeit": "start_time",
	"zeit": "start_time", "heurededebut": "start_time", "heurededébut": "start_time", "heure": "start_time", "comienzo": "start_time",
	"hora": "start_time", "orainizio": "start_time", "ora": "start_time", "begintijd": "start_time", "tijd": "start_time",
	"enddate": "end_date", "end": "end_date", "endetam": "end_date", "ende": "end_date", "enddatum": "end_date", "datedefin": "end_date",
	"datefin": "end_date", "fechadefinalización": "end_date", "datafine": "end_date", "einddatum": "end_date", "eventend": "end_date",
	"ends": "end_date", "enddateandtime": "end_date",
	"endtime": "end_time", "endetum": "end_time", "endzeit": "end_time", "heuredefin": "end_time", "finalización": "end_time",
	"orafine": "end_time", "eindtijd": "end_time",
	"allday": "all_day", "alldayevent": "all_day", "ganztägigesereignis": "all_day", "ganztägig": "all_day",
	"journéeentière": "all_day", "todoeldía": "all_day", "tuttoilgiorno": "all_day", "heledag": "all_day",
	"description": "description", "beschreibung": "description", "descripción": "description", "descrizione": "description",
	"beschrijving": "description", "eventsummary": "excerpt",
	"location": "location", "ort": "location", "lieu": "location", "emplacement": "location", "ubicación": "location", "lugar": "location",
	"luogo": "location", "locatie": "location", "plaats": "location", "place": "location", "where": "location", "wo": "location",
	"venue": "venue", "venueaddress1": "venue.address", "address": "venue.address", "adresse": "venue.address", "strasse": "venue.address", "straße": "venue.address",
	"city": "venue.city", "stadt": "venue.city", "ville": "venue.city", "postalcode": "venue.zip", "zip": "venue.zip", "plz": "venue.zip",
	"country": "venue.country", "land": "venue.country",
	"categories": "categories", "category": "categories", "kategorien": "categories", "kategorie": "categories", "catégories": "categories",
	"categorías": "categories", "categorie": "categories", "categorieën": "categories", "tags": "tags", "keywords": "tags",
	"meetingorganizer": "organizer", "besprechungsplanung": "organizer", "organizer": "organizer", "organiser": "organizer", "veranstalter": "organizer",
	"cost": "cost", "price": "cost", "preis": "cost", "eintritt": "cost", "prix": "cost", "precio": "cost", "prezzo": "cost", "prijs": "cost",
	"url": "website", "website": "website", "link": "website", "eventurl": "website", "webseite": "website", "internet": "website",
	"image": "image", "imageurl": "image", "bild": "image", "eventimage": "image", "status": "event_status", "eventid": "uid",
	"private": "private", "privat": "private", "sensitivity": "sensitivity", "vertraulichkeit": "sensitivity",
	"reminderonoff": "", "reminderdate": "", "remindertime": "", "requiredattendees": "", "optionalattendees": "", "meetingresources": "",
	"billinginformation": "", "mileage": "", "priority": "", "showtimeas": "", "erinnerunganaus": "", "erinnerungam": "", "erinnerungum": "",
	"erforderlicheteilnehmer": "", "optionaleteilnehmer": "", "besprechungsressourcen": "", "abrechnungsinformationen": "",
	"reisekilometer": "", "priorität": "", "zeitspannezeigenals": "",
}

// columnKey returns the normalized form of a header for comparison: only letters and digits, in lowercase.
func columnKey(header string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, header)
}
