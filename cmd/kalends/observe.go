package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/kalends/kalends/api"
)

// logger returns the log: text for people at a terminal, otherwise JSON.
func (p *program) logger() *slog.Logger {
	return slog.New(p.handler(p.errs))
}

// requests returns the request log. It is buffered unless it is written to a terminal; flush writes the rest.
func (p *program) requests() (log *slog.Logger, flush func()) {
	if onTerminal(p.errs) {
		return p.logger(), func() {}
	}
	l := &gathered{to: p.errs, delay: lineDelay}
	return slog.New(prompt{p.handler(l), l}), l.flush
}

func (p *program) handler(w io.Writer) slog.Handler {
	options := &slog.HandlerOptions{Level: p.config.level()}
	if p.config.LogFormat == "text" || p.config.LogFormat != "json" && onTerminal(p.errs) {
		return slog.NewTextHandler(w, options)
	}
	return slog.NewJSONHandler(w, options)
}

// onTerminal reports whether output goes to a terminal.
func onTerminal(w any) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// traces creates the tracer if a collector is configured. flush sends the remaining traces.
func (p *program) traces() (flush func(), err error) {
	if p.config.Traces == "" {
		return func() {}, nil
	}
	exporter, err := otlptracehttp.New(p.ctx, otlptracehttp.WithEndpointURL(strings.TrimSuffix(p.config.Traces, "/")+"/v1/traces"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: %w", err)
	}
	otel.SetErrorHandler(&complaints{logger: p.logger(), clock: time.Now})
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(
		attribute.String("service.name", "kalends"), attribute.String("service.version", api.Version))))
	p.tracer = provider.Tracer("kalends")
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), 3*time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // an unavailable collector must not delay the exit
	}, nil
}

// complaints logs errors of sending traces, at most once a minute, because every request has traces to send.
type complaints struct {
	logger *slog.Logger
	clock  func() time.Time

	mu   sync.Mutex
	told time.Time
}

// Handle implements otel.ErrorHandler.
func (c *complaints) Handle(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.clock(); now.Sub(c.told).Abs() >= time.Minute {
		c.told = now
		c.logger.Warn("traces are lost", "error", err)
	}
}
