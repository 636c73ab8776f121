package terms

import (
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestColumnsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	storagetest.Columns(t, "terms", columns.Types(), "site_id", "count")
}
