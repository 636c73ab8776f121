package storagetest

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
	"testing"
)

// Ports below the ephemeral ones (from 32768 on Linux, from 49152 by RFC 6335).
const lowestPort, highestPort = 15000, 32000

// Address returns a loopback address at which nothing listens, for a program that is told where to listen. Its port is none that
// the system gives to connections and servers that ask for any. So a program that a test ends and starts again finds it free.
func Address(t testing.TB) string {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", port)
}

func freePort() (string, error) {
	for {
		port := strconv.Itoa(lowestPort + rand.IntN(highestPort-lowestPort)) //nolint:gosec // no secret
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return "", err
		}
		return port, listener.Close()
	}
}
