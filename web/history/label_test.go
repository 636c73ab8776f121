package history_test

import (
	"reflect"
	"testing"

	"github.com/kalends/kalends/internal/args"
	"github.com/kalends/kalends/tenancy/platform"
	"github.com/kalends/kalends/web/history"
)

// TestSettingsHaveNames: the history of a site calls its settings as their form does.
func TestSettingsHaveNames(t *testing.T) {
	t.Parallel()
	for _, field := range args.TableOf(reflect.TypeFor[platform.ConfigFields]()).Fields {
		if got := history.FieldLabel(t.Context(), "site", field.Name); got == field.Name {
			t.Errorf("%s has no name", field.Name)
		}
	}
}
