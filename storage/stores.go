package storage

import (
	"github.com/kalends/kalends/calendar/imports"
	accountstore "github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/archives"
	importstore "github.com/kalends/kalends/storage/imports"
	"github.com/kalends/kalends/storage/pg"
	platformstore "github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy/accounts"
	"github.com/kalends/kalends/tenancy/archive"
	"github.com/kalends/kalends/tenancy/jobs"
	"github.com/kalends/kalends/tenancy/platform"
)

// DB implements platform.Store.
var _ platform.Store = (*DB)(nil)

// Engine returns the database for stores that do not depend on calendars.
func (db *DB) Engine() *pg.DB { return db.DB.DB }

// Sites implements platform.Store.
func (db *DB) Sites() platform.SiteStore { return platformstore.SitesWith(db.Engine(), db.exchange) }

// Domains implements platform.Store.
func (db *DB) Domains() platform.DomainStore { return platformstore.Domains(db.Engine()) }

// Plans implements platform.Store.
func (db *DB) Plans() platform.PlanStore { return platformstore.Plans(db.Engine()) }

// Gatherings implements platform.Store.
func (db *DB) Gatherings() platform.GatheringStore { return platformstore.Gatherings(db.Engine()) }

// Tokens implements accounts.Store.
func (db *DB) Tokens() accounts.TokenStore { return platformstore.Tokens(db.Engine()) }

// ProviderSessions implements accounts.Store.
func (db *DB) ProviderSessions() accounts.ProviderSessionStore {
	return platformstore.ProviderSessions(db.Engine())
}

// ProviderChallenges implements accounts.Store.
func (db *DB) ProviderChallenges() accounts.ChallengeStore {
	return platformstore.ProviderChallenges(db.Engine())
}

// Users implements accounts.Store.
func (db *DB) Users() accounts.UserStore { return accountstore.Users(db.Engine()) }

// Credentials implements accounts.Store.
func (db *DB) Credentials() accounts.CredentialStore { return accountstore.Credentials(db.Engine()) }

// Sessions implements accounts.Store.
func (db *DB) Sessions() accounts.SessionStore { return accountstore.Sessions(db.Engine()) }

// Vouchers implements accounts.Store.
func (db *DB) Vouchers() accounts.VoucherStore { return accountstore.Vouchers(db.Engine()) }

// SecondFactors implements accounts.Store.
func (db *DB) SecondFactors() accounts.SecondFactorStore {
	return accountstore.SecondFactors(db.Engine())
}

// SignIns implements accounts.Store.
func (db *DB) SignIns() accounts.SignInStore { return accountstore.SignIns(db.Engine()) }

// Passkeys implements accounts.Store.
func (db *DB) Passkeys() accounts.PasskeyStore { return accountstore.Passkeys(db.Engine()) }

// Challenges implements accounts.Store.
func (db *DB) Challenges() accounts.ChallengeStore { return accountstore.Challenges(db.Engine()) }

// Attempts implements accounts.Store.
func (db *DB) Attempts() accounts.AttemptStore { return accountstore.Attempts(db.Engine()) }

// Forms implements accounts.Store.
func (db *DB) Forms() accounts.FormStore { return accountstore.Forms(db.Engine()) }

// Lobby implements accounts.Store.
func (db *DB) Lobby() accounts.LobbyStore { return accountstore.Lobby(db.Engine()) }

// Imports implements imports.Stores.
func (db *DB) Imports() imports.Store { return importstore.Of(db.DB) }

// Archives returns the store of exports and imports.
func (db *DB) Archives() archive.Store { return archives.Sites(db.Engine(), db.OnVersion, readable) }

// Jobs returns the store of jobs.
func (db *DB) Jobs() jobs.Store { return archives.Jobs(db.Engine()) }
