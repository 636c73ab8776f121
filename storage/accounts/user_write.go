package accounts

import (
	"cmp"
	"context"
	"reflect"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// Create stores a new user and their first credential, if there is one.
func (s users) Create(ctx context.Context, u *tenancy.User, first *accounts.Credential) error {
	return writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error { return CreateUser(ctx, t, u, first) })
}

// CreateUser stores a new user and their first credential, if there is one, in a transaction.
func CreateUser(ctx context.Context, t *pg.Tx, u *tenancy.User, first *accounts.Credential) error {
	const create = `
		INSERT INTO users (site_id, id, login, login_key, email, email_key, name, role, password_hash, language, theme,
			categories, venues, organizers, told, created_at)
		VALUES (@site, @id, @login, @login_key, @email, @email_key, @name, @role, @password_hash, @language, @theme,
			@categories, @venues, @organizers, @told, @created)`
	u.ID, u.Created, u.Told = t.NextUser(), t.Now, cmp.Or(u.Told, tenancy.TellDaily)
	a := userArgs(t, u)
	a["created"] = u.Created
	b := &pgx.Batch{}
	b.Queue(create, a)
	if first != nil {
		first.UserID = u.ID
		queueCredential(t, b, first)
	}
	t.Log("user", u.ID, "create", nil)
	if err := t.Send(ctx, b); err != nil {
		return err
	}
	return checkArea(ctx, t, u.Area)
}

// Update changes a user. A change without effect does not raise the site's version.
func (s users) Update(ctx context.Context, id int64, change func(*tenancy.User, int) error) (*tenancy.User, error) {
	var after *tenancy.User
	err := writeIn(ctx, s.db, func(ctx context.Context, t *pg.Tx) error {
		u, others, err := userAndOthers(ctx, t, id)
		if err != nil {
			return err
		}
		before := *u
		if err := change(u, others); err != nil {
			return err
		}
		after = u
		updateUser(t, &before, u)
		if reflect.DeepEqual(u.Area, before.Area) { // items in the area may have been deleted
			return nil
		}
		return checkArea(ctx, t, u.Area)
	})
	return after, err
}

// Secure changes a user and removes the kinds of access in cut.
func (s users) Secure(ctx context.Context, id int64, cut accounts.Cut, change func(*tenancy.User) error) (*tenancy.User, error) {
	var after *tenancy.User
	err := s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		u, _, err := userAndOthers(ctx, t, id)
		if err != nil {
			return err
		}
		before := *u
		if err := change(u); err != nil {
			return err
		}
		updateUser(t, &before, u)
		after = u
		return cutOff(ctx, t, id, cut)
	})
	return after, err
}

// cutOff removes the kinds of access in cut from a user, and records each removal.
func cutOff(ctx context.Context, t *pg.Tx, user int64, cut accounts.Cut) error {
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
		gone := &accounts.Credential{UserID: user}
		b.Queue(keys, t.Site, user).Query(pg.Each([]any{&gone.ID, &gone.Kind, &gone.Name, &gone.ReadOnly}, func() error {
			t.Log("key", gone.ID, "delete", keyDocument(gone))
			return nil
		}))
	}
	if cut.Passkeys {
		gone := &accounts.Passkey{}
		b.Queue(passkeys, t.Site, user).Query(pg.Each([]any{&gone.ID, &gone.Name}, func() error {
			t.Log("passkey", passkeyNumber(gone.ID), "delete", passkeyDocument(user, gone.Name))
			return nil
		}))
	}
	return t.Send(ctx, b)
}

// updateUser stores a user's row and notes the change, if there is one.
func updateUser(t *pg.Tx, before, u *tenancy.User) {
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
		    theme = @theme,
		    categories = @categories,
		    venues = @venues,
		    organizers = @organizers,
		    told = @told
		WHERE site_id = @site
		  AND id = @id`
	if reflect.DeepEqual(u, before) {
		return
	}
	t.Queue(update, userArgs(t, u))
	t.Log("user", u.ID, "update", UserDocument(before).Unlike(UserDocument(u)))
}

// checkArea returns *args.Problems if an area names items that the site does not have.
func checkArea(ctx context.Context, t *pg.Tx, a tenancy.Area) error {
	const unknown = `
		SELECT EXISTS (SELECT FROM unnest($2::bigint[]) x (id)
		               WHERE NOT EXISTS (SELECT FROM terms e WHERE e.site_id = $1 AND e.id = x.id AND e.taxonomy = 'category')),
		       EXISTS (SELECT FROM unnest($3::bigint[]) x (id)
		               WHERE NOT EXISTS (SELECT FROM venues e WHERE e.site_id = $1 AND e.id = x.id)),
		       EXISTS (SELECT FROM unnest($4::bigint[]) x (id)
		               WHERE NOT EXISTS (SELECT FROM organizers e WHERE e.site_id = $1 AND e.id = x.id))`
	if a.Whole() {
		return nil
	}
	var category, venue, organizer bool
	if err := t.QueryRow(ctx, unknown, t.Site, a.Categories, a.Venues, a.Organizers).Scan(&category, &venue, &organizer); err != nil {
		return err
	}
	found := &args.Problems{}
	for _, one := range []struct {
		arg, key string
		unknown  bool
	}{
		{"categories", "problem.category.unknown", category},
		{"venues", "problem.venue.unknown", venue},
		{"organizers", "problem.organizer.unknown", organizer},
	} {
		if one.unknown {
			found.Invalid(one.arg, one.key, nil)
		}
	}
	return found.Err()
}

// Delete removes a user. The foreign keys remove their credentials. Items that the user wrote lose their author.
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
	err := s.db.Write(ctx, func(ctx context.Context, t *pg.Tx) error {
		u, others, err := userAndOthers(ctx, t, id)
		if err != nil {
			return err
		}
		if err := check(u, others); err != nil {
			return err
		}
		for _, sql := range append(wrote, remove) {
			t.Queue(sql, t.Site, id)
		}
		t.Log("user", id, "delete", UserDocument(u))
		last = u
		return nil
	})
	return last, err
}

// userAndOthers returns a user and the number of the site's other administrators. The site is locked, so neither
// can change before the commit.
func userAndOthers(ctx context.Context, t *pg.Tx, id int64) (*tenancy.User, int, error) {
	const count = `
		SELECT count(*)
		FROM users
		WHERE site_id = $1
		  AND id <> $2
		  AND role = 'administrator'`
	u, others, b := &tenancy.User{}, 0, &pgx.Batch{}
	queueUser(b, t.Site, id, u)
	b.Queue(count, t.Site, id).QueryRow(pg.One(&others))
	if err := t.Send(ctx, b); err != nil {
		return nil, 0, pg.NotFound(err, accounts.ErrNoUser)
	}
	return u, others, nil
}

// userArgs are the values of a user's row.
func userArgs(t *pg.Tx, u *tenancy.User) pgx.NamedArgs {
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
		"categories":    append([]int64{}, u.Area.Categories...),
		"venues":        append([]int64{}, u.Area.Venues...),
		"organizers":    append([]int64{}, u.Area.Organizers...),
		"told":          u.Told,
	}
}
