package platform

import (
	"strings"
	"testing"

	"github.com/kalends/kalends/test/kit"
)

// Names are one line: they are in the subjects and the first lines of letters, which would say anything otherwise.
func TestNamesAreOneLine(t *testing.T) {
	t.Parallel()
	k := kit.New(t)
	const name = "Riverton\r\n\r\nPay at https://evil.example"
	for _, path := range []string{"POST /sites", "PATCH /sites/demo", "POST /sites/demo/users"} {
		method, path, _ := strings.Cut(path, " ")
		a := k.Provider(method, path, map[string]any{"slug": "evil", "login": "ada", "email": "ada@example.org", "role": "editor", "name": name})
		if a.Want(t, 400, "rest_invalid_param"); !strings.Contains(string(a.Raw), `"name":"Enter the text on one line`) {
			t.Errorf("%s %s: %s", method, path, a)
		}
	}
}
