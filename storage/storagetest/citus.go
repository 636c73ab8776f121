package storagetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/kalends/kalends/migrations"
)

// citus is a cluster to test on: the URLs of the coordinator, as superuser, and of its workers. A test's database
// exists on each of them under the same name.
type citus struct {
	coordinator *url.URL
	workers     []*url.URL
}

// findCitus reads the workers from the database that TEST_CITUS_URL names. It returns nil if there is no cluster.
func findCitus(ctx context.Context) (*citus, error) {
	address := os.Getenv("TEST_CITUS_URL")
	if address == "" {
		return nil, nil //nolint:nilnil // no cluster is no error
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("TEST_CITUS_URL is not of the form postgres://user:password@host/database")
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	rows, err := conn.Query(ctx, `select nodename, nodeport from pg_dist_node where groupid <> 0 order by nodeid`)
	if err != nil {
		return nil, fmt.Errorf("TEST_CITUS_URL names a database without Citus: %w", err)
	}
	c := &citus{coordinator: u}
	c.workers, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*url.URL, error) {
		var host string
		var port int
		err := row.Scan(&host, &port)
		worker := *u
		worker.Host = net.JoinHostPort(host, strconv.Itoa(port))
		return &worker, err
	})
	if err == nil && len(c.workers) == 0 {
		err = errors.New("the cluster of TEST_CITUS_URL has no workers")
	}
	return c, err
}

// Move moves a site to another worker, together with the other sites of its shard. During the move, the owner of the tables
// bypasses row-level security, as docs/scale.md says. It works only when the tests run on a cluster.
func Move(t testing.TB, address, slug string) {
	t.Helper()
	const move = `
		SELECT citus_move_shard_placement(p.shardid, n.nodename, n.nodeport, o.nodename, o.nodeport, 'block_writes')
		FROM pg_dist_placement p
		JOIN pg_dist_node n USING (groupid)
		JOIN pg_dist_node o ON o.groupid NOT IN (0, n.groupid)
		WHERE p.shardid = get_shard_id_for_distribution_column('sites'::regclass, site_of('%s'))
		ORDER BY o.nodeid
		LIMIT 1`
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	c := sharedDatabases(t).citus
	err = errors.Join(c.onWorkers(t.Context(), "ALTER ROLE "+plain+" BYPASSRLS"),
		c.on(t.Context(), c.coordinator, strings.TrimPrefix(u.Path, "/"), fmt.Sprintf(move, slug)),
		c.onWorkers(t.Context(), "ALTER ROLE "+plain+" NOBYPASSRLS"))
	if err != nil {
		t.Fatalf("storagetest: move %s: %v", slug, err)
	}
}

// Lose makes one worker unreachable for a database until the test ends, as if it were down: it sets the worker's
// port to one on which nothing listens. It works only when the tests run on a cluster.
func Lose(t testing.TB, address string) {
	t.Helper()
	const move = `UPDATE pg_dist_node SET nodeport = %d WHERE nodename = '%s' AND nodeport = %d AND groupid <> 0`
	u, err := url.Parse(address)
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	c := sharedDatabases(t).citus
	lost := c.workers[len(c.workers)-1]
	port, err := strconv.Atoi(lost.Port())
	if err != nil {
		t.Fatalf("storagetest: %v", err)
	}
	say := func(ctx context.Context, is, was int) {
		if err := c.on(ctx, c.coordinator, strings.TrimPrefix(u.Path, "/"), fmt.Sprintf(move, is, lost.Hostname(), was)); err != nil {
			t.Errorf("storagetest: lose a worker: %v", err)
		}
	}
	say(t.Context(), 1, port)
	t.Cleanup(func() { say(context.WithoutCancel(t.Context()), port, 1) })
}

// nodes returns the URLs of the coordinator and the workers.
func (c *citus) nodes() []*url.URL { return append([]*url.URL{c.coordinator}, c.workers...) }

// onWorkers runs a statement on each worker.
func (c *citus) onWorkers(ctx context.Context, sql string) (err error) {
	for _, w := range c.workers {
		err = errors.Join(err, c.on(ctx, w, "", sql))
	}
	return err
}

// on runs statements as superuser in a database of one node. "" means the database in the node's URL.
func (c *citus) on(ctx context.Context, node *url.URL, database string, statements ...string) error {
	address := *node
	if database != "" {
		address.Path = "/" + database
	}
	conn, err := pgx.Connect(ctx, address.String())
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("%s: %s: %w", node.Host, sql, err)
		}
	}
	return nil
}

// eachNode runs statements on every node, one node after the other.
func (c *citus) eachNode(ctx context.Context, database string, statements ...string) error {
	for _, node := range c.nodes() {
		if err := c.on(ctx, node, database, statements...); err != nil {
			return err
		}
	}
	return nil
}

const noPropagation = `set citus.enable_create_database_propagation = off`

// create creates a database on every node, copied from the template if one is named. Background work of Citus in
// the template would prevent the copy.
func (c *citus) create(ctx context.Context, name, template string) error {
	if template == "" {
		return c.eachNode(ctx, "", noPropagation, "create database "+name+" owner "+plain)
	}
	return c.eachNode(ctx, "", noPropagation,
		"select pg_terminate_backend(pid) from pg_stat_activity where datname = '"+template+"'",
		"create database "+name+" template "+template+" owner "+plain)
}

// schema returns a digest of a database's tables, with their walls, and of its constraints.
func (c *citus) schema(ctx context.Context, name string) (digest string, err error) {
	const look = `
		select md5(string_agg(one, '|' order by one))
		from (select concat_ws(' ', relname, relrowsecurity, relforcerowsecurity) from pg_class where relnamespace = 'public'::regnamespace
		      union all
		      select concat_ws(' ', conrelid::regclass, conname) from pg_constraint where connamespace = 'public'::regnamespace
		      union all
		      select concat_ws(' ', polrelid::regclass, polname) from pg_policy) all_of_them (one)`
	address := *c.coordinator
	address.Path = "/" + name
	conn, err := pgx.Connect(ctx, address.String())
	if err != nil {
		return "", err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	err = conn.QueryRow(ctx, look).Scan(&digest)
	return digest, err
}

// reuse empties a database. It returns errUsedUp if a test has changed its schema.
func (c *citus) reuse(ctx context.Context, name, schema string) error {
	now, err := c.schema(ctx, name)
	if err != nil {
		return err
	}
	if now != schema {
		return errUsedUp
	}
	return c.empty(ctx, name)
}

// empty removes everything from a database that a newly migrated database does not have.
func (c *citus) empty(ctx context.Context, name string) error {
	return c.on(ctx, c.coordinator, name,
		"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename like 'kalends%'",
		// With all their rows: the foreign keys delete as the owner of the tables, who is subject to no policy.
		"delete from sites",
		"delete from occurrence_days", // which has no foreign key
		"delete from domains", "delete from site_slugs", "delete from provider_changes", "delete from jobs",
		"delete from plans", "insert into plans (name) values ('unlimited')",
		"truncate provider_sessions, provider_tokens, installation restart identity cascade",
		"select setval(c.oid::regclass, 1, false) from pg_class c where c.relkind = 'S' and c.relnamespace = 'public'::regnamespace")
}

func (c *citus) drop(ctx context.Context, name string) error {
	return c.eachNode(ctx, "", noPropagation, "drop database if exists "+name+" with (force)")
}

// spread makes a database that exists on all nodes a Citus cluster, and migrates it to the newest schema.
func (c *citus) spread(ctx context.Context, name, address string) error {
	if err := c.eachNode(ctx, name, "create extension citus"); err != nil {
		return err
	}
	join := []string{fmt.Sprintf("select citus_set_coordinator_host('%s', %s)", c.coordinator.Hostname(), c.coordinator.Port())}
	for _, worker := range c.workers {
		join = append(join, fmt.Sprintf("select citus_add_node('%s', %s)", worker.Hostname(), worker.Port()))
	}
	if err := c.on(ctx, c.coordinator, name, join...); err != nil {
		return err
	}
	if err := migrations.Up(ctx, address); err != nil {
		return err
	}
	if err := migrations.Spread(ctx, address); err != nil {
		return err
	}
	return c.eachNode(ctx, "", "alter database "+name+" allow_connections false")
}
