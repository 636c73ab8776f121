// Package fuzz sends random requests to every route as every caller and looks for internal errors.
package fuzz

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
