package embedded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	knock     = 10 * time.Millisecond // between two attempts to connect
	knockMost = 250 * time.Millisecond
	reminder  = 10 * time.Second // between two messages that it is still starting
)

// startingUp is what Postgres answers while it starts or recovers (cannot_connect_now).
const startingUp = "57P03"

// prepare waits for Postgres, and creates or repairs the role and the database of the service.
func (s *Server) prepare(ctx context.Context) error {
	conn, err := s.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := s.ensureRole(ctx, conn); err != nil {
		return fmt.Errorf("role %s: %w", role, err)
	}
	if err := ensureDatabase(ctx, conn); err != nil {
		return fmt.Errorf("database %s: %w", role, err)
	}
	return nil
}

// connect connects as the superuser as soon as Postgres accepts connections. After a crash, Postgres first replays
// its log, which may take any time, so only ctx and the end of the process end the wait.
func (s *Server) connect(ctx context.Context) (*pgx.Conn, error) {
	url := s.url(superuser, s.passwords.Superuser, "postgres")
	reminded := time.Now()
	for pause := knock; ; pause = min(2*pause, knockMost) {
		conn, err := pgx.Connect(ctx, url)
		if err == nil {
			return conn, nil
		}
		if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code != startingUp {
			return nil, err
		}
		if time.Since(reminded) > reminder {
			reminded = time.Now()
			s.log.Info("Postgres is still starting; after a crash this can take a while")
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.process.Done():
			return nil, errors.New("it ended while starting")
		case <-time.After(pause):
		}
	}
}

const (
	roleExists = `select exists (select from pg_roles where rolname = $1)`
	createRole = `create role ` + role
	powers     = ` login nosuperuser nobypassrls noreplication createrole createdb password `
	alterRole  = `alter role ` + role
	baseExists = `select exists (select from pg_database where datname = $1)`
	createBase = `create database ` + role + ` owner ` + role
)

func (s *Server) ensureRole(ctx context.Context, conn *pgx.Conn) error {
	exists, err := ask(ctx, conn, roleExists)
	if err != nil {
		return err
	}
	verb := createRole
	if exists {
		verb = alterRole
	}
	// The password is base32, so it needs no escaping; statements of this kind take no parameters.
	_, err = conn.Exec(ctx, verb+powers+"'"+s.passwords.Service+"'")
	return err
}

func ensureDatabase(ctx context.Context, conn *pgx.Conn) error {
	exists, err := ask(ctx, conn, baseExists)
	if err != nil || exists {
		return err
	}
	_, err = conn.Exec(ctx, createBase)
	return err
}

func ask(ctx context.Context, conn *pgx.Conn, query string) (answer bool, err error) {
	err = conn.QueryRow(ctx, query, role).Scan(&answer)
	return answer, err
}
