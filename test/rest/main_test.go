// Package rest holds the interface that programs use to what it promises: arguments, answers, rights, series, texts, feeds and files.
package rest

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
