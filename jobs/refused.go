package jobs

import (
	"errors"
	"net/http"
	"syscall"

	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/args"
	"github.com/kalends/kalends/tenancy"
)

// Problem is why a job came to nothing, as the interface would have answered it:
// a status, a code, and what is wrong with which argument.
type Problem struct {
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Params []Param `json:"params,omitempty"`
}

// Param is what is wrong with one argument.
type Param struct {
	Arg  string         `json:"arg"`
	Key  string         `json:"key"`
	Data map[string]any `json:"data,omitempty"`
}

// Problems returns what is wrong with arguments, nil when that isn't it.
func (p *Problem) Problems() *args.Problems {
	if len(p.Params) == 0 {
		return nil
	}
	found := &args.Problems{}
	for _, one := range p.Params {
		found.Invalid(one.Arg, one.Key, one.Data)
	}
	return found
}

// Refused is an error that clients are told.
type Refused struct {
	Problem Problem
	Err     error
}

func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap returns the reason.
func (r *Refused) Unwrap() error { return r.Err }

// errAbandoned says that whoever worked on a job died of it, again and again.
var errAbandoned = errors.New("every attempt was broken off")

// reasons is the table of what clients are told. The first line that fits counts.
var reasons = []struct {
	err     error
	problem Problem
}{
	{archive.ErrNoArchive, Problem{Status: http.StatusBadRequest, Code: "archive_unknown"}},
	{archive.ErrTooNew, Problem{Status: http.StatusBadRequest, Code: "archive_too_new"}},
	{archive.ErrTooLarge, Problem{Status: http.StatusBadRequest, Code: "archive_too_large"}},
	{archive.ErrDamaged, Problem{Status: http.StatusBadRequest, Code: "archive_damaged"}},
	{tenancy.ErrNoSite, Problem{Status: http.StatusNotFound, Code: "rest_site_not_found"}},
	{syscall.ENOSPC, Problem{Status: http.StatusInsufficientStorage, Code: "rest_insufficient_storage"}},
	{syscall.EDQUOT, Problem{Status: http.StatusInsufficientStorage, Code: "rest_insufficient_storage"}},
	{errAbandoned, Problem{Status: http.StatusInternalServerError, Code: "job_abandoned"}},
}

// refused returns an error as a *Refused when clients are told its reason, else as
// it is.
func refused(err error) error {
	if problems, ok := errors.AsType[*args.Problems](err); ok {
		p := Problem{Status: http.StatusBadRequest, Code: "rest_invalid_param"}
		for _, one := range problems.Broken() {
			p.Params = append(p.Params, Param{one.Arg, one.Key, one.Data})
		}
		return &Refused{p, err}
	}
	for _, r := range reasons {
		if errors.Is(err, r.err) {
			return &Refused{r.problem, err}
		}
	}
	return err
}

// problemOf returns what clients are told of an error; of a fault of ours, that it
// is one.
func problemOf(err error) *Problem {
	if r, ok := errors.AsType[*Refused](refused(err)); ok {
		return &r.Problem
	}
	return &Problem{Status: http.StatusInternalServerError, Code: "internal_server_error"}
}
