package tenancy

import "context"

// Via is the way in which a write came to a site.
type Via string

// The ways. For a credential, the way is its Kind.
const (
	ViaSession  Via = "session"  // of the administration
	ViaProvider Via = "provider" // a token of the provider
	ViaCommand  Via = "command"  // the command line
	ViaImport   Via = "import"
	ViaSchedule Via = "schedule" // the service itself, on schedule
	ViaSupport  Via = "support"  // the provider's support, in the administration

	ViaSubmission Via = "submission" // by a person without an account
)

// Source says where a write comes from, for the history.
type Source struct {
	UserID  int64  // 0: not a user of the site
	Who     string // login, or name of the provider's token
	Via     Via    // "": nobody was signed in
	Name    string // name of the credential; for support, the reason why it acts
	Address string // of the client, "" for none
	Import  int64  // ID of the import that writes, 0 for none
}

// SourceOf returns the source of the writes in a context. It needs no site.
func SourceOf(ctx context.Context) Source {
	scope := Current(ctx)
	p := scope.Principal
	s := Source{UserID: p.UserID, Who: p.Login, Name: p.Key, Address: scope.Address}
	provider, ok := ctx.Value(providerKey{}).(Provider)
	in, importing := ctx.Value(importKey{}).(int64)
	switch {
	case importing:
		s.Via, s.Import = ViaImport, in
	case ok && provider.Scheduled:
		s.Via = ViaSchedule
	case ok && provider.Command:
		s.Via = ViaCommand
	case ok:
		s.Via, s.Name = ViaProvider, provider.Name
	case p.Support != "":
		s.Via, s.Name = ViaSupport, p.Support
	case p.Kind != "":
		s.Via = Via(p.Kind)
	case p.UserID != 0:
		s.Via = ViaSession
	}
	if ok && s.Who == "" {
		s.Who = provider.Name
	}
	return s
}

type importKey struct{}

// Importing returns a context whose writes come from the import with an ID. A key with access to imports or sources
// may write all content there.
func Importing(ctx context.Context, id int64) context.Context {
	if p := Current(ctx).Principal; p.Opens(WriteImports) || p.Opens(WriteSources) {
		ctx = Opening(ctx, WriteContent)
	}
	return context.WithValue(ctx, importKey{}, id)
}
