// Package isolation requests every route as every caller and looks for data of another site.
package isolation

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
