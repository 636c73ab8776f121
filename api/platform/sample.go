package platform

import (
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// samples write the examples of responses by schema, using the code that writes real responses.
var samples = map[string]func(*api.View){
	"Site":          func(v *api.View) { view{v}.site(aSite(), "example.org") },
	"SiteList":      api.OnePage("sites", func(v *api.View) { view{v}.site(aSite(), "example.org") }),
	"User":          func(v *api.View) { view{v}.user(aUser(), "") },
	"UserList":      api.OnePage("sites/bonn/users", func(v *api.View) { view{v}.user(aUser(), "") }),
	"Key":           func(v *api.View) { view{v}.credential(aKey()) },
	"KeyList":       api.OnePage("sites/bonn/keys", func(v *api.View) { view{v}.credential(aKey()) }),
	"Plan":          func(v *api.View) { view{v}.plan(aPlan()) },
	"PlanList":      api.EntriesOf("plans", func(v *api.View) { view{v}.plan(aPlan()) }),
	"Domain":        func(v *api.View) { view{v}.domain(aDomain(), "bonn.example.org", "") },
	"DomainList":    api.EntriesOf("domains", func(v *api.View) { view{v}.domain(aDomain(), "bonn.example.org", "") }),
	"Gathering":     func(v *api.View) { view{v}.gathering(aGathering()) },
	"GatheringList": api.OnePage("gatherings", func(v *api.View) { view{v}.gathering(aGathering()) }),
	"Requests":      func(v *api.View) { view{v}.requests(someRequests()) },
	"RequestsList":  api.OnePage("requests", func(v *api.View) { view{v}.requests(someRequests()) }),
	"Job":           func(v *api.View) { view{v}.job(aJob()) },
	"JobList":       api.OnePage("jobs", func(v *api.View) { view{v}.job(aJob()) }),
	"History": api.EntriesOf("entries", func(v *api.View) {
		view{v}.entry(&tenancy.Entry{Position: tenancy.Position{Version: 42, Kind: "event", ID: 21}, At: api.SampleTime, Action: "update",
			UserID: 1, Who: "anna", Via: tenancy.Via("application_password"), Before: map[string]any{"title": "Concert"}})
	}),
}

func aGathering() *platform.Gathering {
	return &platform.Gathering{Giver: platform.Partner{Slug: "bonn", Name: "Bonn", State: tenancy.Active},
		Receiver: platform.Partner{Slug: "region", Name: "Region", State: tenancy.Active}, Source: 7, Name: "Bonn",
		State: platform.GatheringActive, Read: api.SampleTime, Events: 93}
}

func someRequests() *platform.SpanTraffic {
	return &platform.SpanTraffic{Slug: "bonn", Begins: time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC),
		Traffic: platform.Traffic{Requests: 48210, Limited: 12, Full: 1}}
}

func aSite() *tenancy.Site {
	s := &tenancy.Site{ID: 2, Slug: "bonn", Name: "Bonn", Language: "de", Settings: tenancy.DefaultSettings(),
		Plan:  tenancy.Plan{Name: "unlimited", Geo: true},
		State: tenancy.Active, Version: 42, Created: api.SampleTime}
	s.SetTimezone("Europe/Berlin")
	return s
}

func aKey() *accounts.OwnedKey {
	return &accounts.OwnedKey{Credential: accounts.Credential{ID: 40, UserID: 1, Kind: tenancy.APIKey, Name: "Website",
		ReadOnly: true, Created: api.SampleTime},
		Login: "anna", Owner: "Anna"}
}

func aUser() *tenancy.User {
	return &tenancy.User{ID: 1, Login: "anna", Email: "anna@example.org", Name: "Anna", Role: tenancy.Editor, Created: api.SampleTime}
}

func aPlan() *platform.Offer {
	return &platform.Offer{Plan: tenancy.Plan{Name: "unlimited", Geo: true}, Sites: 1, Created: api.SampleTime}
}

func aDomain() *platform.Check {
	return &platform.Check{Domain: platform.Domain{Name: "calendar.example.org", By: platform.ByDNS, Proved: api.SampleTime}}
}

func aJob() *jobs.Job {
	return &jobs.Job{ID: 7, Kind: jobs.Export, State: jobs.Queued, Site: "bonn", Object: 2, Created: api.SampleTime}
}
