// Package platform tests what a provider does: sites and their lifecycle, plans, jobs, archives and backups.
package platform

import (
	"testing"

	"github.com/kalends/kalends/test/kit"
)

func TestMain(m *testing.M) { kit.Main(m) }
