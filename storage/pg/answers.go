package pg

import (
	"context"
	"errors"
	"net"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Answers connects to a database and returns the error if that fails.
func Answers(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	return conn.Close(context.WithoutCancel(ctx))
}

// Starting reports whether an error may come from a server that is still starting: it refuses connections for now,
// does not listen yet, or its name is not known yet.
func Starting(err error) bool {
	code, _ := Refusal(err)
	var lookup *net.DNSError
	return code == "57P03" || errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &lookup) || errors.Is(err, syscall.ENOENT)
}

// HasSite reports whether a database has a site with a slug, and whether it has any.
func HasSite(ctx context.Context, url, slug string) (has, some bool, err error) {
	const query = `SELECT public.site_of($1) IS NOT NULL, EXISTS (SELECT FROM public.sites)`
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return false, false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, query, slug).Scan(&has, &some)
	return has, some, err
}
