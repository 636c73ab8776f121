package public

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kalends/kalends/internal/mail"
	"github.com/kalends/kalends/server"
	"github.com/kalends/kalends/test/kit"
)

// counting takes as many mails as come and only counts them. It returns its address and the count.
func counting(b *testing.B) (address string, got *atomic.Int64) {
	b.Helper()
	var config net.ListenConfig
	listener, err := config.Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = listener.Close() })
	got = &atomic.Int64{}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go taking(conn, got)
		}
	}()
	return "smtp://" + listener.Addr().String(), got
}

// taking speaks as much SMTP as counting takes.
func taking(conn net.Conn, got *atomic.Int64) {
	defer func() { _ = conn.Close() }()
	say := func(text string) { _, _ = fmt.Fprint(conn, text+"\r\n") }
	in, inside := bufio.NewReader(conn), false
	say("220 counting")
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			return
		case inside && line == ".\r\n":
			inside = false
			got.Add(1)
			say("250 ok")
		case inside:
		case strings.HasPrefix(line, "DATA"):
			inside = true
			say("354 go on")
		default:
			say("250 ok")
		}
	}
}

// BenchmarkLetters sends ten thousand letters of forty events, as fast as one node can.
func BenchmarkLetters(b *testing.B) {
	const people = 10_000
	address, got := counting(b)
	sender, err := mail.New(address, "calendar@example.org")
	if err != nil {
		b.Fatal(err)
	}
	k := kit.New(b, func(c *server.Config) { c.Post = sender })
	k.Clock, k.Tries = monday, monday
	mailing(k, "demo", "on")
	for i := range 40 {
		stage(k, fmt.Sprint("Event ", i), fmt.Sprintf("2027-05-04 %02d:30", 10+i%12), nil)
	}
	readers(k, people)
	b.ResetTimer()
	k.LettersAt(tuesday)
	b.StopTimer()
	if n := got.Load(); n != people {
		b.Errorf("%d letters", n)
	}
}
