package imports

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
)

// Fields are the arguments of an import.
type Fields struct {
	URL      args.Opt[string] `arg:"url,nonempty,nonull,max=2000"`
	Format   args.Opt[string] `arg:"format,default=auto,nonull,enum=auto|ics|csv|xlsx|json|schema|lines|tec"`
	User     args.Opt[string] `arg:"user,nonempty,nonull,max=200"`
	Password args.Opt[string] `arg:"password,nonempty,nonull,max=500"`
	Series   args.Opt[bool]   `arg:"series,default=false,nonull"`
	DryRun   args.Opt[bool]   `arg:"dry_run,default=false,nonull"`
	Policy   args.Opt[string] `arg:"policy,default=update,nonull,enum=update|skip|replace"`
	Handling
	Gone args.Opt[string] `arg:"gone,default=keep,nonull,enum=keep|cancel|trash"`
}

// Handling are the arguments that say how entries are read and what their events get. A source keeps them and passes them on
// to each of its imports.
type Handling struct {
	Timezone   args.Opt[args.Zone]                            `arg:"timezone"`
	Status     args.Opt[string]                               `arg:"status,nonull,enum=publish|draft|pending"`
	Categories args.Opt[args.Refs]                            `arg:"categories"`
	Tags       args.Opt[args.Refs]                            `arg:"tags"`
	Venue      args.Opt[args.Links[calendar.VenueFields]]     `arg:"venue"`
	Organizer  args.Opt[args.Links[calendar.OrganizerFields]] `arg:"organizer"`
	Columns    args.Opt[args.TextOrObject]                    `arg:"columns"`
	DateOrder  args.Opt[string]                               `arg:"date_order,enum=dmy|mdy"`
}

// handlings are the names of the arguments of Handling.
var handlings = func() []string {
	var names []string
	for _, f := range args.TableOf(reflect.TypeFor[Handling]()).Fields {
		names = append(names, f.Name)
	}
	return names
}()

// Handlings returns the names of the arguments of Handling.
func Handlings() []string { return slices.Clone(handlings) }

// table describes the arguments of an import.
var table = args.TableOf(reflect.TypeFor[Fields]())

// Check refuses invalid addresses, columns that do not exist, and meaningless combinations of arguments.
func (f *Fields) Check(found *args.Problems) {
	if address, ok := f.URL.Get(); ok {
		u, err := url.Parse(strings.TrimSpace(address))
		if err != nil || u.Host == "" || !strings.Contains(" http https webcal webcals ", " "+strings.ToLower(u.Scheme)+" ") {
			found.Invalid("url", "problem.url", nil)
		}
	}
	if _, err := Columns(f.Columns); err != nil {
		found.Invalid("columns", "problem.import.columns", nil)
	}
	site := f.Format.Or("") == Site
	switch {
	case site && !f.URL.Given():
		found.Missing("url")
	case f.User.Given() != f.Password.Given(), f.User.Given() && !site:
		found.Invalid("user", "problem.import.login", nil)
	}
	if f.Series.Or(false) && !site {
		found.Invalid("series", "problem.import.series", nil)
	}
	if f.Gone.Or(Keep) != Keep && !f.URL.Given() {
		found.Invalid("gone", "problem.import.gone", nil)
	}
}

// Columns returns the meanings given to the columns of a table. "" skips a column. It returns nil if none are
// given. It returns an error unless said is an object of known columns of moderate size; with a file, the object
// comes as a text in JSON.
func Columns(said args.Opt[args.TextOrObject]) (map[string]string, error) {
	asked, ok := said.Get()
	if !ok {
		return nil, nil //nolint:nilnil // nothing said is no error
	}
	if text, is := asked.Value.(string); is {
		if err := json.Unmarshal([]byte(text), &asked.Value); err != nil {
			return nil, err
		}
	}
	object, ok := asked.Value.(map[string]any)
	if !ok || len(object) > mostColumns {
		return nil, fmt.Errorf("%T of %d", asked.Value, len(object))
	}
	columns := map[string]string{}
	for name, meaning := range object {
		text, ok := meaning.(string)
		if !ok && meaning != nil || !reading.IsColumn(text) {
			return nil, fmt.Errorf("%v", meaning)
		}
		columns[name] = text
	}
	return columns, nil
}

// mostColumns is the maximum number of columns that can be given a meaning.
const mostColumns = 500

// Rerunning are the arguments of running a dry run for real.
type Rerunning struct {
	Series args.Opt[bool] `arg:"series,nonull"`
}

// Filter are the query arguments of a list of imports.
type Filter struct {
	Source args.Opt[int64] `arg:"source,min=1"`
	args.Paging
}

// EntryFilter are the query arguments of a report.
type EntryFilter struct {
	Result  args.Opt[string] `arg:"result,enum=created|changed|same|cancelled|refused"`
	Page    args.Opt[int]    `arg:"page,default=1,min=1,max=1000000000,nonull"`
	PerPage args.Opt[int]    `arg:"per_page,default=50,min=1,nonull"`
}

// Length returns the number of entries per page, at most 500.
func (f *EntryFilter) Length() int { return min(f.PerPage.Or(50), 500) }

// MaxBytes is the largest size of a file.
const MaxBytes = reading.MaxBytes
