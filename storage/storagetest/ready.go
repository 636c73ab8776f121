package storagetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/internal/embedded"
	"github.com/kalends/kalends/migrations"
)

// migratedName is the database with the newest schema in a server that was copied.
const migratedName = "migrated"

// ready is the data directory of a stopped Postgres with a migrated database. The first test program that needs it makes it, those that
// run at the same time copy it, and the last one of them removes it.
type ready struct {
	dir  string
	hold *os.File // the directory: locked together with others who use it, or alone to remove it
}

// takeReady copies the directory, and makes it first if it isn't there.
func takeReady(ctx context.Context, to string) (*ready, error) {
	name := fmt.Sprintf("kalends-schema-%d-%.16s", os.Geteuid(), migrations.Sum(os.Getenv("KALENDS_PG_BIN")))
	r := &ready{dir: filepath.Join(os.TempDir(), name)}
	if err := r.join(); err != nil {
		return nil, err
	}
	data := filepath.Join(r.dir, "data")
	err := r.alone(func() error {
		if _, err := os.Stat(data); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return r.make(ctx, data)
	})
	if err == nil {
		err = copyAll(ctx, data, to)
	}
	if err != nil {
		return nil, errors.Join(err, r.release())
	}
	return r, nil
}

// join makes this program one of those that use the directory. The last one before may be removing it.
func (r *ready) join() error {
	for {
		if err := os.MkdirAll(r.dir, 0o711); err != nil { //nolint:gosec // Postgres runs as another user when root tests
			return err
		}
		hold, err := os.OpenFile(r.dir, syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		info, err := hold.Stat()
		if err == nil && int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
			err = fmt.Errorf("%s belongs to somebody else", r.dir)
		}
		if err == nil {
			err = syscall.Flock(int(hold.Fd()), syscall.LOCK_SH)
		}
		if err != nil {
			return errors.Join(err, hold.Close())
		}
		if r.hold = hold; r.there() {
			return nil
		}
		unlock(hold)
	}
}

// alone does something that only one of the programs may do at a time.
func (r *ready) alone(do func() error) error {
	file, err := os.OpenFile(filepath.Join(r.dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer unlock(file)
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	return do()
}

// unlock closes a file. A process that starts in this moment has a copy of it, with its lock.
func unlock(file *os.File) {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_UN)
	_ = file.Close()
}

// there reports whether the locked directory still has its name.
func (r *ready) there() bool {
	locked, err := r.hold.Stat()
	named, err2 := os.Stat(r.dir)
	return err == nil && err2 == nil && os.SameFile(locked, named)
}

func (r *ready) make(ctx context.Context, data string) error {
	work := filepath.Join(r.dir, "new")
	if err := os.RemoveAll(work); err != nil { // of a program that was killed
		return err
	}
	server, err := embedded.Start(ctx, embedded.Config{Dir: work, Unsafe: true})
	if err != nil {
		return err
	}
	err = errors.Join(migrateIn(ctx, server), server.Stop(ctx))
	if err != nil {
		return err
	}
	return os.Rename(work, data)
}

func migrateIn(ctx context.Context, server *embedded.Server) error {
	conn, err := pgx.Connect(ctx, server.URL())
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+migratedName)
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return err
	}
	return migrations.Up(ctx, server.URLFor(migratedName))
}

// copyAll copies a directory with all owners and modes.
func copyAll(ctx context.Context, from, to string) error {
	if out, err := exec.CommandContext(ctx, "cp", "-a", from, to).CombinedOutput(); err != nil {
		return fmt.Errorf("cp -a %s: %w: %s", from, err, out)
	}
	return nil
}

// release removes the directory unless another program uses it.
func (r *ready) release() error {
	defer unlock(r.hold)
	if syscall.Flock(int(r.hold.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || !r.there() {
		return nil
	}
	// It loses its name first, so that nobody finds half of it.
	gone, err := temporary()
	if err != nil {
		return err
	}
	return errors.Join(os.Rename(r.dir, filepath.Join(gone, "ready")), os.RemoveAll(gone))
}
