package pg

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// tracer makes a span of every round trip to the database. A span names the kind of statement and how many there
// were. It contains neither parameters nor error texts, which may repeat parameters.
type tracer struct{ trace.Tracer }

// timer measures every round trip, and passes it on to another tracer if there is one.
type timer struct {
	told func(time.Duration)
	next *tracer
}

// begunKey is the context key for the start of a round trip.
type begunKey struct{}

// TraceQueryStart implements pgx.QueryTracer.
func (t timer) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if t.next != nil {
		ctx = t.next.TraceQueryStart(ctx, conn, data)
	}
	return context.WithValue(ctx, begunKey{}, time.Now())
}

// TraceQueryEnd implements pgx.QueryTracer.
func (t timer) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	t.end(ctx)
	if t.next != nil {
		t.next.TraceQueryEnd(ctx, conn, data)
	}
}

// TraceBatchStart implements pgx.BatchTracer.
func (t timer) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	if t.next != nil {
		ctx = t.next.TraceBatchStart(ctx, conn, data)
	}
	return context.WithValue(ctx, begunKey{}, time.Now())
}

// TraceBatchQuery implements pgx.BatchTracer.
func (timer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (t timer) TraceBatchEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchEndData) {
	t.end(ctx)
	if t.next != nil {
		t.next.TraceBatchEnd(ctx, conn, data)
	}
}

func (t timer) end(ctx context.Context) {
	if begun, ok := ctx.Value(begunKey{}).(time.Time); ok {
		t.told(time.Since(begun))
	}
}

var (
	_ pgx.QueryTracer = tracer{}
	_ pgx.BatchTracer = tracer{}
)

// TraceQueryStart implements pgx.QueryTracer.
func (t tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return t.start(ctx, verb(data.SQL), 1)
}

// TraceQueryEnd implements pgx.QueryTracer.
func (tracer) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	end(ctx, data.Err)
}

// TraceBatchStart implements pgx.BatchTracer.
func (t tracer) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	return t.start(ctx, "batch", data.Batch.Len())
}

// TraceBatchQuery implements pgx.BatchTracer. The batch is one span.
func (tracer) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd implements pgx.BatchTracer.
func (tracer) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	end(ctx, data.Err)
}

// start begins a span within that of a request. Background work is not traced, because it runs every second.
func (t tracer) start(ctx context.Context, name string, statements int) context.Context {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return context.WithValue(ctx, spanKey{}, nil)
	}
	ctx, span := t.Start(ctx, "postgres "+name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("db.system.name", "postgresql"), attribute.String("db.operation.name", strings.ToUpper(name))))
	if statements > 1 { // by the conventions of tracing, a single statement is no batch
		span.SetAttributes(attribute.Int("db.operation.batch.size", statements))
	}
	if why, ok := ctx.Value(whyKey{}).(string); ok {
		span.SetAttributes(attribute.String("kalends.across", why))
	}
	return context.WithValue(ctx, spanKey{}, span)
}

// spanKey is the context key for a span of this tracer. It keeps them apart from the request's own span.
type spanKey struct{}

func end(ctx context.Context, err error) {
	span, ok := ctx.Value(spanKey{}).(trace.Span)
	if !ok {
		return
	}
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		span.SetStatus(codes.Error, "")
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
			span.SetAttributes(attribute.String("db.response.status_code", pg.Code))
		}
	}
	span.End()
}

// verb returns the first word of a statement.
func verb(sql string) string {
	if words := strings.Fields(sql); len(words) > 0 {
		return strings.ToLower(words[0])
	}
	return "query"
}
