package storagetest_test

import (
	"bufio"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kalends/kalends/storage/storagetest"
)

// say sends commands to the logical database of a URL and returns the first line of each answer.
func say(address string, timeout time.Duration, commands ...string) ([]string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	conn, err := net.Dial("tcp", u.Host)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return nil, err
	}
	commands = append([]string{"SELECT " + strings.TrimPrefix(u.Path, "/")}, commands...)
	answers := bufio.NewReader(conn)
	var lines []string
	for _, command := range commands {
		words := strings.Fields(command)
		fmt.Fprintf(conn, "*%d\r\n", len(words))
		for _, word := range words {
			fmt.Fprintf(conn, "$%d\r\n%s\r\n", len(word), word)
		}
		line, err := answers.ReadString('\n')
		if err != nil {
			return nil, err
		}
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines[1:], nil
}

func wantAnswers(t *testing.T, address string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		got, err := say(address, time.Minute, pairs[i])
		must(t, err)
		if got[0] != pairs[i+1] {
			t.Errorf("%s: %s, want %s", pairs[i], got[0], pairs[i+1])
		}
	}
}

func TestRedisDatabasesAreSeparate(t *testing.T) {
	t.Parallel()
	one, two := storagetest.Redis(t), storagetest.Redis(t)
	wantAnswers(t, one, "DBSIZE", ":0", "INCR n", ":1", "INCR n", ":2")
	wantAnswers(t, two, "DBSIZE", ":0", "INCR n", ":1")
}

func TestRedisDatabasesAreEmptyWhenTheirTurnComesAgain(t *testing.T) {
	// Not parallel: it takes the databases of all other tests, which have none yet.
	mine := storagetest.Redis(t)
	wantAnswers(t, mine, "INCR n", ":1")
	for turns := 0; storagetest.Redis(t) != mine; turns++ {
		if turns > 10_000 {
			t.Fatal("its turn never comes")
		}
	}
	wantAnswers(t, mine, "DBSIZE", ":0")
}

func TestRedisProcess(t *testing.T) {
	t.Parallel()
	r := storagetest.RedisProcess(t)
	wantAnswers(t, r.URL(), "INCR n", ":1")

	r.Pause()
	if _, err := say(r.URL(), 100*time.Millisecond, "GET n"); !os.IsTimeout(err) {
		t.Errorf("a paused Redis gives %v", err)
	}
	r.Resume()
	wantAnswers(t, r.URL(), "INCR n", ":2")

	r.Pause()
	r.Kill()
	if _, err := say(r.URL(), time.Minute, "GET n"); err == nil || os.IsTimeout(err) {
		t.Errorf("a killed Redis gives %v", err)
	}
	address := r.URL()
	r.Restart()
	r.Restart() // of a running one
	wantAnswers(t, address, "INCR n", ":1")
}
