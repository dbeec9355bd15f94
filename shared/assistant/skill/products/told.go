package products

import (
	"context"
	"slices"

	"frontdesk/shared/assistant/skill"
)

// Call implements skill.Tool: it lists the products that a model looks for, or takes the order of one.
func (Skill) Call(_ context.Context, s *skill.State, slots skill.Slots) (*skill.Outcome, error) {
	fit := s.Book.Offered
	exactly := false
	if name := slots.Text("name"); name != "" {
		fit, exactly = s.Named(name)
	}
	if orders, _ := slots.Truth("orders"); orders {
		switch {
		case !s.Agent.CapabilityTakeOrders:
			return nil, &skill.Refused{Why: "orders are not taken here"}
		case !exactly || len(fit) != 1:
			return nil, &skill.Refused{Why: "name: say which one product it is"}
		}
		return takeOrder(s, fit[0]), nil
	}
	if !s.Agent.CapabilityRecommendProducts && !exactly {
		return nil, &skill.Refused{Why: "products are not recommended here"}
	}
	most, bounded := slots.Amount("at_most")
	least, _ := slots.Amount("at_least")
	fit = slices.DeleteFunc(slices.Clone(fit), func(p skill.Offered) bool {
		return p.Price < least || bounded && p.Price > most
	})
	return list(s, fit), nil
}
