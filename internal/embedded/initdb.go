package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/kalends/kalends/internal/embedded/child"
)

// superuser owns the cluster. The service never connects as this role: it bypasses row-level security.
const superuser = "postgres"

// initialise creates pgdata. It works in a temporary directory and renames it at the end, so that pgdata is always
// complete. First it removes the remains of an interrupted attempt.
func initialise(ctx context.Context, c Config, b binaries, id identity, password string) error {
	work := c.path("initdb")
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	if err := os.Mkdir(work, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	pwfile := filepath.Join(work, "password")
	if err := os.WriteFile(pwfile, []byte(password+"\n"), 0o600); err != nil {
		return err
	}
	if err := errors.Join(id.give(pwfile), id.give(work)); err != nil {
		return err
	}
	data := filepath.Join(work, "pgdata")
	if err := runInitdb(ctx, c, b, id, "--pgdata="+data, "--pwfile="+pwfile); err != nil {
		return err
	}
	if err := configure(c, data); err != nil {
		return err
	}
	if err := os.Rename(data, c.pgdata()); err != nil {
		return err
	}
	return syncDir(c.Dir)
}

// configure adds to postgresql.conf what Postgres doesn't find out by itself. From then on the file is the operator's.
func configure(c Config, data string) error {
	if c.Unsafe {
		return nil
	}
	file, err := os.OpenFile(filepath.Join(data, "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "\nshared_buffers = %dMB\n", buffers(Memory())>>20)
	return errors.Join(err, file.Close())
}

func runInitdb(ctx context.Context, c Config, b binaries, id identity, args ...string) error {
	args = append(args, "--username="+superuser, "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions")
	if c.Unsafe {
		args = append(args, "--auth=trust", "--no-sync") // checking a password takes a quarter of the time of connecting
	} else {
		args = append(args, "--auth=scram-sha-256", "--data-checksums")
	}
	return run(ctx, c.Logger, "initdb", command(c, b, id, "initdb", args...))
}

// command prepares a Postgres program: as the right user, in a directory that everyone may enter, and with an
// environment without another language or settings of another Postgres.
func command(c Config, b binaries, id identity, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(b.program(name), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C.UTF-8", "TZ=UTC", "PATH=" + b.dir + ":" + c.Getenv("PATH")}
	cmd.SysProcAttr = id.attributes()
	return cmd
}

// run runs a program to its end, or kills it when ctx ends. Error: *StartError.
func run(ctx context.Context, log *slog.Logger, name string, cmd *exec.Cmd) error {
	out := &tail{log: log}
	cmd.Stdout, cmd.Stderr = out, out
	p, err := child.Start(cmd, syscall.SIGINT)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		_ = p.Signal(syscall.SIGINT) // initdb cleans up after itself
		<-p.Done()
		return ctx.Err()
	}
	if err := p.Err(); err != nil {
		return &StartError{Program: name, Err: err, Output: out.last()}
	}
	return nil
}
