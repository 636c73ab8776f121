package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/kalends/kalends/internal/embedded/child"
)

// process is a program started for the run.
type process struct {
	name  string
	addr  string // host:port that it listens on
	child *child.Process
	log   string // file with its output
}

// launch starts a program and waits until it responds at /readyz. It passes the environment, with the address in the
// variable addr.
func (b *bench) launch(ctx context.Context, name, addr string, environment []string, command ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(b.dir, name+".log")}
	var err error
	if p.addr, err = freeAddress(); err != nil {
		return nil, err
	}
	log, err := os.Create(p.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the program has its own handle
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "KALENDS_DRAIN=0s", addr + "=" + p.addr}, environment...)
	cmd.Stdout, cmd.Stderr = log, log
	if p.child, err = child.Start(cmd, syscall.SIGTERM); err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	b.processes = append(b.processes, p)
	return p, p.ready(ctx)
}

// ready waits until the program responds.
func (p *process) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.addr+"/readyz", nil)
		if err != nil {
			return err
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-p.child.Done():
			return fmt.Errorf("%s ended: %w\n%s", p.name, errors.Join(p.child.Err()), p.printed())
		case <-ctx.Done():
			return fmt.Errorf("%s isn't ready: %w\n%s", p.name, ctx.Err(), p.printed())
		case <-time.After(time.Millisecond):
		}
	}
}

// stop stops the program and waits for its end.
func (p *process) stop() {
	_ = p.child.Signal(syscall.SIGTERM) // it may have ended already
	if !p.child.Ended(20*time.Second, nil) {
		_ = p.child.Signal(syscall.SIGKILL)
		<-p.child.Done()
	}
}

// printed returns the end of the program's output.
func (p *process) printed() string {
	text, _ := os.ReadFile(p.log)
	return string(text[max(0, len(text)-2000):])
}

// resident returns the program's resident memory in bytes, or 0 if the system does not report it.
func (p *process) resident() int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.child.Pid()))
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.Atoi(strings.Fields(rest)[0])
			return kib << 10
		}
	}
	return 0
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// redisServer starts a Redis without persistence, if installed.
func (b *bench) redisServer(ctx context.Context) error {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return nil //nolint:nilerr // not installed
	}
	addr, err := freeAddress()
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(addr)
	cmd := exec.Command(program, "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no")
	started, err := child.Start(cmd, syscall.SIGTERM)
	if err != nil {
		return fmt.Errorf("start redis: %w", err)
	}
	b.processes = append(b.processes, &process{name: "redis-server", addr: addr, child: started})
	b.redis = "redis://" + addr
	return b.putRedis(ctx, nil)
}
