// Package admin tries the pages on which editors work: forms, lists, the calendar, the history, and what goes wrong in them.
package admin

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
