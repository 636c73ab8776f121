package jobs

import (
	"errors"
	"net/http"
	"syscall"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/archive"
)

// Problem is the reason a job failed, in terms of an API error: a status, a code, and the problems with its
// arguments.
type Problem struct {
	Status int     `json:"status"`
	Code   string  `json:"code"`
	Params []Param `json:"params,omitempty"`
}

// Param is a problem with one argument.
type Param struct {
	Arg  string         `json:"arg"`
	Key  string         `json:"key"`
	Data map[string]any `json:"data,omitempty"`
}

// Problems returns the problems with arguments, or nil if there are none.
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

// Refused is an error whose reason is shown to clients.
type Refused struct {
	Problem Problem
	Err     error
}

func (r *Refused) Error() string { return r.Err.Error() }

// Unwrap returns the underlying error.
func (r *Refused) Unwrap() error { return r.Err }

// errAbandoned is returned if every attempt ended with the death of its node.
var errAbandoned = errors.New("every attempt was interrupted")

// reasons lists the errors shown to clients. The first match is used.
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
	{ErrNoArchive, Problem{Status: http.StatusNotFound, Code: "job_without_archive"}},
	{errAbandoned, Problem{Status: http.StatusInternalServerError, Code: "job_abandoned"}},
}

// refused converts an error whose reason is shown to clients to *Refused, and returns other errors unchanged.
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

// problemOf returns the Problem that clients see for an error. For an internal error, it says only that one
// occurred.
func problemOf(err error) *Problem {
	if r, ok := errors.AsType[*Refused](refused(err)); ok {
		return &r.Problem
	}
	return &Problem{Status: http.StatusInternalServerError, Code: "internal_server_error"}
}
