package embedded

import (
	"context"
	"syscall"
	"time"
)

// How long Postgres may take to stop before the next, harsher signal.
const (
	orderly   = 10 * time.Second
	immediate = 10 * time.Second
)

// Stop stops Postgres and releases the data directory. Transactions that are still open are rolled back, so close
// the connection pools first. If Postgres does not stop within ten seconds, or ctx ends, it is stopped immediately
// and recovers at the next start; nothing that was committed is lost. Further calls return the same result.
//
// It returns nil if it has stopped Postgres, or the error of Err if Postgres had already ended by itself.
func (s *Server) Stop(ctx context.Context) error {
	s.stop.Do(func() {
		select {
		case <-s.Done():
			s.stopErr = s.Err()
		default:
			s.halt(ctx)
		}
		s.release()
	})
	return s.stopErr
}

// halt ends the process: SIGINT, then SIGQUIT, then SIGKILL. Signals to a process that has ended are no error.
func (s *Server) halt(ctx context.Context) {
	_ = s.process.Signal(syscall.SIGINT)
	if s.process.Ended(orderly, ctx.Done()) {
		return
	}
	s.log.Warn("Postgres takes too long to stop; stopping it immediately, it will recover at the next start")
	_ = s.process.Signal(syscall.SIGQUIT)
	if s.process.Ended(immediate, nil) {
		return
	}
	_ = s.process.Signal(syscall.SIGKILL)
	<-s.process.Done()
}

// release removes a temporary socket directory and releases the lock once no Postgres runs.
func (s *Server) release() {
	if s.temporary {
		removeSocketDir(s.socket)
	}
	if s.lock != nil {
		funlock(s.lock)
		_ = s.lock.Close()
	}
}
