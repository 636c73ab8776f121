package imports

import (
	"context"
	"errors"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy"
)

// Reading is what was read from a source, to be imported.
type Reading struct {
	Source int64  // its id
	Name   string // of the source
	URL    string // without its private parts
	Known  []byte // digest by which its entries are recognized again
	Format string // format that only the source knows; "": as in Asked
	Asked  args.Values
	Data   []byte
	Handed Handed

	Gone    string // what happens to entries that are missing; "": as set in the source
	Entries int    // number of entries if known
}

// Handed is the state that a source stores when an import is queued.
type Handed struct {
	Lease          string // lease of the node that reads the source
	ETag, Modified string
	Digest         []byte
	Seen           int64  // version of the site that was read; 0: the source is not a site
	Data           []byte // the data of a site of the installation
}

// Import queues the import of a Reading on behalf of the scope's principal, who created the source. It returns
// ErrLost if another node has taken over the source.
func (s *Service) Import(ctx context.Context, r *Reading) (*Import, error) {
	i, err := r.asks(ctx)
	if err != nil {
		return nil, err
	}
	content := func(yield func([]byte) error) error {
		for n := 0; n < len(r.Data) || n == 0; n += pieceBytes {
			if err := yield(r.Data[n:min(n+pieceBytes, len(r.Data))]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := s.store.Create(ctx, i, content); err != nil {
		return nil, tenancy.Wrap("import from a source", err)
	}
	s.works.Wake()
	return i, nil
}

// Hand queues imports of several sources together. It leaves out sources that another node has taken over.
func (s *Service) Hand(ctx context.Context, list []*Import) error {
	err := s.store.Hand(ctx, list)
	if errors.Is(err, ErrLost) && len(list) > 1 {
		half := len(list) / 2
		return errors.Join(s.Hand(ctx, list[:half]), s.Hand(ctx, list[half:]))
	}
	s.works.Wake()
	if errors.Is(err, ErrLost) {
		return nil
	}
	return tenancy.Wrap("import from sources", err)
}

// Handing returns the import of a Reading for Hand, which queues several in one transaction.
func (r *Reading) Handing(ctx context.Context) (*Import, error) {
	i, err := r.asks(ctx)
	if err == nil {
		i.Handed.Data, i.Total = r.Data, r.Entries
	}
	return i, err
}

// asks returns the import of a Reading.
func (r *Reading) asks(ctx context.Context) (*Import, error) {
	scope, err := tenancy.From(ctx)
	if err != nil {
		return nil, err
	}
	asked := r.Asked
	i := &Import{State: Queued, Policy: Update, Asked: asked, By: tenancy.SourceOf(ctx), Credential: scope.Principal.Credential,
		Name: shortName(r.Name), URL: r.URL, Source: r.Known, From: r.Source, Handed: &r.Handed}
	if policy, ok := asked["policy"].(string); ok {
		i.Policy = policy
	}
	if format, ok := asked["format"].(string); ok && format != "auto" {
		i.Format = format
	}
	if r.Format != "" {
		i.Format = r.Format
	}
	return i, nil
}

// Masked returns an address without the parts that may be private: query, user and password.
func Masked(address string) string { return masked(address) }

// Digest returns a short hash of a value, for comparison.
func Digest(v any) []byte { return digest(v) }

// ProblemOf returns an error as clients see it.
func ProblemOf(err error) *Problem { return problemOf(err) }

// ErrNotFetched is returned if an address could not be fetched, whatever the reason.
var ErrNotFetched = errNotFetched

// GoneTooMany is the code of the problem of an import that would remove too much and waits for confirmation.
const GoneTooMany = goneTooMany

// Unpacked decompresses data that a server sent with gzip unasked.
func Unpacked(data []byte) ([]byte, error) { return unpacked(data) }

// WebAddress returns the https address for a webcal address, and others unchanged.
func WebAddress(address string) string { return webAddress(address) }

// Acting returns a context with the current rights of the user who asked for work.
func (s *Service) Acting(ctx context.Context, by tenancy.Source, credential int64) (context.Context, error) {
	return s.acting(ctx, &Import{By: by, Credential: credential})
}
