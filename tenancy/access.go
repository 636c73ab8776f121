package tenancy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// Access is what a key opens: a set of resources to read or to write. A key has its owner's rights, but only for what it
// opens.
type Access uint32

// What keys open, in the order of Access.Names.
const (
	ReadEvents Access = 1 << iota
	WriteEvents
	ReadVenues
	WriteVenues
	ReadOrganizers
	WriteOrganizers
	ReadTerms // categories and tags
	WriteTerms
	ReadImages
	WriteImages
	ReadSubmissions
	WriteSubmissions
	WriteImports // also reads them, like each of the following without its own Read
	WriteSources
	ReadChanges
	ReadHistory
	WriteWebhooks
	ReadUsers
	WriteUsers
	WriteSettings

	FullAccess Access = 1<<32 - 1 // everything, including what future versions add
	NoAccess   Access = 0         // only what anyone may do
)

// accessNames are the names that programs use for each, from ReadEvents on.
var accessNames = []string{
	"events:read", "events:write", "venues:read", "venues:write", "organizers:read", "organizers:write", "terms:read", "terms:write",
	"images:read", "images:write", "submissions:read", "submissions:write", "imports:write", "sources:write", "changes:read",
	"history:read", "webhooks:write", "users:read", "users:write", "settings:write",
}

// AccessNames returns the names of everything that a key can open.
func AccessNames() []string { return slices.Clone(accessNames) }

// Names returns the names of everything in a.
func (a Access) Names() []string {
	names := []string{}
	for i, name := range accessNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// AccessOf returns the Access with these names. Unknown names open nothing.
func AccessOf(names []string) (a Access) {
	for _, name := range names {
		if i := slices.Index(accessNames, name); i >= 0 {
			a |= 1 << i
		}
	}
	return a
}

// AccessTo returns what a key has to open to change an object of a kind of the history. It returns false if no key can.
func AccessTo(kind string) (a Access, known bool) {
	a, known = map[string]Access{
		"event": WriteEvents, "venue": WriteVenues, "organizer": WriteOrganizers, "category": WriteTerms, "tag": WriteTerms,
		"image": WriteImages, "site": WriteSettings, "user": WriteUsers, "import": WriteImports, "source": WriteSources,
		"webhook": WriteWebhooks,
	}[kind]
	return a, known
}

// KeyLimits limit what a key may do within its owner's rights.
type KeyLimits struct {
	Access     Access
	Categories []int64   // the only ones whose events it writes, with those below them; empty: all
	Expires    time.Time // zero: never
}

// ErrKeyMayNot says that only a person may do this, never a key.
var ErrKeyMayNot = errors.New("not with a key")

// AccessError says what a key does not open.
type AccessError struct {
	Lacks      Access
	Categories []int64 // the event is in none of these
}

func (e *AccessError) Error() string { return "the key does not open " + e.Name() }

// Name returns the name of what the key does not open, the first of several.
func (e *AccessError) Name() string {
	return strings.Join(e.Lacks.Names()[:min(1, len(e.Lacks.Names()))], "")
}

// Opens reports whether the principal's key opens all of a. A principal without a key, or with one without limits, opens
// everything.
func (p Principal) Opens(a Access) bool { return p.Limits == nil || p.Limits.Access&a == a }

// Reach returns nil when the principal's key opens all of a, else an *AccessError.
func (p Principal) Reach(a Access) error {
	if p.Opens(a) {
		return nil
	}
	return &AccessError{Lacks: a &^ p.Limits.Access}
}

// RequireFor is Require that checks with Reach first whether the key opens a.
func (p Principal) RequireFor(a Access, rights Permission) error {
	if err := p.Reach(a); err != nil {
		return err
	}
	return p.Require(rights)
}

// ByPerson returns ErrKeyMayNot if the principal is a key, else nil.
func (p Principal) ByPerson() error {
	if p.Kind != "" {
		return ErrKeyMayNot
	}
	return nil
}

// Opening returns a context whose key also opens more, for a service that has to write other things to do its work.
func Opening(ctx context.Context, more Access) context.Context {
	scope := Current(ctx)
	if scope.Principal.Limits == nil {
		return ctx
	}
	wider, limits := *scope, *scope.Principal.Limits
	limits.Access |= more
	wider.Principal.Limits = &limits
	return With(ctx, wider)
}

// WriteContent opens everything that a calendar shows.
const WriteContent = WriteEvents | WriteVenues | WriteOrganizers | WriteTerms | WriteImages

// rightsFor are the rights that an owner needs for the key's access to have any effect.
var rightsFor = map[Access]Permission{
	WriteEvents: EditOwn, WriteVenues: EditOwn, WriteOrganizers: EditOwn, WriteTerms: EditOwn | ManageCategories, WriteImages: Upload,
	ReadSubmissions: EditOthers | Publish, WriteSubmissions: EditOthers | Publish, WriteImports: EditOwn, WriteSources: ManageSite,
	ReadHistory: ManageSite, WriteWebhooks: ManageSite, ReadUsers: ManageUsers, WriteUsers: ManageUsers, WriteSettings: ManageSite,
}

// Access returns everything that the principal may read or write now: what the key opens within the rights of the owner's
// role.
func (p Principal) Access() (a Access) {
	for i, name := range accessNames {
		one := Access(1) << i
		reads := strings.HasSuffix(name, ":read")
		if p.Opens(one) && p.Rights()&rightsFor[one] == rightsFor[one] && (reads || !p.ReadOnly) {
			a |= one
		}
	}
	return a
}
