package pg

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// What may have been committed isn't done again: that could make an event twice.
func TestWhatMayBeCommittedIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	turns := NewTurns(1, AtMost[int](MostTogether), slog.Default())
	gone := uncertain(io.ErrUnexpectedEOF)
	var all sync.WaitGroup
	var alone atomic.Int64
	turns.free(1, &Member[int]{alone: true})
	for n := range 3 {
		all.Go(func() {
			err := turns.Share(t.Context(), 1, n, func() error { alone.Add(1); return nil }, func([]*Member[int]) error { return gone })
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%d got %v", n, err)
			}
		})
	}
	for n := 0; n != 3; n, _ = turns.Waiting(1) {
		runtime.Gosched()
	}
	turns.end(1)
	all.Wait()
	if n := alone.Load(); n != 0 {
		t.Errorf("%d done again", n)
	}
	refused := error(&pgconn.PgError{SeverityUnlocalized: "ERROR", Code: "23505"})
	if uncertain(refused) != refused || uncertain(nil) != nil {
		t.Error("what Postgres refused is not committed")
	}
	ended := &pgconn.PgError{SeverityUnlocalized: "FATAL", Code: "57P01"}
	if !errors.Is(uncertain(ended), ErrUncertain) {
		t.Error("what came before a connection was ended may be committed")
	}
}

// A panic of what is done together reaches nobody: each does its own alone. The log has it, with its stack.
func TestPanicOfWhatIsDoneTogetherIsLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	turns := NewTurns(1, AtMost[int](MostTogether), slog.New(slog.NewTextHandler(&log, nil)))
	var all sync.WaitGroup
	turns.free(1, &Member[int]{alone: true})
	for n := range 2 {
		all.Go(func() {
			if err := turns.Share(t.Context(), 1, n, func() error { return nil }, func([]*Member[int]) error { panic("out of range") }); err != nil {
				t.Errorf("%d got %v", n, err)
			}
		})
	}
	for n := 0; n != 2; n, _ = turns.Waiting(1) {
		runtime.Gosched()
	}
	turns.end(1)
	all.Wait()
	if text := log.String(); !strings.Contains(text, "out of range") || !strings.Contains(text, "turns_test.go") {
		t.Errorf("the log has %q", text)
	}
}
