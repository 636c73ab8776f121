package kit

import (
	"fmt"
	"net/http"
	"testing"
)

// Answer is a response.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
	Close  bool           // the server closes the connection
	Body   map[string]any // if it is an object
}

// ID returns the id in the body, or 0.
func (a Answer) ID() int64 {
	id, _ := a.Body["id"].(float64)
	return int64(id)
}

// Code returns the code of an error, or "".
func (a Answer) Code() string {
	code, _ := a.Body["code"].(string)
	return code
}

// String returns status and body for test messages.
func (a Answer) String() string { return fmt.Sprintf("%d %s", a.Status, a.Raw) }

// Want fails the test unless status and code are as expected.
func (a Answer) Want(t testing.TB, status int, code string) Answer {
	t.Helper()
	if a.Status != status || a.Code() != code {
		t.Errorf("got %d %q, want %d %q\n%s", a.Status, a.Code(), status, code, a.Raw)
	}
	return a
}

// Params returns the arguments named in an error.
func (a Answer) Params() map[string]any {
	data, _ := a.Body["data"].(map[string]any)
	params, _ := data["params"].(map[string]any)
	return params
}
