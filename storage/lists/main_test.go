package lists

import (
	"os"
	"testing"

	"github.com/kalends/kalends/storage/storagetest"
)

func TestMain(m *testing.M) { os.Exit(storagetest.Main(m)) }
