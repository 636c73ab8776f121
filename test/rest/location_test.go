package rest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// TestLocation creates an entry of every kind: the response says where it is, and there it is.
func TestLocation(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	for path, body := range map[string]kit.Object{
		"/events":     {"title": "E", "start_date": "2030-01-01 10:00", "end_date": "2030-01-01 11:00"},
		"/venues":     {"venue": "V"},
		"/organizers": {"organizer": "O"},
		"/categories": {"name": "C"},
		"/tags":       {"name": "T"},
	} {
		made := k.Send(kit.Request{Method: "POST", Path: path, As: "editor", JSON: body}).Want(t, http.StatusCreated, "")
		_, at, _ := strings.Cut(made.Header.Get("Location"), "/calendar/events/v1")
		if !strings.HasPrefix(at, path+"/") {
			t.Errorf("%s: Location %q", path, made.Header.Get("Location"))
			continue
		}
		if found := k.Get(at, "editor").Want(t, http.StatusOK, ""); found.Body["id"] != made.Body["id"] {
			t.Errorf("%s leads to %v, made was %v", at, found.Body["id"], made.Body["id"])
		}
	}
}
