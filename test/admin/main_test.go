// Package admin tests the pages for editors: forms, lists, calendar, history, and failures in them.
package admin

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
