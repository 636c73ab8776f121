// Package isolation walks every route as everybody, and looks for anything of another site.
package isolation

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
