package server

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// unrouted is the pattern of requests without a route.
const unrouted = "none"

// patterns are the names of an app's routes in metrics, logs and traces, where addresses would be too many.
type patterns map[*fiber.Route]string

// patternsOf returns the patterns of all routes except those registered before, which are middleware.
func patternsOf(app *fiber.App, before map[*fiber.Route]bool) patterns {
	p := patterns{}
	for route := range routes(app) {
		if !before[route] {
			p[route] = readablePattern(route.Path)
		}
	}
	return p
}

// routes returns the current routes of an app.
func routes(app *fiber.App) map[*fiber.Route]bool {
	all := map[*fiber.Route]bool{}
	for _, method := range app.Stack() {
		for _, route := range method {
			all[route] = true
		}
	}
	return all
}

// of returns the pattern of the route that a request took.
func (p patterns) of(c *fiber.Ctx) string {
	if pattern, ok := p[c.Route()]; ok {
		return pattern
	}
	return unrouted
}

// readablePattern converts Fiber's parameters to the form {name} of the interface.
func readablePattern(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if name, ok := strings.CutPrefix(segment, ":"); ok {
			name, _, _ = strings.Cut(name, "<")
			segments[i] = "{" + strings.TrimSuffix(name, "?") + "}"
		}
	}
	return strings.Join(segments, "/")
}
