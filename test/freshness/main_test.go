// Package freshness verifies the guarantees of the cache with two real nodes: writers see their writes, and nobody
// sees anything older than they have seen, while Postgres and Redis are frozen, emptied, killed and
// disconnected.
package freshness

import (
	"os"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }
