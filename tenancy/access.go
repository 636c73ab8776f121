package tenancy

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// Access is the set of resources that a key may read or write. Within that set, a key has its owner's rights.
type Access uint32

// The kinds of access, in the order of Access.Names.
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
	WriteImports // also permits reading imports; the same applies to each following access that has no Read
	WriteSources
	ReadChanges
	ReadHistory
	WriteWebhooks
	ReadUsers
	WriteUsers
	WriteSettings

	FullAccess Access = 1<<32 - 1 // everything, including access added in future versions
	NoAccess   Access = 0         // only what anyone may do
)

// accessNames are the names that the API uses for the kinds of access, from ReadEvents on.
var accessNames = []string{
	"events:read", "events:write", "venues:read", "venues:write", "organizers:read", "organizers:write", "terms:read", "terms:write",
	"images:read", "images:write", "submissions:read", "submissions:write", "imports:write", "sources:write", "changes:read",
	"history:read", "webhooks:write", "users:read", "users:write", "settings:write",
}

// AccessNames returns the names of all kinds of access.
func AccessNames() []string { return slices.Clone(accessNames) }

// Names returns the names of the kinds of access in a.
func (a Access) Names() []string {
	names := []string{}
	for i, name := range accessNames {
		if a&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// AccessOf returns the Access with these names. It ignores unknown names.
func AccessOf(names []string) (a Access) {
	for _, name := range names {
		if i := slices.Index(accessNames, name); i >= 0 {
			a |= 1 << i
		}
	}
	return a
}

// AccessTo returns the access that a key needs to change an object of a kind, as named in the history. known is
// false if no key may change such objects.
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
	Categories []int64   // the key writes only events in these categories and their descendants; empty: all events
	Expires    time.Time // zero: never
}

// ErrKeyMayNot says that keys may not do this; only a person may.
var ErrKeyMayNot = errors.New("not with a key")

// AccessError says which access a key lacks.
type AccessError struct {
	Lacks      Access
	Categories []int64 // the event is in none of these categories
}

func (e *AccessError) Error() string { return "the key does not open " + e.Name() }

// Name returns the name of the missing access, or of the first if several are missing.
func (e *AccessError) Name() string {
	return strings.Join(e.Lacks.Names()[:min(1, len(e.Lacks.Names()))], "")
}

// Opens reports whether the principal's key has all access in a. A principal without a key, or with an unlimited
// key, has all access.
func (p Principal) Opens(a Access) bool { return p.Limits == nil || p.Limits.Access&a == a }

// Reach returns nil if the principal's key has all access in a, otherwise an *AccessError.
func (p Principal) Reach(a Access) error {
	if p.Opens(a) {
		return nil
	}
	return &AccessError{Lacks: a &^ p.Limits.Access}
}

// RequireFor is Require, but first checks with Reach whether the key has the access.
func (p Principal) RequireFor(a Access, rights Permission) error {
	if err := p.Reach(a); err != nil {
		return err
	}
	return p.Require(rights)
}

// Permitted returns the scope of the context, and an error unless its principal has the rights and its key the access.
func Permitted(ctx context.Context, a Access, rights Permission) (*Scope, error) {
	scope, err := From(ctx)
	if err != nil {
		return nil, err
	}
	return scope, scope.Principal.RequireFor(a, rights)
}

// PermittedToRead is Permitted for reading, which read-only keys may do too.
func PermittedToRead(ctx context.Context, a Access, rights Permission) (*Scope, error) {
	scope, err := From(ctx)
	if err == nil {
		err = scope.Principal.Reach(a)
	}
	if err == nil && !scope.Principal.MayRead(rights) {
		err = scope.Principal.Require(rights)
	}
	return scope, err
}

// ByPerson returns ErrKeyMayNot if the principal is a key, otherwise nil.
func (p Principal) ByPerson() error {
	if p.Kind != "" {
		return ErrKeyMayNot
	}
	return nil
}

// Opening returns a context whose key has additional access, for a service that has to write other resources as
// part of its work.
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

// WriteContent is the access to all content of a calendar.
const WriteContent = WriteEvents | WriteVenues | WriteOrganizers | WriteTerms | WriteImages

// rightsFor are the rights that an owner needs for the key's access to have any effect.
var rightsFor = map[Access]Permission{
	WriteEvents: EditOwn, WriteVenues: EditOwn, WriteOrganizers: EditOwn, WriteTerms: EditOwn | ManageCategories, WriteImages: Upload,
	ReadSubmissions: EditOthers | Publish, WriteSubmissions: EditOthers | Publish, WriteImports: EditOwn, WriteSources: ManageSite,
	ReadHistory: ManageSite, WriteWebhooks: ManageSite, ReadUsers: ManageUsers, WriteUsers: ManageUsers, WriteSettings: ManageSite,
}

// Access returns everything that the principal may read or write now: the access of the key, as far as the owner's
// role has the rights for it.
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
