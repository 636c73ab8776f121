package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// variables are the environment of the program.
type variables struct {
	get   func(name string) string
	names func() []string // of all that are set
}

// osVariables returns the environment variables of the process.
func osVariables() variables {
	return variables{os.Getenv, func() (names []string) {
		for _, one := range os.Environ() {
			name, _, _ := strings.Cut(one, "=")
			names = append(names, name)
		}
		return names
	}}
}

// retired are variables that earlier releases read, with the release that stopped reading them and what to do
// instead. If they are set, the service logs this once and starts anyway.
var retired = map[string]string{
	"KALENDS_REPLICA_URL": "release 1.3.0 reads everything from DATABASE_URL; remove it",
}

// others are variables that begin with KALENDS_ but are not settings: those of docker-compose.yml and of the
// Caddyfile, those that the program reads in other places, and those that Kubernetes sets for a service named
// kalends.
var others = []string{"KALENDS_PG_BIN", "KALENDS_EMBEDDED_HELPER", "KALENDS_FRONT", "KALENDS_PORT", "KALENDS_UPSTREAM", "KALENDS_SECOND",
	"KALENDS_URL"}

// fromFile is what the name of a variable ends in that names a file with the value of a secret.
const fromFile = "_FILE"

// reading reads settings from the environment and collects their problems, so that they are reported together.
type reading struct {
	env      variables
	known    map[string]bool // names of settings
	problems []error         // values that cannot be read
	odd      []string        // what is probably not meant: misspelt and retired names
}

// readEnvironment returns the resolver of flags from the variables in their `config` tags.
func readEnvironment(env variables) *reading { return &reading{env: env, known: map[string]bool{}} }

// Validate implements kong.Resolver.
func (*reading) Validate(*kong.Application) error { return nil }

// Resolve implements kong.Resolver. A value that cannot be read is noted and leaves the default.
func (r *reading) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	name := flag.Tag.Get("config")
	if name == "" {
		return nil, nil //nolint:nilnil // kong takes nil for a flag that is not set
	}
	r.known[name] = true
	value := r.env.get(name)
	if flag.Tag.Has("secret") {
		r.known[name+fromFile] = true
		var err error
		if value, err = r.secret(name, value); err != nil {
			r.note(err)
		}
	}
	if value == "" {
		return nil, nil //nolint:nilnil // as above
	}
	if wanted := unreadable(flag, value); wanted != "" {
		r.note(fmt.Errorf("%s is %q; it has to be %s", name, value, wanted))
		return nil, nil //nolint:nilnil // as above
	}
	return value, nil
}

// note notes a problem once: kong resolves a flag for each command on the way.
func (r *reading) note(err error) {
	if !slices.ContainsFunc(r.problems, func(known error) bool { return known.Error() == err.Error() }) {
		r.problems = append(r.problems, err)
	}
}

// secret returns the value of a variable, or what is in the file that NAME_FILE names, without the end of its line.
func (r *reading) secret(name, value string) (string, error) {
	path := r.env.get(name + fromFile)
	switch {
	case path == "":
		return value, nil
	case value != "":
		return value, fmt.Errorf("%s and %s%s are both set: remove one", name, name, fromFile)
	}
	text, err := os.ReadFile(path) //nolint:gosec // the operator names it
	if err != nil {
		return "", fmt.Errorf("%s%s: %w", name, fromFile, err)
	}
	if value = strings.TrimRight(string(text), "\r\n"); value == "" {
		return "", fmt.Errorf("%s%s: %s is empty", name, fromFile, path)
	}
	return value, nil
}

// unreadable returns what kind of value a flag requires if it cannot parse the given one, or "".
func unreadable(flag *kong.Flag, value string) string {
	if flag.Enum != "" {
		if allowed := strings.Split(flag.Enum, ","); !slices.Contains(allowed, value) {
			return "one of " + strings.Join(allowed, ", ")
		}
		return ""
	}
	var err error
	switch target := flag.Target; {
	case target.Type() == reflect.TypeFor[time.Duration]():
		if _, err = time.ParseDuration(value); err != nil {
			return "a duration, such as 5s"
		}
	case target.CanInt():
		if _, err = strconv.ParseInt(value, 10, target.Type().Bits()); err != nil {
			return "a whole number, without a unit"
		}
	}
	return ""
}

// finish looks at the names of all variables once the settings are known.
func (r *reading) finish() {
	for _, name := range r.env.names() {
		switch instead, gone := retired[name]; {
		case gone:
			r.odd = append(r.odd, name+" is not a setting any more: "+instead)
		case r.known[name] || slices.Contains(others, name) || !strings.HasPrefix(name, "KALENDS_"):
		case strings.HasPrefix(name, "KALENDS_SERVICE_") || strings.HasPrefix(name, "KALENDS_PORT_"): // of Kubernetes
		case strings.HasSuffix(name, fromFile) && r.known[strings.TrimSuffix(name, fromFile)]:
			r.odd = append(r.odd, name+" is not read, because "+strings.TrimSuffix(name, fromFile)+" is no secret: set that one")
		default:
			r.odd = append(r.odd, name+" is no setting and is ignored: "+r.suggestion(name))
		}
	}
	slices.Sort(r.odd)
}

// suggestion names the setting that a misspelt name probably means.
func (r *reading) suggestion(name string) string {
	best, least := "", len(name)/3
	for known := range r.known {
		if d := distance(name, known); d < least || d == least && known < best {
			best, least = known, d
		}
	}
	if best == "" {
		return "remove it, or see kalends serve --help for the names"
	}
	return "did you mean " + best + "?"
}

// distance is how many letters have to be changed, added or removed to turn one name into another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, row[j]+1, before+1)
		}
	}
	return row[len(b)]
}
