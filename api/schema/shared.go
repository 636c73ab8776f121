package schema

import (
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/changes"
	"github.com/kalends/kalends/calendar/imports"
	"github.com/kalends/kalends/calendar/sources"
	"github.com/kalends/kalends/calendar/webhooks"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// shared returns a component that several responses, or responses and arguments, have in common.
func shared(name string, s Shape) Component { return Component{Name: name, Shape: s, Shared: true} }

// sharedByAll are in both documents.
var sharedByAll = []Component{
	shared("Access", choice(tenancy.AccessNames()...)),
	shared("Limits", limitsShape),
	shared("Role", choice(tenancy.Roles()...)),
}

// sharedOfCalendar are the shared components of the calendar's API.
var sharedOfCalendar = append([]Component{
	shared("Accessibility", choice(wordsOf("accessibility")...)),
	shared("Audience", choice(wordsOf("audience")...)),
	shared("ChangeType", choice(changes.Types()...)),
	shared("Counts", mapOf(anInteger)),
	shared("DayNumbers", dayNumbersShape),
	shared("EventLanguage", choice(wordsOf("event_language")...)),
	shared("EventOrigin", eventOriginShape),
	shared(
		"FieldKind",
		choice(tenancy.TextField, tenancy.ChoiceField, tenancy.YesNoField, tenancy.NumberField, tenancy.LinkField, tenancy.DateField),
	),
	shared("FieldValues", mapOf(oneOf(aText, aNumber, aSwitch))),
	shared("Finding", importFindingShape),
	shared("ImportGone", choice(imports.Keep, imports.Cancel, imports.Trash)),
	shared("ImportPolicy", choice(imports.Update, imports.Skip, imports.Replace)),
	shared("ImportResult", choice(imports.Results()...)),
	shared("Links", linksShape),
	shared("Numbers", object(countMembers...)),
	shared("Origin", originShape),
	shared("SourceKind", choice(sources.Kinds()...)),
	shared("Status", choice(calendar.Statuses()...)),
	shared("Translations", oneOf(listOf(aText), mapOf(Ref("Texts")))),
	shared("WebhookPayload", choice(webhooks.Thin, webhooks.Full)),
}, sharedByAll...)

// sharedOfPlatform are the shared components of the provider's API.
var sharedOfPlatform = append([]Component{
	shared("CheckResult", choice(platform.Shown, platform.Absent, platform.Other, platform.Failed)),
	shared("CurrencyPosition", choice("prefix", "postfix")),
	shared("GatheringSite", gatheringSiteShape),
	shared("JobKind", choice(jobs.Export, jobs.Import, jobs.Restore)),
	shared("JobState", choice(jobs.Queued, jobs.Running, jobs.Done, jobs.Failed, jobs.Cancelled)),
	shared("SiteState", choice(tenancy.Active, tenancy.ReadOnly, tenancy.Closed, tenancy.Deleted)),
}, sharedByAll...)

// wordsOf returns the words that a field of an event may consist of.
func wordsOf(field string) []string {
	for _, f := range calendar.AllEventFields() {
		if f.Name == field {
			return f.Choices()
		}
	}
	return nil
}
