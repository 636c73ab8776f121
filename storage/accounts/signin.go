package accounts

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// signIns implements accounts.SignInStore.
type signIns struct{ db *pg.DB }

// SignIns returns the store of providers that people sign in with.
func SignIns(db *pg.DB) accounts.SignInStore { return signIns{db} }

// Find returns the provider of the site.
func (s signIns) Find(ctx context.Context) (p *accounts.SignInProvider, err error) {
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		p = &accounts.SignInProvider{}
		queueProvider(b, site, p)
	})
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoProvider)
	}
	return p, nil
}

func queueProvider(b *pgx.Batch, site int64, p *accounts.SignInProvider) {
	const find = `
		SELECT issuer,
		       client_id,
		       secret,
		       claim,
		       groups,
		       others,
		       passwords,
		       changed_at
		FROM sign_in_providers
		WHERE site_id = $1`
	b.Queue(find, site).QueryRow(func(row pgx.Row) error {
		var groups []byte
		err := row.Scan(&p.Issuer, &p.ClientID, &p.Secret, &p.Claim, &groups, &p.Others, &p.Passwords, (*pg.UTC)(&p.Changed))
		if err != nil {
			return err
		}
		return json.Unmarshal(groups, &p.Groups)
	})
}

// providerDocument returns what the history stores about how people sign in, without the secret.
func providerDocument(p *accounts.SignInProvider) pg.Document {
	if p == nil || p.Issuer == "" {
		return pg.Document{"sign_in": nil, "passwords": true}
	}
	return pg.Document{"passwords": p.Passwords, "sign_in": map[string]any{"issuer": p.Issuer, "client_id": p.ClientID, "claim": p.Claim,
		"groups": p.Groups, "others": string(p.Others)}}
}

// SignInDocument returns what the history stores about how people sign in on the Scope's site.
func SignInDocument(ctx context.Context, db *pg.DB) (pg.Document, error) {
	p, err := signIns{db}.Find(ctx)
	if err = pg.NotFound(err, accounts.ErrNoProvider); err == accounts.ErrNoProvider { //nolint:errorlint // as NotFound returns it
		return providerDocument(nil), nil
	}
	return providerDocument(p), err
}

// Save stores the provider of the site.
func (s signIns) Save(ctx context.Context, p *accounts.SignInProvider) error {
	const save = `
		INSERT INTO sign_in_providers (site_id, issuer, client_id, secret, claim, groups, others, passwords, changed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT ON CONSTRAINT sign_in_providers_pkey DO UPDATE
		SET issuer = excluded.issuer,
		    client_id = excluded.client_id,
		    secret = excluded.secret,
		    claim = excluded.claim,
		    groups = excluded.groups,
		    others = excluded.others,
		    passwords = excluded.passwords,
		    changed_at = excluded.changed_at`
	groups, err := json.Marshal(p.Groups)
	if err != nil {
		return err
	}
	return s.change(ctx, p, func(t *pg.Tx) {
		t.Queue(save, t.Site, p.Issuer, p.ClientID, p.Secret, p.Claim, groups, string(p.Others), p.Passwords, p.Changed)
	})
}

// Delete removes the provider of the site and the identities that it gave to users.
func (s signIns) Delete(ctx context.Context) error {
	const remove = `
		DELETE FROM sign_in_providers
		WHERE site_id = $1`
	const forget = `
		DELETE FROM sign_in_identities
		WHERE site_id = $1`
	return s.change(ctx, nil, func(t *pg.Tx) {
		t.Queue(forget, t.Site)
		t.Queue(remove, t.Site)
	})
}

// change runs do, and records which values of the site's provider it replaced. The site is locked, so nobody else
// can change them in the meantime.
func (s signIns) change(ctx context.Context, after *accounts.SignInProvider, do func(t *pg.Tx)) error {
	return writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		before, b := &accounts.SignInProvider{}, &pgx.Batch{}
		queueProvider(b, t.Site, before)
		err := pg.NotFound(t.Send(ctx, b), accounts.ErrNoProvider)
		if err == accounts.ErrNoProvider && after != nil { //nolint:errorlint // as NotFound returns it
			before, err = nil, nil
		}
		if err != nil {
			return err
		}
		do(t)
		if replaced := providerDocument(before).Unlike(providerDocument(after)); len(replaced) > 0 {
			t.Log("site", t.Site, "update", replaced)
		}
		return nil
	})
}

const byIdentity = `SELECT` + userColumns + `
	FROM sign_in_identities i
	JOIN users u ON u.site_id = i.site_id AND u.id = i.user_id
	WHERE i.site_id = $1
	  AND i.issuer = $2
	  AND i.subject = $3`

const byEmail = `SELECT` + userColumns + `
	FROM users u
	WHERE u.site_id = $1
	  AND u.email_key = $2`

// Known returns the user of an identity.
func (s signIns) Known(ctx context.Context, issuer, subject string) (*tenancy.User, error) {
	return s.user(ctx, byIdentity, issuer, subject)
}

// ByEmail returns the user of an e-mail address.
func (s signIns) ByEmail(ctx context.Context, email string) (*tenancy.User, error) {
	return s.user(ctx, byEmail, email)
}

func (s signIns) user(ctx context.Context, sql string, of ...any) (*tenancy.User, error) {
	u := &tenancy.User{}
	err := s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(sql, append([]any{site}, of...)...).QueryRow(pg.One(userRow(u)...))
	})
	if err != nil {
		return nil, pg.NotFound(err, accounts.ErrNoUser)
	}
	return u, nil
}

// Admit stores the user of an identity. The site is locked, so only one of two first sign-ins creates the user.
func (s signIns) Admit(ctx context.Context, who *accounts.Identity, logins []string,
	change func(u *tenancy.User, others int) (*tenancy.User, error),
) (after *tenancy.User, err error) {
	err = s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		user, others, err := s.whose(ctx, t, who)
		if err != nil {
			return err
		}
		var before tenancy.User
		if user != nil {
			before = *user
		}
		if after, err = change(user, others); err != nil {
			return err
		}
		if user != nil {
			updateUser(t, &before, after)
			return link(ctx, t, who, after.ID)
		}
		if after.Login, err = freeLogin(ctx, t, logins); err == nil {
			err = CreateUser(ctx, t, after, nil)
		}
		if err != nil {
			return err
		}
		return link(ctx, t, who, after.ID)
	})
	return after, err
}

// whose returns the user of an identity, or nil, and the number of other administrators of the site.
func (s signIns) whose(ctx context.Context, t *pg.Tx, who *accounts.Identity) (*tenancy.User, int, error) {
	for _, by := range []struct {
		sql string
		of  []any
		may bool
	}{{byIdentity, []any{who.Issuer, who.Subject}, true}, {byEmail, []any{tenancy.Fold(who.Email)}, who.Verified}} {
		if !by.may {
			continue
		}
		u := &tenancy.User{}
		err := pg.NotFound(t.QueryRow(ctx, by.sql, append([]any{t.Site}, by.of...)...).Scan(userRow(u)...), accounts.ErrNoUser)
		switch {
		case err == nil:
			return userAndOthers(ctx, t, u.ID)
		case err != accounts.ErrNoUser: //nolint:errorlint // as NotFound returns it
			return nil, 0, err
		}
	}
	return nil, 0, nil
}

// freeLogin returns the first login that nobody has.
func freeLogin(ctx context.Context, t *pg.Tx, logins []string) (string, error) {
	const free = `
		SELECT l.login
		FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS l (login, key, n)
		WHERE NOT EXISTS (
		    SELECT
		    FROM users u
		    WHERE u.site_id = $1
		      AND (u.login_key = l.key OR u.email_key = l.key))
		ORDER BY l.n
		LIMIT 1`
	keys := make([]string, len(logins))
	for i, login := range logins {
		keys[i] = tenancy.Fold(login)
	}
	var login string
	err := t.QueryRow(ctx, free, t.Site, logins, keys).Scan(&login)
	return login, err
}

// link stores the subject by which the provider identifies a user. It returns accounts.ErrOtherIdentity if the user
// has a different subject. In that case the address has been given to another person.
func link(ctx context.Context, t *pg.Tx, who *accounts.Identity, user int64) error {
	const create = `
		INSERT INTO sign_in_identities (site_id, issuer, subject, user_id, created_at)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING`
	const same = `
		SELECT count(*)
		FROM sign_in_identities
		WHERE site_id = $1
		  AND issuer = $2
		  AND subject = $3
		  AND user_id = $4`
	var n int
	b := &pgx.Batch{}
	b.Queue(create, t.Site, who.Issuer, who.Subject, user, t.Now)
	b.Queue(same, t.Site, who.Issuer, who.Subject, user).QueryRow(pg.One(&n))
	if err := t.Send(ctx, b); err != nil {
		return err
	}
	if n == 0 {
		return accounts.ErrOtherIdentity
	}
	return nil
}

// Linked reports whether a user has signed in with an issuer.
func (s signIns) Linked(ctx context.Context, user int64, issuer string) (linked bool, err error) {
	const find = `
		SELECT EXISTS (
		    SELECT
		    FROM sign_in_identities
		    WHERE site_id = $1
		      AND user_id = $2
		      AND issuer = $3)`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, user, issuer).QueryRow(pg.One(&linked))
	})
	return linked, err
}

// PasswordOpens reports whether a user may sign in by password.
func (s signIns) PasswordOpens(ctx context.Context, user int64) (opens bool, err error) {
	const find = `
		SELECT NOT EXISTS (
		           SELECT
		           FROM sign_in_providers p
		           WHERE p.site_id = $1
		             AND NOT p.passwords)
		       OR EXISTS (
		           SELECT
		           FROM users u
		           WHERE u.site_id = $1
		             AND u.id = $2
		             AND u.role = 'administrator')
		      AND NOT EXISTS (
		           SELECT
		           FROM sign_in_providers p
		           JOIN sign_in_identities i ON i.site_id = p.site_id AND i.issuer = p.issuer
		           JOIN users a ON a.site_id = i.site_id AND a.id = i.user_id
		           WHERE p.site_id = $1
		             AND a.role = 'administrator')`
	err = s.db.Read(ctx, func(site int64, b *pgx.Batch) {
		b.Queue(find, site, user).QueryRow(pg.One(&opens))
	})
	return opens, err
}
