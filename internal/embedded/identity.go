package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// identity is the user Postgres runs as. Postgres refuses to run as root, and initdb needs a user with a name.
type identity struct {
	uid, gid int
	how      func(attr *syscall.SysProcAttr, uid, gid int) // nil: as the user who runs kalends
	foreign  bool                                          // files have to be given to the user
}

// attributes returns how to start a program as this user.
func (id identity) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{}
	if id.how != nil {
		id.how(attr, id.uid, id.gid)
	}
	return attr
}

// give makes the user the owner of a file or directory.
func (id identity) give(path string) error {
	if !id.foreign {
		return nil
	}
	return os.Chown(path, id.uid, id.gid)
}

// choose returns the user to run Postgres as. For existing data, it is the owner. For new data, it is the user who
// runs kalends. If that is root, it is the user postgres, otherwise nobody; if these cannot access the directory or
// the programs, it is a pretended user in a user namespace.
func choose(ctx context.Context, c Config, b binaries) (identity, error) {
	options, err := identities(c.pgdata())
	if err != nil {
		return identity{}, err
	}
	var problems []error
	for _, id := range options {
		err := id.check(ctx, c.Dir, b)
		if err == nil {
			return id, nil
		}
		problems = append(problems, err)
	}
	return identity{}, noIdentity(b, options, problems)
}

// noIdentity returns the error that explains why no user can run Postgres: because of its programs, whose location
// we cannot change, or because of the data.
func noIdentity(b binaries, options []identity, problems []error) error {
	for _, id := range options {
		if at := id.closed(b.dir); id.foreign && at != "" {
			return fmt.Errorf("Postgres does not run as root, and no other user can reach its programs in %s, "+
				"because only root may enter %s; "+
				"install Postgres where everybody reaches it (for example: apt install postgresql), keep Kalends outside %s, "+
				"run it as an ordinary user, or set DATABASE_URL (%w)", b.dir, at, at, errors.Join(problems...))
		}
	}
	return fmt.Errorf("%w: Postgres does not run as root, and no other user can be used here; "+
		"set KALENDS_DATA_DIR to a directory that others may enter, such as /var/lib/kalends, "+
		"run kalends as an ordinary user, or set DATABASE_URL (%w)",
		ErrPermission, errors.Join(problems...))
}

func identities(pgdata string) ([]identity, error) {
	us := os.Geteuid()
	info, err := os.Stat(pgdata)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		uid, gid := owner(info)
		switch {
		case uid == us:
			return ourselves(us), nil
		case us == 0:
			return []identity{{uid: uid, gid: gid, how: switchTo, foreign: true}}, nil
		}
		return nil, fmt.Errorf("%s: %w: it belongs to user %d, but kalends runs as user %d",
			pgdata, ErrPermission, uid, us)
	}
	if us != 0 {
		return ourselves(us), nil
	}
	var options []identity
	for _, name := range []string{"postgres", "nobody"} {
		if uid, gid, ok := lookUp(name); ok {
			options = append(options, identity{uid: uid, gid: gid, how: switchTo, foreign: true})
		}
	}
	return append(options, ourselves(us)...), nil
}

// ourselves returns the ways to run Postgres on files that belong to the user who runs kalends.
func ourselves(us int) []identity {
	var options []identity
	if _, err := user.LookupId(strconv.Itoa(us)); us != 0 && err == nil || !namespaces {
		options = append(options, identity{uid: us, gid: os.Getegid()})
	}
	for _, name := range []string{"postgres", "nobody"} {
		if uid, gid, ok := lookUp(name); ok && namespaces {
			options = append(options, identity{uid: uid, gid: gid, how: pretend})
		}
	}
	return options
}

func lookUp(name string) (uid, gid int, ok bool) {
	u, err := user.Lookup(name)
	if err != nil {
		return 0, 0, false
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	return uid, gid, err1 == nil && err2 == nil && uid != 0
}

// check returns why this user could not run Postgres in dir: the programs have to start, and every directory on
// the way has to be open to a user who owns none of them.
func (id identity) check(ctx context.Context, dir string, b binaries) error {
	if id.foreign {
		if at := id.closed(dir); at != "" {
			return fmt.Errorf("user %d cannot enter %s", id.uid, at)
		}
	}
	cmd := exec.CommandContext(ctx, b.program("postgres"), "--version")
	cmd.Dir = "/"
	cmd.SysProcAttr = id.attributes()
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("user %d cannot run %s: %w", id.uid, b.program("postgres"), err)
	}
	return nil
}

// closed returns the directory nearest to the root that the user cannot enter on the way to one, or "".
func (id identity) closed(dir string) (closed string) {
	for at := dir; ; at = filepath.Dir(at) {
		if !id.enters(at) {
			closed = at
		}
		if at == filepath.Dir(at) {
			return closed
		}
	}
}

func (id identity) enters(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	uid, gid := owner(info)
	mode := info.Mode().Perm()
	return mode&0o001 != 0 || uid == id.uid && mode&0o100 != 0 || gid == id.gid && mode&0o010 != 0
}
