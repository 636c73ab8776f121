package i18n

import (
	"strings"
	"testing"
	"unicode"
)

// People who speak to their computer say what they read. So the name of a button, which says what it is about as well, has the text that
// is seen on it (WCAG 2.5.3).
func TestNamesHaveWhatIsSeen(t *testing.T) {
	t.Parallel()
	plain := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsPunct(r) || unicode.IsSymbol(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, text)
	}
	for _, tag := range Languages() {
		of := func(key string) string { return Text(tag, "admin."+key, nil) }
		for name, seen := range map[string]string{"sessions.end": "signout", "lobby.go.to": "lobby.go", "keys.revoke.of": "access.revoke", "access.revoke.of": "access.revoke",
			"passkey.rename.of": "passkey.rename", "passkey.remove.of": "passkey.remove", "twins.of": "do.merge",
			"confirm.of": "do.confirm", "history.open.of": "history.open", "row.of": "row", "copy.of": "copy", "view.of": "view", "dates.of": "dates", "move.of": "move",
			"repeat.back.of": "repeat.back"} {
			if !strings.Contains(plain(of(name)), plain(of(seen))) {
				t.Errorf("%s: “%s” of %s is not in “%s” of %s", tag, of(seen), seen, of(name), name)
			}
		}
	}
}
