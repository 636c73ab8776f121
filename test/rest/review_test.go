package rest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Rule 2.10: who may publish says what the author should change; publishing the event clears it.
func TestReviewNote(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	body := kit.Object{"title": "Fair", "start_date": "2030-02-01 10:00", "end_date": "2030-02-01 11:00", "status": "pending"}
	made := k.Post("/events", "contributor", body).Want(t, http.StatusCreated, "").Has(t, "status", "pending", "review_note", "-")
	path := fmt.Sprintf("/events/%v", made.Body["id"])
	k.Patch(path, "contributor", kit.Object{"review_note": "All is well"}).Want(t, http.StatusForbidden, "rest_forbidden")
	k.Patch(path, "editor", kit.Object{"status": "draft", "review_note": " Which hall? \r\n\x01Write it down. "}).
		Want(t, http.StatusOK, "").Has(t, "review_note", "Which hall?\nWrite it down.")
	k.Get(path, "contributor").Has(t, "review_note", "Which hall?\nWrite it down.", "status", "draft")
	k.Patch(path, "contributor", kit.Object{"title": "Fair in the hall", "status": "publish", "review_note": "Which hall?\nWrite it down."}).
		Want(t, http.StatusOK, "").Has(t, "status", "pending", "review_note", "Which hall?\nWrite it down.") // what stands there is no change
	k.Patch(path, "editor", kit.Object{"status": "publish", "review_note": "Again"}).Want(t, http.StatusBadRequest, "rest_invalid_param")
	k.Patch(path, "editor", kit.Object{"status": "publish"}).Want(t, http.StatusOK, "").Has(t, "review_note", "-")
	k.Patch(path, "editor", kit.Object{"review_note": "Too late"}).Want(t, http.StatusBadRequest, "rest_invalid_param")
	k.Patch(path, "editor", kit.Object{"review_note": kit.Letters(2001), "status": "draft"}).Want(t, http.StatusBadRequest, "rest_invalid_param")
}
