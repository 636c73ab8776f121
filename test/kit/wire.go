package kit

import (
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kalends/kalends/storage/storagetest"
)

// Wire is a proxy between a server and its Postgres that can be cut, immediately or before a future round trip.
type Wire struct {
	mu       sync.Mutex
	listener net.Listener
	network  string
	to       string
	left     int  // round trips until it is cut; below zero: it isn't
	late     bool // it is cut behind the next round trip, before its answer
	open     map[net.Conn]bool
	lost     int        // round trips in Postgres whose answer finds nobody
	found    *sync.Cond // that one of them ended
}

// NewWire returns a wire to a database, and the address of the database through it.
func NewWire(t testing.TB, database string) (*Wire, string) {
	t.Helper()
	storagetest.Unspread(t, "the wire is to one server, and sites are on others")
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	config, err := pgconn.ParseConfig(database)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Wire{listener: listener, left: -1, open: map[net.Conn]bool{}}
	w.found = sync.NewCond(&w.mu)
	w.network, w.to = pgconn.NetworkAddress(config.Host, config.Port)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.listen()
	}()
	t.Cleanup(func() {
		_ = listener.Close()
		w.Cut(0)
		<-done
	})
	u.Host = listener.Addr().String()
	q := u.Query()
	q.Set("sslmode", "disable")
	q.Del("host")
	q.Del("port")
	u.RawQuery = q.Encode()
	return w, u.String()
}

func (w *Wire) listen() {
	var ends sync.WaitGroup
	defer ends.Wait()
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial(w.network, w.to)
		if err != nil || !w.joined(near, far) {
			_ = near.Close()
			continue
		}
		answered := make(chan struct{})
		ends.Go(func() {
			defer close(answered)
			_, _ = io.Copy(near, far)
			_ = near.Close()
		})
		ends.Go(func() {
			if last := w.carry(near, far); last != nil {
				if _, err := far.Write(last); err == nil {
					<-answered
				}
				w.ended()
			}
			_ = near.Close()
			_ = far.Close()
		})
	}
}

// joined notes a connection, unless the wire is cut.
func (w *Wire) joined(near, far net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left == 0 {
		_ = far.Close()
		return false
	}
	w.open[near], w.open[far] = true, true
	return true
}

// carry forwards the server's messages to Postgres: first one without a type, then ones with. The messages of a round
// trip are forwarded together, so that one that is cut off has done nothing. It returns the round trip whose response
// is to be lost.
func (w *Wire) carry(near, far net.Conn) []byte {
	var trip []byte
	for first := true; ; first = false {
		head := make([]byte, 5)
		if first {
			head = head[:4]
		}
		if _, err := io.ReadFull(near, head); err != nil {
			return nil
		}
		body := make([]byte, binary.BigEndian.Uint32(head[len(head)-4:])-4)
		if _, err := io.ReadFull(near, body); err != nil {
			return nil
		}
		trip = append(append(trip, head...), body...)
		if !first && strings.IndexByte("PBDECF", head[0]) >= 0 {
			continue
		}
		if ends := !first && (head[0] == 'S' || head[0] == 'Q'); ends && !w.passes() {
			if w.loses(near, far) {
				return trip
			}
			w.Cut(0)
			return nil
		}
		if _, err := far.Write(trip); err != nil {
			return nil
		}
		trip = nil
	}
}

// passes counts a round trip, and reports whether it may begin.
func (w *Wire) passes() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.left > 0 {
		w.left--
		return true
	}
	return w.left < 0
}

// loses reports whether the round trip that may not pass is the one whose response is lost: it reaches Postgres, but
// the server loses it together with everything else.
func (w *Wire) loses(near, far net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.late {
		return false
	}
	w.late = false
	w.lost++
	delete(w.open, far)
	w.end()
	_ = near.Close()
	return true
}

// ended notes that Postgres is done with a round trip that was lost.
func (w *Wire) ended() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lost--
	w.found.Broadcast()
}

// Lose lets a number of round trips pass and one more begin, whose response never arrives.
func (w *Wire) Lose(after int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left, w.late = after, true
}

// Cut lets a number of round trips begin, then closes every connection and rejects new ones.
func (w *Wire) Cut(after int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.left = after
	if after == 0 {
		w.end()
	}
}

// end ends every connection.
func (w *Wire) end() {
	for c := range w.open {
		_ = c.Close()
	}
	clear(w.open)
}

// Mend repairs the wire once Postgres has finished what was lost.
func (w *Wire) Mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.lost > 0 {
		w.found.Wait()
	}
	w.left, w.late = -1, false
}
