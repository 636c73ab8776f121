package accounts

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/kalends/kalends/internal/secrets"
	"github.com/kalends/kalends/tenancy"
)

func TestNewSecret(t *testing.T) {
	t.Parallel()
	forms := map[tenancy.Kind]*regexp.Regexp{
		tenancy.ApplicationPassword: regexp.MustCompile(`^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$`),
		tenancy.APIKey:              regexp.MustCompile(`^kal_[A-Za-z0-9]{40}$`),
	}
	for kind, form := range forms {
		shown, hash := newSecret(kind)
		if !form.MatchString(shown) {
			t.Errorf("%s looks like %q", kind, shown)
		}
		if !bytes.Equal(hash, secrets.Digest(withoutBlanks(shown))) {
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
	if !secrets.IsKey(shown, tokenPrefix) || !bytes.Equal(hash, secrets.Digest(shown)) {
		t.Errorf("token %q", shown)
	}
}

func TestWithoutBlanks(t *testing.T) {
	t.Parallel()
	if got := withoutBlanks(" ab cd\u00a0ef\t\n"); got != "abcdef" {
		t.Errorf("%q", got)
	}
}
