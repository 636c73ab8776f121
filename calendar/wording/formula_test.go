package wording

import "testing"

// Texts that a spreadsheet would interpret as formulas are escaped, and unescaped when read.
func TestEscapeFormula(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"=1": "'=1", "+49": "'+49", "-1": "'-1", "@x": "'@x", "＝1": "'＝1", "'=1": "''=1", "'x": "'x", "x=1": "x=1"} {
		if got := EscapeFormula(text); got != want || UnescapeFormula(got) != text {
			t.Errorf("%q became %q and %q, want %q", text, got, UnescapeFormula(got), want)
		}
	}
	if got := UnescapeFormula(""); got != "" {
		t.Errorf("nothing became %q", got)
	}
}
