package doc

import (
	"strings"

	"github.com/kalends/kalends/api"
)

// requestSamples are the examples of request bodies by schema.
var requestSamples = map[string]string{
	"EventCreate": `{"title":"Spring concert","start_date":"2027-03-20 19:30","end_date":"2027-03-20 22:00","categories":["music"],` +
		`"venue":{"venue":"Town hall","city":"Bonn"},"cost":"12 €"}`,
	"EventUpdate": `{"cost":"15 €","featured":true}`,
	"EventPreviewFields": `{"start_date":"2027-03-20 19:30","end_date":"2027-03-20 22:00",` +
		`"recurrence":{"every":"month","on":"third saturday"}}`,
	"VenueCreate":     `{"venue":"Town hall","address":"Market 1","city":"Bonn","country":"Germany"}`,
	"VenueUpdate":     `{"phone":"+49 228 123456"}`,
	"OrganizerCreate": `{"organizer":"Music school","email":"office@example.org"}`,
	"OrganizerUpdate": `{"website":"https://school.example.org"}`,
	"CategoryCreate":  `{"name":"Music"}`,
	"CategoryUpdate":  `{"description":"Concerts and sessions"}`,
	"TagCreate":       `{"name":"outdoors"}`,
	"TagUpdate":       `{"slug":"open-air"}`,
	"SubmissionCreate": `{"title":"Choir evening","start_date":"2027-06-04 19:30","end_date":"2027-06-04 21:00","venue":"Old barn",` +
		`"city":"Bonn","contact_name":"Ada","contact_email":"ada@example.org","terms":true}`,
	"SubmissionUpdate":  `{"token":"` + sampleToken + `","start_date":"2027-06-04 20:00"}`,
	"SubmissionConfirm": `{"token":"` + sampleToken + `"}`,
	"SubmissionApprove": `{"status":"publish"}`,
	"SubmissionRefuse":  `{"message":"Our calendar is about music alone."}`,
	"ImportCreate":      `{"url":"https://club.example.org/events.ics","dry_run":true}`,
	"SourceCreate":      `{"name":"Club","kind":"ics","url":"https://club.example.org/events.ics","categories":["Club"]}`,
	"SourceUpdate":      `{"every":7200}`,
	"SiteCreate":        `{"slug":"bonn","name":"Bonn","timezone":"Europe/Berlin","language":"de"}`,
	"SiteUpdate":        `{"name":"City of Bonn"}`,
	"UserCreate":        `{"login":"anna","email":"anna@example.org","role":"editor"}`,
	"UserUpdate":        `{"role":"author"}`,
	"DomainCreate":      `{"domain":"calendar.example.org"}`,
	"FieldCreate":       `{"label":"Dogs allowed","kind":"yes_no","of":["event","venue"],"filter":true}`,
	"FieldUpdate":       `{"hint":"Only on a lead"}`,
	"WebhookCreate":     `{"url":"https://example.org/hook","events":["event.published","event.updated","event.trashed"]}`,
	"WebhookUpdate":     `{"active":false}`,
	"PlanCreate":        `{"limits":{"events":1000}}`,
}

// sampleToken is an example of a token in emails.
const sampleToken = "ONJ5DO2KTSRUS7KEOYAM23PRJB" //nolint:gosec // an example, which opens nothing

// requestSample returns the example of a route's request body, or "" for a file.
func requestSample(r *api.Route) string {
	return requestSamples[strings.TrimSuffix(bodyName(r), "BySlug")]
}

// samples writes the examples that the routes refer to.
func (v *view) samples() {
	written := map[string]bool{}
	v.Open("examples", '{')
	for i := range v.of.Routes {
		name := v.of.Routes[i].Answers
		if write := v.of.Samples[name]; write != nil && !written[name] {
			written[name] = true
			sample := api.NewView(v.Scope)
			write(sample)
			v.Open(name, '{')
			v.Raw("value", string(sample.Bytes))
			v.Close('}')
		}
	}
	v.Close('}')
}

// sampleRef refers to the example of a route's response.
func (v *view) sampleRef(r *api.Route) string {
	if v.of.Samples[r.Answers] == nil {
		return ""
	}
	return `,"examples":{"sample":{"$ref":"#/components/examples/` + r.Answers + `"}}`
}
