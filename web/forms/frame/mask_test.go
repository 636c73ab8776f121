package frame

import "testing"

func TestMask(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	one, other := masked(token), masked(token)
	if one == other {
		t.Error("a token is written alike twice")
	}
	if unmasked(one) != token || unmasked(other) != token {
		t.Errorf("%q, %q", unmasked(one), unmasked(other))
	}
	for _, text := range []string{"", "x", "!!", token, one + "AA", one[1:]} {
		if unmasked(text) == token {
			t.Errorf("%q is taken for the token", text)
		}
	}
	if masked("") != "" {
		t.Error("no token is masked")
	}
}
