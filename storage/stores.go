package storage

import (
	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/archives"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// What tenancy.Store asks for, and the room that has it.
var _ tenancy.Store = (*DB)(nil)

// Engine is what stores that know nothing of calendars stand on.
func (db *DB) Engine() *pg.DB { return db.DB.DB }

// Sites implements tenancy.Store.
func (db *DB) Sites() tenancy.SiteStore { return platform.Sites(db.Engine()) }

// Domains implements tenancy.Store.
func (db *DB) Domains() tenancy.DomainStore { return platform.Domains(db.Engine()) }

// Plans implements tenancy.Store.
func (db *DB) Plans() tenancy.PlanStore { return platform.Plans(db.Engine()) }

// Tokens implements tenancy.Store.
func (db *DB) Tokens() tenancy.TokenStore { return platform.Tokens(db.Engine()) }

// ProviderSessions implements tenancy.Store.
func (db *DB) ProviderSessions() tenancy.ProviderSessionStore {
	return platform.ProviderSessions(db.Engine())
}

// Users implements tenancy.Store.
func (db *DB) Users() tenancy.UserStore { return accounts.Users(db.Engine()) }

// Credentials implements tenancy.Store.
func (db *DB) Credentials() tenancy.CredentialStore { return accounts.Credentials(db.Engine()) }

// Sessions implements tenancy.Store.
func (db *DB) Sessions() tenancy.SessionStore { return accounts.Sessions(db.Engine()) }

// Vouchers implements tenancy.Store.
func (db *DB) Vouchers() tenancy.VoucherStore { return accounts.Vouchers(db.Engine()) }

// Passkeys implements tenancy.Store.
func (db *DB) Passkeys() tenancy.PasskeyStore { return accounts.Passkeys(db.Engine()) }

// Challenges implements tenancy.Store.
func (db *DB) Challenges() tenancy.ChallengeStore { return accounts.Challenges(db.Engine()) }

// Attempts implements tenancy.Store.
func (db *DB) Attempts() tenancy.AttemptStore { return accounts.Attempts(db.Engine()) }

// Forms implements tenancy.Store.
func (db *DB) Forms() tenancy.FormStore { return accounts.Forms(db.Engine()) }

// Lobby implements tenancy.Store.
func (db *DB) Lobby() tenancy.LobbyStore { return accounts.Lobby(db.Engine()) }

// Archives returns the store of exports and imports.
func (db *DB) Archives() archive.Store { return archives.Sites(db.Engine(), db.OnVersion) }

// Jobs returns the store of jobs.
func (db *DB) Jobs() jobs.Store { return archives.Jobs(db.Engine()) }
