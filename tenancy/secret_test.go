package tenancy

import (
	"bytes"
	"regexp"
	"testing"
)

func TestNewSecret(t *testing.T) {
	t.Parallel()
	forms := map[Kind]*regexp.Regexp{
		ApplicationPassword: regexp.MustCompile(`^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$`),
		APIKey:              regexp.MustCompile(`^kal_[A-Za-z0-9]{40}$`),
	}
	for kind, form := range forms {
		shown, hash := newSecret(kind)
		if !form.MatchString(shown) {
			t.Errorf("%s looks like %q", kind, shown)
		}
		if !bytes.Equal(hash, digest(withoutBlanks(shown))) {
			t.Errorf("%s: the hash is another secret's", kind)
		}
		if again, _ := newSecret(kind); again == shown {
			t.Errorf("%s: the same secret twice", kind)
		}
	}
}

func TestNewToken(t *testing.T) {
	t.Parallel()
	shown, hash := newToken()
	if !secretForm(shown, tokenPrefix, keyLength) || !bytes.Equal(hash, digest(shown)) {
		t.Errorf("token %q", shown)
	}
}

func TestRandomUsesTheWholeAlphabet(t *testing.T) {
	t.Parallel()
	count := map[rune]int{}
	for _, r := range random(62_000) {
		count[r]++
	}
	for _, r := range alphabet {
		if count[r] < 800 || count[r] > 1200 {
			t.Errorf("%q comes %d times in a thousand expected", r, count[r])
		}
	}
}

func TestWithoutBlanks(t *testing.T) {
	t.Parallel()
	if got := withoutBlanks(" ab cd\u00a0ef\t\n"); got != "abcdef" {
		t.Errorf("%q", got)
	}
}

func TestSecretForm(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{"kal_abc": true, "kal_ab": false, "kal_ab-": false, "abc": false, "KAL_abc": false} {
		if secretForm(s, keyPrefix, 3) != want {
			t.Errorf("%q", s)
		}
	}
}
