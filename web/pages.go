package web

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/kalends/kalends/web/public"
)

// Page is one address of the pages: its path with "#" for an id, ":name" for a
// word and "*" for the rest.
type Page struct{ Method, Path string }

// Pages lists every address that Mount adds, for those who walk them all.
func (w *Web) Pages() []Page {
	list := []Page{{fiber.MethodGet, "/static/:file"}}
	for _, path := range public.Unlocked {
		list = append(list, Page{fiber.MethodPost, path})
	}
	for _, path := range []string{"", "/go", "/language"} {
		list = append(list, Page{fiber.MethodPost, lobbyRoot + path})
	}
	for _, r := range w.public.Routes() {
		list = append(list, Page{fiber.MethodGet, r.Path})
	}
	for _, r := range w.admin.table {
		list = append(list, Page{r.method, adminRoot + r.path})
	}
	for _, r := range w.admin.consoleTable() {
		list = append(list, Page{r.method, consoleRoot + strings.Replace(r.path, "*", ":slug", 1)})
	}
	return list
}
