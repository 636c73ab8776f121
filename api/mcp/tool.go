package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/kalends/kalends/api"
	"github.com/kalends/kalends/api/jsontext"
	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/services"
	"github.com/kalends/kalends/i18n"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// tool is an action that an assistant may perform on a site: a route with some of its parameters, so that the
// rules, rights and scopes of the API apply.
type tool struct {
	name   string
	reads  bool // changes nothing
	route  *api.Route
	fixed  args.Values // parameters that the tool sets by itself
	takes  []toolField
	fields string // of the answer; "": all
	// converts the tool's parameters to the route's; nil: they are the same
	read func(context.Context, *services.Calendar, *api.Call) error
}

// toolField is a parameter of a tool.
type toolField struct {
	name, schema string
	text         string // key of its description
	required     bool
}

// Schemas of parameters of tools.
const (
	toolText   = `"type":"string"`
	toolNumber = `"type":"integer","minimum":1`
	toolSwitch = `"type":"boolean"`
	toolTexts  = `"type":"array","items":{"type":"string"}`
	toolScope  = `"type":"string","enum":["this","following","all"]`
)

// listedFields and shownFields are the fields that assistants get of events in lists, and of a single event.
const (
	listedFields = "id,url,status,title,start_date,end_date,timezone,all_day,cost,event_status,venue.id,venue.venue,venue.city," +
		"organizer.organizer,categories.id,categories.name,tags.name"
	shownFields = listedFields + ",description,website,featured,venue.address,venue.country,series,attendance_mode,virtual_url"
)

// toolset returns all tools, which use these routes.
func toolset(routes []api.Route) []tool {
	id := toolField{"id", toolNumber, "tool.arg.id", true}
	appliesTo := toolField{"applies_to", toolScope, "arg.event.applies_to", false}
	written := []toolField{
		{"description", toolText, "arg.event.description", false}, {"all_day", toolSwitch, "arg.event.all_day", false},
		{"timezone", toolText, "arg.event.timezone", false}, {"cost", toolText, "arg.event.cost", false},
		{"website", toolText, "arg.event.website", false}, {"categories", toolTexts, "arg.event.categories", false},
		{"tags", toolTexts, "arg.event.tags", false}, {"venue", toolNumber, "tool.arg.venue", false},
		{"organizer", toolNumber, "tool.arg.organizer", false},
	}
	found := []toolField{
		{"search", toolText, "arg.event.list.search", false}, {"start_date", toolText, "arg.event.list.start_date", false},
		{"end_date", toolText, "arg.event.list.end_date", false}, {"categories", toolTexts, "arg.event.list.categories", false},
		{"tags", toolTexts, "arg.event.list.tags", false}, {"page", toolNumber, "arg.list.page", false},
	}
	title := toolField{"title", toolText, "arg.event.title", false}
	start := toolField{"start_date", toolText, "arg.event.start_date", false}
	end := toolField{"end_date", toolText, "arg.event.end_date", false}
	needed := func(f toolField) toolField { f.required = true; return f }
	over := func(name, method, path string, t tool) tool {
		t.name, t.reads, t.route = name, method == http.MethodGet, routeOf(routes, method, path)
		return t
	}
	return []tool{
		over("find_events", "GET", "/events", tool{takes: found, fields: within("events", listedFields)}),
		over("whats_on", "GET", "/events", tool{takes: []toolField{{"date", toolText, "tool.arg.date", false}},
			fields: within("events", listedFields), read: onDay}),
		over("get_event", "GET", "/events/{id}", tool{takes: []toolField{id}, fields: shownFields}),
		over("list_categories", "GET", "/categories", tool{fixed: args.Values{"per_page": "50", "hide_empty": "false"},
			fields: within("categories", "id,name,parent,count")}),
		over("draft_event", "POST", "/events", tool{takes: append([]toolField{needed(title), needed(start), needed(end)}, written...),
			fixed: args.Values{"status": "draft"}, fields: shownFields}),
		over("change_event", "POST", "/events/{id}", tool{takes: slices.Concat([]toolField{id, title}, written, []toolField{appliesTo}),
			fields: shownFields}),
		over("move_event", "POST", "/events/{id}", tool{takes: []toolField{id, needed(start), end, appliesTo},
			fields: shownFields, read: keepLength}),
	}
}

// within returns the fields of a page of a collection.
func within(collection, fields string) string {
	return "total,total_pages," + collection + "." + strings.ReplaceAll(fields, ",", ","+collection+".")
}

// routeOf returns the route of a method and path.
func routeOf(routes []api.Route, method, path string) *api.Route {
	i := slices.IndexFunc(routes, func(r api.Route) bool { return r.Path == path && r.Methods[0] == method })
	return &routes[i]
}

// open reports whether a principal may use the tool. Everyone may use the tools that read; tools that write require the
// scope and the right.
func (t *tool) open(p tenancy.Principal) bool {
	return t.route.Opened(p) == nil && api.Allowed([]*api.Route{t.route}, p, nil, nil) != ""
}

// description describes the tool in a language.
func (t *tool) description(language string) string { return i18n.Text(language, "tool."+t.name, nil) }

// schema returns the JSON Schema of the tool's parameters, with descriptions in a language.
func (t *tool) schema(language string) json.RawMessage {
	w := &jsontext.Writer{}
	w.Item()
	w.Text("type", "object")
	w.Open("properties", '{')
	var required []string
	for _, f := range t.takes {
		w.Raw(f.name, "{"+f.schema+`,"description":`+string(jsontext.AppendString(nil, i18n.Text(language, f.text, nil)))+"}")
		if f.required {
			required = append(required, f.name)
		}
	}
	w.Close('}')
	if len(required) > 0 {
		w.Texts("required", required...)
	}
	w.Bool("additionalProperties", false)
	w.Close('}')
	return w.Bytes
}

// call runs the tool with parameters as a JSON object, and returns the result as JSON. It returns the errors of the
// API.
func (t *tool) call(ctx context.Context, service *services.Calendar, parameters []byte) ([]byte, error) {
	c := api.Call{Values: args.Values{}}
	if len(parameters) > api.MaxBody {
		return nil, api.ErrTooLarge
	}
	if len(bytes.TrimSpace(parameters)) > 0 {
		if err := api.AddJSON(c.Values, parameters); err != nil {
			return nil, err
		}
	}
	if err := t.check(c.Values); err != nil {
		return nil, err
	}
	if err := t.route.Opened(tenancy.Current(ctx).Principal); err != nil {
		return nil, err
	}
	if id, ok := c.Values["id"].(json.Number); ok {
		n, _ := id.Int64()
		c.Key = calendar.Key{ID: n}
		delete(c.Values, "id")
	}
	if t.read != nil {
		if err := t.read(ctx, service, &c); err != nil {
			return nil, err
		}
	}
	maps.Copy(c.Values, t.fixed)
	answer, err := t.route.Run(ctx, c)
	if err != nil {
		return nil, &api.ResourceError{Resource: t.route.Resource, ID: c.Key.ID, Err: err}
	}
	if t.fields != "" {
		answer.Pick(t.fields)
	}
	return answer.Body, nil
}

// check refuses parameters that the tool does not take, and an id that is none.
func (t *tool) check(values args.Values) error {
	found := &args.Problems{}
	for name := range values {
		if !slices.ContainsFunc(t.takes, func(f toolField) bool { return f.name == name }) {
			found.Invalid(name, "problem.unknown", nil)
		}
	}
	for _, f := range t.takes {
		value, given := values[f.name]
		switch id, isNumber := value.(json.Number); {
		case f.required && (!given || value == nil):
			found.Invalid(f.name, "problem.missing", nil)
		case f.name != "id":
		case !isNumber:
			found.Invalid(f.name, "problem.type.integer", nil)
		default:
			if n, err := id.Int64(); err != nil || n < 1 {
				found.Invalid(f.name, "problem.type.integer", nil)
			}
		}
	}
	return found.Err()
}

// onDay sets the parameters for the events on a day; the default is today.
func onDay(ctx context.Context, service *services.Calendar, c *api.Call) error {
	text, given := c.Values["date"].(string)
	if !given || text == "" {
		text = "today"
	}
	date, err := args.ParseDate(text)
	if err != nil {
		return args.Invalid("date", "problem.date", nil)
	}
	day := date.Day(tenancy.Current(ctx).Site.Location, service.Now())
	delete(c.Values, "date")
	c.Values["strict_dates"] = "true"
	c.Values["ends_after"] = day.Format(time.DateTime)
	c.Values["starts_before"] = day.AddDate(0, 0, 1).Format(time.DateTime)
	return nil
}

// keepLength sets the end of a moved event so that its duration stays the same, unless an end is given.
func keepLength(ctx context.Context, service *services.Calendar, c *api.Call) error {
	text, _ := c.Values["start_date"].(string)
	date, err := args.ParseDate(text)
	if _, given := c.Values["end_date"]; given || err != nil {
		return nil //nolint:nilerr // the route says what is wrong with it
	}
	e, err := service.Events().Get(ctx, c.Key, "")
	if err != nil {
		return &api.ResourceError{Resource: "event", ID: c.Key.ID, Err: err}
	}
	place, err := args.LocationOf(e.Timezone)
	if err != nil {
		return err
	}
	start := args.WallTime(date.In(place, service.Now()), place)
	c.Values["end_date"] = start.Add(e.End.Sub(e.Start)).Format(time.DateTime)
	return nil
}
