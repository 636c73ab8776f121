// Package freshness holds two real nodes to what caches promise: whoever writes sees what was written, and nobody sees
// what is older than they have seen, while Postgres, its replica and Redis are frozen, emptied, killed and cut off.
package freshness

import (
	"os"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }
