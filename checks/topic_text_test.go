package checks

import (
	"testing"

	"github.com/sweepbot/sweepbot/internal/catalog"
)

func TestEveryTopicHasItsText(t *testing.T) {
	for _, era := range Eras() {
		p, _ := NewProfile(era)
		for _, slot := range p.Slots {
			if !catalog.Known(slot.Topic.RuleText()) {
				t.Errorf("%s has no text", slot.Topic)
			}
		}
	}
}
