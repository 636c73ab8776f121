package places

import (
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestColumnsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	storagetest.Columns(t, "venues", Venues.columns.Types(), "site_id", "apart")
	storagetest.Columns(t, "organizers", Organizers.columns.Types(), "site_id", "apart")
}
