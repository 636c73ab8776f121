package storagetest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"
)

// plain is the role that owns the databases of the tests if the URL of the tests is that of a superuser.
const plain = "kalends_test"

const (
	lockRoles  = `select pg_advisory_xact_lock(hashtext('kalends_test'))` // test programs run at the same time
	roleExists = `select exists (select from pg_roles where rolname = $1)`
	powers     = ` role ` + plain + ` login nosuperuser nobypassrls createrole createdb password '%x'`
	groupRoles = `select quote_ident(rolname) from pg_roles
		where rolname like 'kalends\_%' and not rolcanlogin and not rolsuper and not rolbypassrls`
)

// plainRole creates the role if it is missing, and returns its user name and password. The password is derived from
// the URL of the superuser, so that all test programs know it. The role may grant the roles that earlier migrations
// have created; since Postgres 16, CREATEROLE alone does not allow this.
func plainRole(ctx context.Context, conn *pgx.Conn, secret string) (*url.Userinfo, error) {
	password := sha256.Sum256([]byte("kalends test role " + secret))
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockRoles); err != nil {
			return err
		}
		var exists bool
		if err := tx.QueryRow(ctx, roleExists, plain).Scan(&exists); err != nil {
			return err
		}
		verb := "create"
		if exists {
			verb = "alter"
		}
		if _, err := tx.Exec(ctx, fmt.Sprintf(verb+powers, password)); err != nil {
			return err
		}
		rows, _ := tx.Query(ctx, groupRoles) // CollectRows returns the error
		groups, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, group := range groups {
			if _, err := tx.Exec(ctx, "grant "+group+" to "+plain+" with admin option"); err != nil {
				return err
			}
		}
		return nil
	})
	return url.UserPassword(plain, fmt.Sprintf("%x", password)), err
}
