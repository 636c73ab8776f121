// Package fuzz sends requests made by chance to every route, as everybody, and looks for answers that are faults.
package fuzz

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
