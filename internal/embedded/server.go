package embedded

import (
	"log/slog"
	"net/url"
	"os"
	"sync"

	"github.com/kalends/kalends/internal/embedded/child"
)

// role is what the service connects as, and the name of its database.
const role = "kalends"

// Server is a running private Postgres. Its methods may be called from several goroutines.
type Server struct {
	log       *slog.Logger
	binaries  binaries
	passwords passwords
	lock      *os.File
	socket    string // the directory
	temporary bool   // whether the socket directory is removed in the end
	process   *child.Process
	output    *tail
	stop      sync.Once
	stopErr   error
}

// URL returns the connection URL of the database kalends for the role kalends, which owns the database, may create
// roles and databases, and is subject to row-level security. It contains a password.
func (s *Server) URL() string { return s.URLFor(role) }

// URLFor returns the URL with another database of the same server. It does not look whether the database exists.
func (s *Server) URLFor(database string) string {
	return s.url(role, s.passwords.Service, database)
}

func (s *Server) url(user, password, database string) string {
	u := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(user, password),
		Path:     "/" + database,
		RawQuery: url.Values{"host": {s.socket}, "port": {port}}.Encode(),
	}
	return u.String()
}

// Binary returns the directory of the Postgres programs in use.
func (s *Server) Binary() string { return s.binaries.dir }

// Version returns the version of Postgres in use, such as 15.18.
func (s *Server) Version() string { return s.binaries.version }

// Pid returns the process id of the postmaster.
func (s *Server) Pid() int { return s.process.Pid() }

// Done returns a channel that is closed when Postgres has ended, whether it was stopped or not.
func (s *Server) Done() <-chan struct{} { return s.process.Done() }

// Err waits until Postgres has ended and returns why: nil if it was stopped regularly, otherwise a *StartError with
// the last lines of its output, which also matches ErrDiskFull if that was the reason.
func (s *Server) Err() error {
	if err := s.process.Err(); err != nil {
		return explain("Postgres", &StartError{Program: "postgres", Err: err, Output: s.output.last()})
	}
	return nil
}
