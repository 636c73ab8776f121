package storagetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kalends/kalends/internal/embedded/child"
)

// redisServer is a redis-server on a port of the loopback interface that keeps nothing on disk.
type redisServer struct {
	binary  string
	port    string
	version string
	process *child.Process
}

func (s *redisServer) address() string { return net.JoinHostPort("127.0.0.1", s.port) }

func (s *redisServer) url() string { return "redis://" + s.address() }

// startRedisServer starts a redis-server on a free port. Another program may take the port before the server does,
// so there are several attempts.
func startRedisServer(ctx context.Context, binary string) (*redisServer, error) {
	var problems []error
	for range 10 {
		port, err := freePort()
		if err != nil {
			return nil, err
		}
		s := &redisServer{binary: binary, port: port}
		if err = s.start(ctx); err == nil {
			return s, nil
		}
		problems = append(problems, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(problems...)
}

// start starts the process on its port and returns when it answers.
func (s *redisServer) start(ctx context.Context) error {
	cmd := exec.Command(s.binary, "--port", s.port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
		"--databases", strconv.Itoa(redisDatabases), "--daemonize", "no", "--dir", os.TempDir())
	process, err := child.Start(cmd, syscall.SIGKILL)
	if err != nil {
		return err
	}
	s.process = process
	for {
		version, err := s.greet(ctx)
		if err == nil {
			s.version = version
			return nil
		}
		select {
		case <-process.Done():
			return fmt.Errorf("%s on port %s: it ended while starting: %w", s.binary, s.port, process.Err())
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err, s.kill())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// greet asks the server on the port for its version, and makes sure that this server is our process.
func (s *redisServer) greet(ctx context.Context) (version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := dial(ctx, s.address())
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, command("INFO", "server")); err != nil {
		return "", err
	}
	answers := bufio.NewScanner(conn)
	for answers.Scan() {
		name, value, _ := strings.Cut(answers.Text(), ":")
		switch {
		case name == "redis_version":
			version = value
		case name == "process_id" && value == strconv.Itoa(s.process.Pid()):
			return version, nil
		case name == "process_id":
			return "", fmt.Errorf("port %s belongs to process %s", s.port, value)
		}
	}
	return "", fmt.Errorf("port %s: no Redis (%w)", s.port, answers.Err())
}

// kill kills the process unless it has ended, and returns when it has ended.
func (s *redisServer) kill() error {
	err := s.process.Signal(syscall.SIGKILL)
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.process.Done()
	return nil
}
