package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/kalends/kalends/internal/embedded/child"
)

// Start starts Postgres on the data directory, which it creates if necessary, and returns when connections are
// accepted and the role and the database of the service exist. ctx limits the start, not the lifetime of the
// server.
//
// Errors, each with a message for the operator: ErrInUse, ErrNoBinaries, *VersionError, ErrPermission, ErrDiskFull,
// ErrDamaged, ErrUnsupported, *StartError. After an error nothing is left running.
func Start(ctx context.Context, c Config) (*Server, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("embedded Postgres: %w", err)
	}
	s := &Server{log: c.Logger, output: &tail{log: c.Logger}}
	if err := s.start(ctx, c); err != nil {
		s.release()
		return nil, fmt.Errorf("embedded Postgres: %w", explain(c.Dir, err))
	}
	return s, nil
}

func (s *Server) start(ctx context.Context, c Config) error {
	if err := makeDir(c.Dir); err != nil {
		return err
	}
	var err error
	if s.lock, err = lock(c.path("lock")); err != nil {
		return err
	}
	want, err := dataVersion(c.pgdata())
	if err != nil {
		return err
	}
	s.binaries, err = find(ctx, c.Getenv, want)
	if wrong, ok := errors.AsType[*VersionError](err); ok {
		wrong.Dir = c.Dir
	}
	if err != nil {
		return err
	}
	id, err := choose(ctx, c, s.binaries)
	if err != nil {
		return err
	}
	if s.passwords, err = loadPasswords(c.path("passwords.json"), want == ""); err != nil {
		return err
	}
	if want == "" {
		c.Logger.Info("creating a Postgres cluster", "dir", c.Dir, "version", s.binaries.version)
		err = initialise(ctx, c, s.binaries, id, s.passwords.Superuser)
	} else {
		err = clearStale(ctx, c)
	}
	if err != nil {
		return err
	}
	if s.socket, s.temporary, err = socketDir(c, id); err != nil {
		return err
	}
	return s.launch(ctx, c, id)
}

// launch starts postgres and prepares the database of the service.
func (s *Server) launch(ctx context.Context, c Config, id identity) error {
	cmd := command(c, s.binaries, id, "postgres", arguments(c, s.socket)...)
	cmd.Stdout, cmd.Stderr = s.output, s.output
	var err error
	if s.process, err = child.Start(cmd, syscall.SIGINT); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	err = s.prepare(ctx)
	if err == nil {
		return nil
	}
	s.halt(ctx)
	if ended := s.process.Err(); ended != nil {
		return &StartError{Program: "postgres", Err: errors.Join(err, ended), Output: s.output.last()}
	}
	return err
}

// makeDir creates the data directory. If root creates it, other users may enter it, because Postgres then runs as
// another user, but they cannot read its contents.
func makeDir(dir string) error {
	mode := os.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	return os.MkdirAll(dir, mode)
}

// arguments are the settings that Kalends relies on; all other settings are in pgdata/postgresql.conf.
func arguments(c Config, socket string) []string {
	settings := []string{
		ours,
		"listen_addresses=",
		"unix_socket_directories=" + `"` + strings.ReplaceAll(socket, `"`, `""`) + `"`,
		"unix_socket_permissions=0700",
		"port=" + port,
		"logging_collector=off",
		"log_destination=stderr",
		"lc_messages=C",
		"log_timezone=UTC",
		"timezone=UTC",
	}
	if c.Unsafe {
		// Tests end before anything has to be written at leisure or replicated. Their data is small: with few buffers, Postgres
		// uses the same memory again, and looks through less when a database is dropped.
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off",
			"wal_level=minimal", "max_wal_senders=0", "checkpoint_timeout=1h", "bgwriter_lru_maxpages=0", "max_connections=400",
			"shared_buffers=128MB")
	} else {
		// A young installation grows manyfold within a minute: its tables are analyzed soon, so that plans fit them.
		settings = append(settings, "fsync=on", "full_page_writes=on", "autovacuum_naptime=10s")
	}
	args := []string{"-D", c.pgdata()}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}
