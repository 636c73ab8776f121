package server

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// unrouted is the pattern of requests that no route was found for.
const unrouted = "none"

// patterns are the routes of an app by what they are called in numbers, lines of
// the log and traces: the addresses themselves would have no end.
type patterns map[*fiber.Route]string

// patternsOf returns the patterns of all routes but those that were there before:
// middleware is passed by requests of every address.
func patternsOf(app *fiber.App, before map[*fiber.Route]bool) patterns {
	p := patterns{}
	for route := range routes(app) {
		if !before[route] {
			p[route] = readablePattern(route.Path)
		}
	}
	return p
}

// routes returns what an app has at this moment.
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

// readablePattern turns Fiber's parameters into {name}, as the interface writes
// them.
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
