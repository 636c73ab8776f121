package pg

import (
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUncertain says that it is unknown whether a transaction was committed. Callers must not repeat the
// transaction, because its result may already exist.
var ErrUncertain = errors.New("it is not known whether it was committed")

// uncertain adds ErrUncertain to the error of a batch that commits, unless Postgres itself refused it. An error
// that ends the connection does not count as a refusal: it may occur just after the commit.
func uncertain(err error) error {
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*pgconn.PgError](err); ok && said.SeverityUnlocalized == "ERROR" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUncertain, err)
}

// shardNumber matches the number of the shard at the end of a constraint's name, as on a cluster.
var shardNumber = regexp.MustCompile(`_[0-9]{6,}$`)

// quoted matches the names of constraints in a message in any language.
var quoted = regexp.MustCompile(`[a-z][a-z_]*_(?:key|fkey|pkey|check|idx)(?:_[0-9]{6,})?\b`)

// Constraint returns the name of the constraint that a statement broke, or "". If the error comes from another
// server of a cluster, the name is only in the message.
func Constraint(said *pgconn.PgError) string {
	name := said.ConstraintName
	if name == "" && strings.HasPrefix(said.Code, "23") {
		name = quoted.FindString(said.Message)
	}
	return shardNumber.ReplaceAllString(name, "")
}

// Refused reports whether Postgres refused a statement, so that nothing was written.
func Refused(err error) bool {
	_, said := errors.AsType[*pgconn.PgError](err)
	return said && !errors.Is(err, ErrUncertain)
}

// Unreachable reports whether the database did not answer or the connection broke.
func Unreachable(err error) bool {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return connecting || pgconn.Timeout(err) || lost(err)
}

// lost reports whether the connection broke during a statement.
func lost(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || strings.HasSuffix(err.Error(), "conn closed")
}

// OfRow reports whether an error code is about the values of a row: invalid data, constraints, and limits such as
// the size of an index entry.
func OfRow(code string) bool {
	switch code[:2] {
	case "22", "23", "54":
		return true
	}
	return false
}

// Refusal returns the code and the message with which Postgres refused something, or "" if the error is not from Postgres.
func Refusal(err error) (code, message string) {
	if said, ok := errors.AsType[*pgconn.PgError](err); ok {
		return said.Code, said.Message
	}
	return "", ""
}
