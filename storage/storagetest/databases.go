package storagetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kalends/kalends/migrations"
)

// databases creates and drops the databases of one test program.
type databases struct {
	cluster  cluster
	citus    *citus        // nil: databases are on a single server
	pool     *pgxpool.Pool // for connections as the role that owns the databases
	owner    *url.Userinfo // nil: the role in the cluster's URL
	super    *url.Userinfo // nil: databases are dropped, or emptied as on a cluster
	prefix   string        // of all names, different in every run of a test program
	count    atomic.Int64
	mu       sync.Mutex // databases of a cluster are created one by one
	spare    []string   // databases that tests have returned
	used     map[string]*used
	schema   string // schema of a cluster's database that no test has used yet
	template lazy[templateName]
}

// templateName is the database the others are copied from.
type templateName string

func (templateName) stop() error { return nil } // dropped by databases.stop

const isPlain = `select not (rolsuper or rolbypassrls), rolsuper from pg_roles where rolname = current_user`

// startDatabases starts or finds a Postgres and makes sure that the tests use a plain role: a superuser bypasses
// row-level security, so a test would prove nothing.
func startDatabases(ctx context.Context) (*databases, error) {
	c, err := startCluster(ctx)
	if err != nil {
		return nil, fmt.Errorf("storagetest: postgres: %w", err)
	}
	d := &databases{cluster: c, prefix: prefix(), used: map[string]*used{}}
	if d.citus, err = findCitus(ctx); err != nil {
		return nil, fmt.Errorf("storagetest: citus: %w", err)
	}
	if err := d.connect(ctx); err != nil {
		return nil, fmt.Errorf("storagetest: postgres %s: %w", c.what, errors.Join(err, d.stop()))
	}
	return d, nil
}

func (d *databases) connect(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, d.cluster.url)
	if err != nil {
		return err
	}
	version, _, _ := strings.Cut(conn.PgConn().ParameterStatus("server_version"), " ")
	announce("postgres %s, %s", version, d.cluster.what)
	var isPlainRole bool
	var isSuperuser bool
	err = conn.QueryRow(ctx, isPlain).Scan(&isPlainRole, &isSuperuser)
	if d.super = d.cluster.superuser; isSuperuser && d.citus == nil {
		d.super = url.UserPassword(conn.Config().User, conn.Config().Password)
	}
	if err == nil && !isPlainRole {
		d.owner, err = plainRole(ctx, conn, d.cluster.url)
	}
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return err
	}
	address, err := d.url(conn.Config().Database)
	if err != nil {
		return err
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return err
	}
	config.MaxConns = 4
	d.pool, err = pgxpool.NewWithConfig(ctx, config)
	return err
}

// create creates a database, as a copy of the template if one is named, and returns its name.
func (d *databases) create(ctx context.Context, template string) (string, error) {
	name := fmt.Sprintf("%s_%d", d.prefix, d.count.Add(1))
	if d.citus != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		err := d.citus.create(ctx, name, template)
		if err == nil && template != "" && d.schema == "" {
			d.schema, err = d.citus.schema(ctx, name)
		}
		return name, err
	}
	statement := "create database " + name
	if template != "" {
		statement += " template " + template + " strategy file_copy" // with so many small files, a fifth of the work of the other strategy
	}
	_, err := d.pool.Exec(ctx, statement)
	return name, err
}

// take returns a database with nothing in it, which another test may have used before. Making one takes long, most of all on a
// cluster.
func (d *databases) take(ctx context.Context, template string) (string, error) {
	if template == "" {
		return d.create(ctx, "")
	}
	d.mu.Lock()
	if n := len(d.spare); n > 0 {
		name := d.spare[n-1]
		d.spare = d.spare[:n-1]
		d.mu.Unlock()
		return name, nil
	}
	d.mu.Unlock()
	name, err := d.create(ctx, template)
	if err != nil || d.super == nil {
		return name, err
	}
	address, err := d.url(name)
	if err != nil {
		return "", err
	}
	one, err := prepareUse(ctx, address, d.super)
	if err != nil {
		return "", err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used[name] = one
	return name, nil
}

// giveBack returns a database that take handed out. If the test changed its schema, it is dropped, because others
// cannot use it.
func (d *databases) giveBack(ctx context.Context, name, template string) error {
	if template == "" || d.citus == nil && d.super == nil {
		return d.drop(ctx, name)
	}
	var err error
	if d.citus != nil {
		err = d.citus.reuse(ctx, name, d.schema)
	} else {
		d.mu.Lock()
		one := d.used[name]
		d.mu.Unlock()
		err = one.empty(ctx)
	}
	if errors.Is(err, errUsedUp) {
		return d.drop(ctx, name)
	}
	if err != nil {
		return errors.Join(err, d.drop(ctx, name))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.spare = append(d.spare, name)
	return nil
}

// drop drops a database together with connections that a test has left open. While autovacuum runs in the database,
// only a superuser may force a drop; a plain drop ends autovacuum first.
func (d *databases) drop(ctx context.Context, name string) error {
	if d.citus != nil {
		return d.citus.drop(ctx, name)
	}
	kept.close(name)
	d.mu.Lock()
	one := d.used[name]
	delete(d.used, name)
	d.mu.Unlock()
	if one != nil {
		_ = one.conn.Close(ctx) // it goes with the database
	}
	_, err := d.pool.Exec(ctx, "drop database if exists "+name+" with (force)")
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == "42501" {
		_, err = d.pool.Exec(ctx, "drop database if exists "+name)
	}
	return err
}

func (d *databases) url(name string) (string, error) {
	return withDatabase(d.cluster.url, name, d.owner)
}

// migrated returns the template, and creates it when a test first needs it.
func (d *databases) migrated() (string, error) {
	if d.cluster.migrated != "" {
		return d.cluster.migrated, nil
	}
	name, err := d.template.get(func(ctx context.Context) (templateName, error) {
		name, err := d.create(ctx, "")
		if err != nil {
			return "", err
		}
		address, err := d.url(name)
		if err != nil {
			return "", err
		}
		up := migrations.Up
		if d.citus != nil {
			up = func(ctx context.Context, address string) error { return d.citus.spread(ctx, name, address) }
		}
		if err := up(ctx, address); err != nil {
			return "", errors.Join(err, d.drop(ctx, name))
		}
		return templateName(name), nil
	})
	return string(name), err
}

// stop drops the remaining databases, and stops the Postgres that startDatabases started.
func (d *databases) stop() error {
	ctx, cancel := context.WithTimeout(context.Background(), serverTimeout)
	defer cancel()
	var err error
	if d.pool != nil && d.cluster.migrated == "" {
		for _, name := range d.spare {
			err = errors.Join(err, d.drop(ctx, name))
		}
		if d.template.ready {
			err = errors.Join(err, d.drop(ctx, string(d.template.value)))
		}
	}
	if d.pool != nil {
		d.pool.Close()
	}
	return errors.Join(err, d.cluster.stop())
}

var notInName = regexp.MustCompile(`[^a-z0-9]+`)

// prefix returns a prefix for names. It includes the name of the test program and differs in every run.
func prefix() string {
	name := strings.ToLower(strings.TrimSuffix(filepath.Base(os.Args[0]), ".test"))
	name = strings.Trim(notInName.ReplaceAllString(name, "_"), "_")
	return fmt.Sprintf("test_%.20s_%s", name, strings.ToLower(rand.Text()[:10]))
}
