package accounts

import (
	"context"

	"github.com/kalends/kalends/storage/pg"
	"github.com/kalends/kalends/tenancy"
	"github.com/kalends/kalends/tenancy/accounts"
)

// UserDocument is a user as the history keeps it.
func UserDocument(u *tenancy.User) pg.Document {
	return pg.Document{"login": u.Login, "email": u.Email, "name": u.Name, "role": string(u.Role),
		"password": pg.Protection(u.PasswordHash), "language": u.Language, "theme": string(u.Theme), "told": string(u.Told),
		"second_factor": secondFactor(u.SecondFactor),
		"categories":    append([]int64{}, u.Area.Categories...), "venues": append([]int64{}, u.Area.Venues...),
		"organizers": append([]int64{}, u.Area.Organizers...)}
}

// secondFactor returns what the history stores about a second factor: "set" if the user has one, otherwise nothing.
func secondFactor(on bool) string {
	if on {
		return "set"
	}
	return ""
}

func keyDocument(c *accounts.Credential) pg.Document {
	return pg.Document{"user": c.UserID, "kind": string(c.Kind), "name": c.Name, "read_only": c.ReadOnly,
		"scopes": c.Scopes, "categories": c.Categories, "expires": pg.Known(c.Expires)}
}

func passkeyDocument(user int64, name string) pg.Document {
	return pg.Document{"user": user, "name": name}
}

// Present returns a user or a passkey as the history keeps it, or nil for any other kind.
func Present(ctx context.Context, db *pg.DB, kind string, id int64) (pg.Document, error) {
	switch kind {
	case "user":
		u, err := Users(db).Get(ctx, id)
		if err != nil {
			return nil, err
		}
		return UserDocument(u), nil
	case "passkey":
		p, err := passkeys{db}.number(ctx, id)
		if err != nil {
			return nil, err
		}
		return passkeyDocument(p.UserID, p.Name), nil
	}
	return nil, nil //nolint:nilnil // others know it
}
