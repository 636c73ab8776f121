// Package child runs a server process that lives no longer than the process that started it.
//
// The process gets a process group of its own, so that Ctrl-C in a terminal reaches Kalends alone and Kalends
// decides in which order things stop. On Linux the kernel also signals it when its parent dies, however the parent
// dies; the kernel ties that signal to the thread that forked, so the thread is kept until the process has ended.
package child

import (
	"errors"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// outputGrace is how long output is still collected after the process itself has ended.
const outputGrace = 2 * time.Second

// Process is a started process.
type Process struct {
	process *os.Process
	done    chan struct{}
	err     error
}

// Start starts cmd and returns the running process, or the error of exec.Cmd.Start. When this process dies before
// it, the child receives onDeath (on Linux; on other systems, a later start has to stop it).
func Start(cmd *exec.Cmd, onDeath syscall.Signal) (*Process, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	bind(cmd.SysProcAttr, onDeath)
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = outputGrace
	}
	p := &Process{done: make(chan struct{})}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this goroutine
		err := cmd.Start()
		p.process = cmd.Process
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		if errors.Is(p.err, exec.ErrWaitDelay) {
			p.err = nil
		}
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// Pid returns the process id.
func (p *Process) Pid() int { return p.process.Pid }

// Signal sends a signal; it returns os.ErrProcessDone when the process has ended.
func (p *Process) Signal(s os.Signal) error { return p.process.Signal(s) }

// Done returns a channel that is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns how the process ended: nil for exit status 0, otherwise the error of exec.Cmd.Wait. It waits for the
// end.
func (p *Process) Err() error {
	<-p.done
	return p.err
}

// Ended waits for at most d, or until cancel is closed, and reports whether the process has ended.
func (p *Process) Ended(d time.Duration, cancel <-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.done:
		return true
	case <-timer.C:
	case <-cancel:
	}
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}
