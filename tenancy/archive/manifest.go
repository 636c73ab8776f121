package archive

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/kalends/kalends/tenancy"
)

// Format is the version of the archive format that this program writes, and the newest it reads. It must be raised
// when an older program would misinterpret an archive; new tables and columns do not require that.
const Format = 1

// manifestName is the member that describes the others. It comes last.
const manifestName = "manifest.json"

// The kinds of archives.
const (
	kindSite         = "site"
	kindInstallation = "installation"
)

// Manifest describes an archive.
type Manifest struct {
	Format  int       `json:"format"`
	Kind    string    `json:"kind"` // "site" or "installation"
	Made    time.Time `json:"made"`
	Site    *Origin   `json:"site,omitempty"`
	Members []Member  `json:"members"`
	Missing []string  `json:"missing,omitempty"` // blobs that were missing during the export
}

// Origin is the site that an archive was made of.
type Origin struct {
	Slug     string        `json:"slug"`
	Name     string        `json:"name"`
	State    tenancy.State `json:"state"`
	Version  int64         `json:"version"` // of the data
	Created  time.Time     `json:"created"`
	Domains  []string      `json:"domains"`
	Language string        `json:"language"`
	Timezone string        `json:"timezone"`
	Plan     string        `json:"plan,omitempty"` // name of the plan; "" in older archives
}

// Member is one file of an archive besides the manifest.
type Member struct {
	Name    string   `json:"name"`
	Bytes   int64    `json:"bytes"`             // uncompressed
	SHA256  string   `json:"sha256"`            // of the uncompressed bytes, in hexadecimal
	Rows    int64    `json:"rows,omitempty"`    // of a table
	Columns []string `json:"columns,omitempty"` // of a table
}

// Table returns the table whose rows the member contains, or "" for a blob.
func (m *Member) Table() string {
	table, isTable := strings.CutSuffix(m.Name, tableEnding)
	if !isTable || strings.Contains(table, "/") {
		return ""
	}
	return table
}

// Blob returns key and file of a blob member, or "" for a table.
func (m *Member) Blob() (key, file string) { return splitBlob(m.Name) }

const (
	tableEnding = ".jsonl"
	blobFolder  = "media/"
)

func blobName(key, file string) string { return blobFolder + key + "/" + file }

func splitBlob(name string) (key, file string) {
	rest, isBlob := strings.CutPrefix(name, blobFolder)
	if !isBlob {
		return "", ""
	}
	key, file = path.Split(rest)
	return strings.TrimSuffix(key, "/"), file
}

// originOf returns the description of a site in the manifest.
func originOf(s *tenancy.Site) *Origin {
	if s == nil {
		return nil
	}
	return &Origin{Slug: s.Slug, Name: s.Name, State: s.State, Version: s.Version, Created: s.Created,
		Domains: s.Domains, Language: s.Language, Timezone: s.Timezone, Plan: s.Plan.Name}
}

// same reports whether both describe the same data.
func (o *Origin) same(as *Origin) bool {
	return o != nil && as != nil && o.Slug == as.Slug && o.Version == as.Version && o.Created.Equal(as.Created)
}

// check returns ErrNoArchive, ErrTooNew or ErrDamaged if the manifest as a whole is invalid. It does not check the members.
func (m *Manifest) check() error {
	switch {
	case m.Format < 1:
		return fmt.Errorf("%w: its manifest has no format", ErrNoArchive)
	case m.Format > Format:
		return fmt.Errorf("%w: it has format %d, this program reads %d", ErrTooNew, m.Format, Format)
	case m.Kind != kindSite && m.Kind != kindInstallation:
		return fmt.Errorf("%w: it is an archive of a %q", ErrTooNew, m.Kind)
	case m.Kind == kindSite && m.Site == nil:
		return fmt.Errorf("%w: its manifest names no site", ErrDamaged)
	}
	return nil
}

// check returns ErrDamaged or ErrTooNew if the description of a member is invalid.
func (m *Member) check() error {
	if !plain(m.Name) || m.Table() == "" && strings.Count(m.Name, "/") != 2 {
		return fmt.Errorf("%w: %q is not a valid name of a member", ErrDamaged, m.Name)
	}
	if sum, err := hex.DecodeString(m.SHA256); err != nil || len(sum) != 32 || m.Bytes < 0 || m.Rows < 0 {
		return fmt.Errorf("%w: its manifest has invalid values for %s", ErrDamaged, m.Name)
	}
	if m.Table() == "" && !strings.HasPrefix(m.Name, blobFolder) {
		return fmt.Errorf("%w: it has %s, which this program does not know", ErrTooNew, m.Name)
	}
	if m.Table() != "" && len(m.Columns) == 0 {
		return fmt.Errorf("%w: %s has no columns", ErrDamaged, m.Name)
	}
	return nil
}

// plain reports whether a path is safe: relative, without "..", hidden names or separators of other systems.
func plain(name string) bool {
	if len(name) > 600 || !fs.ValidPath(name) {
		return false
	}
	return !slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return part[0] == '.' || len(part) > 255 || strings.ContainsFunc(part, func(r rune) bool {
			return r == '\\' || r == ':' || unicode.IsControl(r)
		})
	})
}

// member returns the member of a table, or nil.
func (m *Manifest) member(table string) *Member {
	for i := range m.Members {
		if m.Members[i].Table() == table {
			return &m.Members[i]
		}
	}
	return nil
}

// Bytes returns the total uncompressed size of all members.
func (m *Manifest) Bytes() (total int64) {
	for i := range m.Members {
		total += m.Members[i].Bytes
	}
	return total
}

// Rows returns the number of rows of a table.
func (m *Manifest) Rows(table string) int64 {
	if member := m.member(table); member != nil {
		return member.Rows
	}
	return 0
}

// Blobs returns the number of blobs.
func (m *Manifest) Blobs() (n int) {
	for i := range m.Members {
		if m.Members[i].Table() == "" {
			n++
		}
	}
	return n
}
