package platform

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Names looks up the TXT records and the addresses of a name in the DNS. *net.Resolver implements it.
type Names interface {
	LookupHost(ctx context.Context, name string) ([]string, error)
	LookupTXT(ctx context.Context, name string) ([]string, error)
}

// Pages fetches a URL, only from public servers. The error is fs.ErrNotExist if the server responded that there is
// nothing at the URL.
type Pages interface {
	Fetch(ctx context.Context, url string) (data []byte, contentType, finalURL string, err error)
}

// checkTime is the time limit for checking all proofs of a domain.
const checkTime = 8 * time.Second

// Finding is the result of checking for one proof.
type Finding string

// The findings.
const (
	Shown  Finding = "shown"
	Absent Finding = "absent" // found nothing
	Other  Finding = "other"  // found another text
	Failed Finding = "failed" // unknown: no response, or no response in time
)

// Check is the result of checking for the proofs of a domain.
type Check struct {
	Domain
	DNS, HTTP Finding // "" if no check was necessary
}

// Check looks for the proofs of a domain that the site claims. If it finds one, it gives the domain to the site. It
// returns ErrNoDomain if the site does not claim the domain, and *args.Problems if another site has it now.
func (s *Domains) Check(ctx context.Context, name string) (*Check, error) {
	found, err := s.find(ctx, name)
	if err != nil {
		return nil, err
	}
	result := &Check{Domain: *found}
	switch {
	case found.By != "":
		return result, nil
	case found.Elsewhere:
		return nil, args.Invalid("domain", "problem.domain.lost", map[string]any{"Domain": found.Name})
	}
	result.look(ctx, s.names, s.pages)
	result.Checked = s.clock().UTC().Truncate(time.Second)
	proof := ByDNS
	switch {
	case result.DNS == Shown:
	case result.HTTP == Shown:
		proof = ByHTTP
	default:
		return result, tenancy.Wrap("check domain", s.store.Touch(ctx, found.Name, result.Checked))
	}
	if err := s.store.Prove(ctx, found.Name, found.Token, proof); err != nil {
		return nil, tenancy.Wrap("prove domain", err)
	}
	s.forget(tenancy.Current(ctx).Site.ID)
	result.By, result.Proved, result.Token = proof, result.Checked, ""
	return result, nil
}

// look looks for both proofs simultaneously.
func (c *Check) look(ctx context.Context, names Names, pages Pages) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var both sync.WaitGroup
	both.Go(func() { c.DNS = c.record(ctx, names) })
	both.Go(func() { c.HTTP = c.page(ctx, pages) })
	both.Wait()
}

func (c *Check) record(ctx context.Context, names Names) Finding {
	name, value := c.Record()
	texts, err := names.LookupTXT(ctx, name+".")
	var failed *net.DNSError
	switch {
	case errors.As(err, &failed) && failed.IsNotFound, err == nil && len(texts) == 0:
		return Absent
	case err != nil:
		return Failed
	case slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == value }):
		return Shown
	}
	return Other
}

func (c *Check) page(ctx context.Context, pages Pages) Finding {
	if pages == nil {
		return Failed
	}
	text, _, _, err := pages.Fetch(ctx, c.Page())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Absent
	case err != nil:
		return Failed
	case strings.Contains(string(text), c.Token):
		return Shown
	}
	return Other
}
