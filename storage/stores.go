package storage

import (
	"github.com/kalends/kalends/archive"
	"github.com/kalends/kalends/jobs"
	"github.com/kalends/kalends/storage/accounts"
	"github.com/kalends/kalends/storage/archives"
	"github.com/kalends/kalends/storage/platform"
	"github.com/kalends/kalends/tenancy"
)

// What tenancy.Store asks for, and the room that has it.
var _ tenancy.Store = (*DB)(nil)

// Sites implements tenancy.Store.
func (db *DB) Sites() tenancy.SiteStore { return platform.Sites(db.DB) }

// Domains implements tenancy.Store.
func (db *DB) Domains() tenancy.DomainStore { return platform.Domains(db.DB) }

// Plans implements tenancy.Store.
func (db *DB) Plans() tenancy.PlanStore { return platform.Plans(db.DB) }

// Tokens implements tenancy.Store.
func (db *DB) Tokens() tenancy.TokenStore { return platform.Tokens(db.DB) }

// ProviderSessions implements tenancy.Store.
func (db *DB) ProviderSessions() tenancy.ProviderSessionStore {
	return platform.ProviderSessions(db.DB)
}

// Users implements tenancy.Store.
func (db *DB) Users() tenancy.UserStore { return accounts.Users(db.DB) }

// Credentials implements tenancy.Store.
func (db *DB) Credentials() tenancy.CredentialStore { return accounts.Credentials(db.DB) }

// Sessions implements tenancy.Store.
func (db *DB) Sessions() tenancy.SessionStore { return accounts.Sessions(db.DB) }

// Vouchers implements tenancy.Store.
func (db *DB) Vouchers() tenancy.VoucherStore { return accounts.Vouchers(db.DB) }

// Passkeys implements tenancy.Store.
func (db *DB) Passkeys() tenancy.PasskeyStore { return accounts.Passkeys(db.DB) }

// Challenges implements tenancy.Store.
func (db *DB) Challenges() tenancy.ChallengeStore { return accounts.Challenges(db.DB) }

// Attempts implements tenancy.Store.
func (db *DB) Attempts() tenancy.AttemptStore { return accounts.Attempts(db.DB) }

// Forms implements tenancy.Store.
func (db *DB) Forms() tenancy.FormStore { return accounts.Forms(db.DB) }

// Lobby implements tenancy.Store.
func (db *DB) Lobby() tenancy.LobbyStore { return accounts.Lobby(db.DB) }

// Archives returns the store of exports and imports.
func (db *DB) Archives() archive.Store { return archives.Sites(db.DB, db.onVersion) }

// Jobs returns the store of jobs.
func (db *DB) Jobs() jobs.Store { return archives.Jobs(db.DB) }
