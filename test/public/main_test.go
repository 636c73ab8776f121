// Package public tests the pages for visitors, in every language, embedded, and with submissions.
package public

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
