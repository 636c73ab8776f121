package server

import (
	"github.com/gofiber/fiber/v2"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// traced returns the trace id of the request, or "".
func (n *note) traced() string {
	if n.span == nil || !n.span.SpanContext().HasTraceID() {
		return ""
	}
	return n.span.SpanContext().TraceID().String()
}

// trace starts the span of a request. It continues the trace of a trusted proxy.
func (s *server) trace(c *fiber.Ctx, proxied bool) trace.Span {
	ctx := c.UserContext()
	if proxied {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": c.Get("traceparent"),
			"tracestate": c.Get("tracestate")})
	}
	ctx, span := s.Tracer.Start(ctx, c.Method(), trace.WithSpanKind(trace.SpanKindServer))
	c.SetUserContext(ctx)
	return span
}

// end records the outcome of the request on the span.
func (n *note) end(c *fiber.Ctx, method string, status int) {
	n.span.SetName(method + " " + n.route)
	n.span.SetAttributes(attribute.String("http.request.method", method), attribute.String("http.route", n.route),
		attribute.Int("http.response.status_code", status), attribute.String("kalends.site", n.slug(c.UserContext())))
	if status >= fiber.StatusInternalServerError {
		n.span.SetStatus(codes.Error, "")
	}
}
