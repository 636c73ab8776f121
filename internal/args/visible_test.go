package args

import "testing"

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "\u200b", "\u200d\u200b", "\ufeff", "\u00ad", "\u2060 \u200e", "\u3164", "\u115f\u1160", "\u2800", "\u034f", "\u00a0",
		"\ufe0f", "\U000e0041", "\x00", "\u180e\u17b4"} {
		if got := Visible(text); got != "" {
			t.Errorf("%q is seen as %q", text, got)
		}
	}
	for text, want := range map[string]string{" a ": "a", "\u200ba": "\u200ba", "\u0600": "\u0600", "❤\ufe0f": "❤\ufe0f", "\u0301": "\u0301", "न\u200d": "न\u200d", "0": "0",
		"\u00a0é\u00a0": "é", "\ufffd": "\ufffd"} {
		if got := Visible(text); got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	}
}
