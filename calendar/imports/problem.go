package imports

import (
	"errors"
	"maps"
	"strings"

	"github.com/kalends/kalends/calendar"
	"github.com/kalends/kalends/calendar/moving"
	"github.com/kalends/kalends/calendar/reading"
	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// errNotFetched is returned if an address could not be fetched, whatever the reason, so that users learn nothing
// about hosts that only this machine can reach.
var errNotFetched = errors.New("nothing could be fetched from the address")

// problems are the errors whose reason is shown to clients. The first match wins.
var problems = []struct {
	err    error
	status int
	code   string
}{
	{errNotFetched, 502, "import-not-fetched"},
	{moving.ErrLogin, 502, "import-login"},
	{errAbandoned, 500, "import-abandoned"},
	{ErrNoFile, 410, "import-file-gone"},
	{reading.ErrEmpty, 400, "import-empty"},
	{reading.ErrLarge, 413, "import-too-large"},
	{reading.ErrMany, 400, "import-too-many"},
	{reading.ErrUnknown, 400, "import-format-unknown"},
	{reading.ErrFormat, 400, "import-format-other"},
	{reading.ErrPage, 400, "import-page"},
	{reading.ErrPacked, 400, "import-packed"},
	{reading.ErrDamaged, 400, "import-damaged"},
	{reading.ErrColumns, 400, "import-columns-missing"},
	{reading.ErrTwice, 400, "import-columns-twice"},
	{reading.ErrSheet, 400, "import-no-table"},
	{reading.ErrProtects, 400, "import-protected"},
	{tenancy.ErrNoSite, 404, "site-not-found"},
	{tenancy.ErrForbidden, 403, "rest_forbidden"},
	{tenancy.ErrUnauthenticated, 403, "rest_forbidden"},
	{tenancy.ErrReadOnly, 403, "site-read-only"},
	{tenancy.ErrClosed, 403, "site-closed"},
	{calendar.ErrUnavailable, 503, "rest_service_unavailable"},
}

// problemOf returns an error as clients see it. For internal errors, it says only that there was one.
func problemOf(err error) *Problem {
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return &Problem{
				Status: p.status,
				Code:   p.code,
				Data:   map[string]any{"MaxBytes": reading.MaxBytes >> 20, "MaxEntries": reading.MaxEntries},
			}
		}
	}
	if _, ok := errors.AsType[*args.Problems](err); ok { // arguments of the whole import: those of a filter
		return &Problem{Status: 400, Code: "source-filter"}
	}
	return &Problem{Status: 500, Code: "internal_server_error"}
}

// finding converts a finding of a reader.
func finding(f reading.Finding) Finding {
	return Finding{Code: f.Code, Param: f.Param, Key: "import.finding." + f.Code, Data: map[string]any{"Value": f.Value}}
}

// warning returns a finding of the service itself.
func warning(code, param, value string) Finding {
	return finding(reading.Finding{Code: code, Param: param, Value: value})
}

// findings converts problems with arguments to findings.
func findings(err error) []Finding {
	found, ok := errors.AsType[*args.Problems](err)
	if !ok {
		return []Finding{warning("refused", "", "")}
	}
	var list []Finding
	for _, name := range found.Absent() {
		list = append(list, Finding{Code: "missing", Param: name, Key: "problem.missing", Data: map[string]any{}})
	}
	for _, p := range found.Broken() {
		list = append(list, findingOf(p))
	}
	return list
}

func findingOf(p args.Problem) Finding {
	f := Finding{
		Code:  strings.ReplaceAll(strings.TrimPrefix(p.Key, "problem."), ".", "-"),
		Param: p.Arg,
		Key:   p.Key,
		Data:  map[string]any{},
	}
	for name, value := range p.Data {
		if inner, ok := value.(args.Problem); ok {
			within := findingOf(inner)
			f.Inner = &within
			continue
		}
		f.Data[name] = value
	}
	return f
}

// Problem returns a finding as a problem with an argument, to format its text.
func (f *Finding) Problem() args.Problem {
	p := args.Problem{Arg: f.Param, Key: f.Key, Data: f.Data}
	if f.Inner != nil {
		p.Data = map[string]any{"Problem": f.Inner.Problem()}
		maps.Copy(p.Data, f.Data)
	}
	return p
}

// ofEntry reports whether an error concerns only one entry, so that the import can continue. An entry may be outside the
// area of the user who imports it; whether they may import at all was checked before.
func ofEntry(err error) bool {
	if _, ok := errors.AsType[*args.Problems](err); ok {
		return true
	}
	if _, ok := errors.AsType[*tenancy.AccessError](err); ok {
		return true
	}
	for _, one := range []error{
		calendar.ErrRefused,
		calendar.ErrNotFound,
		calendar.ErrGone,
		calendar.ErrTrashed,
		calendar.ErrPrecondition,
		errNotYours,
		tenancy.ErrForbidden,
	} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

// errNotYours is returned for an existing event that the importer may not change.
var errNotYours = errors.New("not the importer's")
