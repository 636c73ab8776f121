package lists

import "testing"

// TestDictionariesAreThere: Postgres has each dictionary that a search may ask for.
func TestDictionariesAreThere(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	there := map[string]bool{}
	for _, name := range k.Column(`SELECT dictname::text FROM pg_ts_dict WHERE $1::bigint > 0`, k.Site) {
		there[name] = true
	}
	for language, name := range dictionaries {
		if !there[name] {
			t.Errorf("%s: there is no dictionary %s", language, name)
		}
	}
	stems, err := k.db.lists.Stems(k.Ctx, []string{"ca", "nb", "pt-BR", "de-AT"}, []string{"cançons"})
	k.Must(err)
	if len(stems["cançons"]) < 3 {
		t.Errorf("stems %q", stems)
	}
}
