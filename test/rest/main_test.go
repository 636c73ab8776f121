// Package rest tests the guarantees of the API: arguments, responses, permissions, series, texts, feeds and files.
package rest

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
