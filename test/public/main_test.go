// Package public tries the pages that visitors see, in every language, embedded, and with events that they send.
package public

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
