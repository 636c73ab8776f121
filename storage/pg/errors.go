package pg

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrUncertain says that nobody knows whether a transaction was committed: what may
// be there already isn't made again.
var ErrUncertain = errors.New("whether it was committed is not known")

// uncertain adds ErrUncertain to the error of a batch that commits, unless Postgres
// itself refused it. An error that ends the connection, too, refuses nothing: it may
// come just after the commit.
func uncertain(err error) error {
	if err == nil {
		return nil
	}
	if said, ok := errors.AsType[*pgconn.PgError](err); ok && said.SeverityUnlocalized == "ERROR" {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUncertain, err)
}

// Refused reports whether Postgres said no, so that nothing was written.
func Refused(err error) bool {
	_, said := errors.AsType[*pgconn.PgError](err)
	return said && !errors.Is(err, ErrUncertain)
}

// Unreachable reports whether there was nobody to say anything.
func Unreachable(err error) bool {
	_, connecting := errors.AsType[*pgconn.ConnectError](err)
	return connecting || pgconn.Timeout(err) || lost(err)
}

// lost reports whether the connection broke under a statement.
func lost(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || strings.HasSuffix(err.Error(), "conn closed")
}
