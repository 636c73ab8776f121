package storage

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/tenancy"
)

// Create stores a new user and what they first sign in with.
func (s users) Create(ctx context.Context, u *tenancy.User, first *tenancy.Credential) error {
	return s.db.write(ctx, func(ctx context.Context, t *tx) error { return t.createUser(ctx, u, first) })
}

func (t *tx) createUser(ctx context.Context, u *tenancy.User, first *tenancy.Credential) error {
	const create = `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role, password_hash, language, theme,
			created_at)
		VALUES (@site, @id, @login, @login_key, @email, @email_key, @name, @role, @password_hash, @language, @theme,
			@created)`
	u.ID, u.Created = t.NextUser(), t.Now
	a := userArgs(t, u)
	a["created"] = u.Created
	b := &pgx.Batch{}
	b.Queue(create, a)
	if first != nil {
		first.UserID = u.ID
		t.queueCredential(b, first)
	}
	t.created("user", u.ID)
	return t.Send(ctx, b)
}

// Update changes a user; a change that changes nothing leaves the site's
// version alone.
func (s users) Update(ctx context.Context, id int64, change func(*tenancy.User, int) error) (*tenancy.User, error) {
	var after *tenancy.User
	err := s.db.write(ctx, func(ctx context.Context, t *tx) error {
		u, others, err := t.userAndOthers(ctx, id)
		if err != nil {
			return err
		}
		before := *u
		if err := change(u, others); err != nil {
			return err
		}
		if *u != before {
			t.updateUser(&before, u)
		}
		after = u
		return nil
	})
	return after, err
}

// Secure changes a user and takes away what is to be cut.
func (s users) Secure(ctx context.Context, id int64, cut tenancy.Cut, change func(*tenancy.User) error) (*tenancy.User, error) {
	var after *tenancy.User
	err := s.db.write(ctx, func(ctx context.Context, t *tx) error {
		u, _, err := t.userAndOthers(ctx, id)
		if err != nil {
			return err
		}
		before := *u
		if err := change(u); err != nil {
			return err
		}
		t.updateUser(&before, u)
		after = u
		return t.cut(ctx, id, cut)
	})
	return after, err
}

// cut removes ways in of a user and notes each.
func (t *tx) cut(ctx context.Context, user int64, cut tenancy.Cut) error {
	const keys = `
		DELETE FROM credentials
		WHERE site_id = $1
		  AND user_id = $2
		RETURNING id, kind, name, read_only`
	const passkeys = `
		DELETE FROM passkeys
		WHERE site_id = $1
		  AND user_id = $2
		RETURNING id, name`
	b := &pgx.Batch{}
	if cut.Keys {
		b.Queue(keys, t.Site, user).Query(func(rows pgx.Rows) error {
			gone := &tenancy.Credential{UserID: user}
			_, err := pgx.ForEachRow(rows, []any{&gone.ID, &gone.Kind, &gone.Name, &gone.ReadOnly}, func() error {
				t.logFrom("key", gone.ID, "delete", keyDocument(gone))
				return nil
			})
			return err
		})
	}
	if cut.Passkeys {
		b.Queue(passkeys, t.Site, user).Query(func(rows pgx.Rows) error {
			gone := &tenancy.Passkey{}
			_, err := pgx.ForEachRow(rows, []any{&gone.ID, &gone.Name}, func() error {
				t.logFrom("passkey", passkeyNumber(gone.ID), "delete", passkeyDocument(user, gone.Name))
				return nil
			})
			return err
		})
	}
	return t.Send(ctx, b)
}

// updateUser stores a user's row and notes the change.
func (t *tx) updateUser(before, u *tenancy.User) {
	const update = `
		UPDATE users
		SET login = @login,
		    login_key = @login_key,
		    email = @email,
		    email_key = @email_key,
		    name = @name,
		    role = @role,
		    password_hash = @password_hash,
		    language = @language,
		    theme = @theme
		WHERE site_id = @site
		  AND id = @id`
	t.Queue(update, userArgs(t, u))
	t.logFrom("user", u.ID, "update", userDocument(before).unlike(userDocument(u)))
}

// Delete removes a user. The foreign keys take their credentials along; what they wrote
// is left without an author.
func (s users) Delete(ctx context.Context, id int64, check func(*tenancy.User, int) error) (*tenancy.User, error) {
	wrote := []string{
		`UPDATE events SET author = NULL WHERE site_id = $1 AND author = $2`,
		`UPDATE venues SET author = NULL WHERE site_id = $1 AND author = $2`,
		`UPDATE organizers SET author = NULL WHERE site_id = $1 AND author = $2`,
		`UPDATE images SET author = NULL WHERE site_id = $1 AND author = $2`,
	}
	const remove = `
		DELETE FROM users
		WHERE site_id = $1
		  AND id = $2`
	var last *tenancy.User
	err := s.db.write(ctx, func(ctx context.Context, t *tx) error {
		u, others, err := t.userAndOthers(ctx, id)
		if err != nil {
			return err
		}
		if err := check(u, others); err != nil {
			return err
		}
		for _, sql := range append(wrote, remove) {
			t.Queue(sql, t.Site, id)
		}
		t.logFrom("user", id, "delete", userDocument(u))
		last = u
		return nil
	})
	return last, err
}

// userAndOthers returns a user and the number of the site's other
// administrators. The site is locked, so both hold until the commit.
func (t *tx) userAndOthers(ctx context.Context, id int64) (*tenancy.User, int, error) {
	const count = `
		SELECT count(*)
		FROM users
		WHERE site_id = $1
		  AND id <> $2
		  AND role = 'administrator'`
	u, others, b := &tenancy.User{}, 0, &pgx.Batch{}
	queueUser(b, t.Site, id, u)
	b.Queue(count, t.Site, id).QueryRow(func(row pgx.Row) error { return row.Scan(&others) })
	if err := t.Send(ctx, b); err != nil {
		return nil, 0, notFound(failure(err), tenancy.ErrNoUser)
	}
	return u, others, nil
}

// userArgs are the values of a user's row.
func userArgs(t *tx, u *tenancy.User) pgx.NamedArgs {
	return pgx.NamedArgs{
		"site":          t.Site,
		"id":            u.ID,
		"login":         u.Login,
		"login_key":     tenancy.Fold(u.Login),
		"email":         u.Email,
		"email_key":     tenancy.Fold(u.Email),
		"name":          u.Name,
		"role":          u.Role,
		"password_hash": u.PasswordHash,
		"language":      u.Language,
		"theme":         u.Theme,
	}
}
