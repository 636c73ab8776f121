package storagetest

import (
	"context"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Keep makes a pool take on the open connections of earlier tests, and leave its own to later ones, if its database
// comes from Recycled. Connections go only to pools with the same settings. A pool that is closed is closed: what a test has left behind
// reaches no later test.
func Keep(config *pgxpool.Config) {
	c := config.ConnConfig
	u := shared.usedDatabase(c.Database)
	if u == nil || !shared.postgres.value.at(c.Host, c.Port) || c.Tracer != nil || c.OnNotice != nil || c.OnNotification != nil {
		return
	}
	kind := kindOf(c)
	config.BeforeConnect = func(_ context.Context, c *pgx.ConnConfig) error {
		if conn := u.take(kind); conn != nil {
			c.DialFunc = func(context.Context, string, string) (net.Conn, error) { return dialNobody(conn), nil }
			c.TLSConfig, c.Fallbacks = nil, nil
		}
		return nil
	}
	after := config.AfterConnect
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if placeholder, ok := conn.PgConn().Conn().(*nobody); ok {
			_ = placeholder.Close()
			*conn = *placeholder.instead
		}
		if after == nil {
			return nil
		}
		return after(ctx, conn)
	}
	config.BeforeClose = func(conn *pgx.Conn) {
		if conn.IsClosed() || conn.PgConn().TxStatus() != 'I' || conn.PgConn().IsBusy() {
			return
		}
		kept := *conn
		if u.keep(kind, &kept) {
			*conn = *closed()
		}
	}
}

// usedDatabase returns the database with a name if a test has it from Recycled.
func (p *program) usedDatabase(name string) *used {
	if !p.postgres.ready {
		return nil
	}
	r := &p.postgres.value.recycled
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken[name]
}

// at reports whether an address is that of the server itself. Connections through something between are not kept.
func (d *databases) at(host string, port uint16) bool {
	own := d.pool.Config().ConnConfig
	return host == own.Host && port == own.Port
}

// kindOf describes how connections are made.
func kindOf(c *pgx.ConnConfig) string {
	var b strings.Builder
	fmt.Fprint(&b, c.User, c.DefaultQueryExecMode, c.StatementCacheCapacity)
	for _, name := range slices.Sorted(maps.Keys(c.RuntimeParams)) {
		fmt.Fprintf(&b, " %s=%s", name, c.RuntimeParams[name])
	}
	return b.String()
}

// take returns an open connection, or nil.
func (u *used) take(kind string) *pgx.Conn {
	u.mu.Lock()
	defer u.mu.Unlock()
	list := u.open[kind]
	if len(list) == 0 || u.ended {
		return nil
	}
	u.open[kind] = list[:len(list)-1]
	return list[len(list)-1]
}

// keep keeps an open connection, unless the test is over.
func (u *used) keep(kind string, conn *pgx.Conn) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.ended {
		u.open[kind] = append(u.open[kind], conn)
	}
	return !u.ended
}

// nobody is the other end of a connection that is replaced by an open one as soon as it is made: a pool takes on only
// connections that it has made itself.
type nobody struct {
	net.Conn
	instead *pgx.Conn
}

func dialNobody(instead *pgx.Conn) net.Conn {
	here, there := net.Pipe()
	go welcome(there)
	return &nobody{here, instead}
}

// welcome answers like a Postgres that is ready, and then reads until the connection is closed.
func welcome(conn net.Conn) {
	defer conn.Close()
	server := pgproto3.NewBackend(conn, conn)
	if _, err := server.ReceiveStartupMessage(); err != nil {
		return
	}
	server.Send(&pgproto3.AuthenticationOk{})
	server.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := server.Flush(); err != nil {
		return
	}
	for {
		if _, err := server.Receive(); err != nil {
			return
		}
	}
}

// closed returns a closed connection, which pools close in place of one that is kept.
var closed = sync.OnceValue(func() *pgx.Conn {
	config, err := pgx.ParseConfig("postgres://nobody@localhost/nothing?sslmode=disable")
	if err != nil {
		panic(err)
	}
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return dialNobody(nil), nil }
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		panic(err)
	}
	_ = conn.Close(context.Background()) // nobody hears it
	return conn
})
