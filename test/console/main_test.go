// Package console tries the pages of the provider and the lobby in front of the sites.
package console

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
