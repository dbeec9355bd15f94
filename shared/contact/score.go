package contact

import "cmp"

// Points of the lead score for what is known about a contact.
const (
	scorePhone    = 20
	scoreEmail    = 15
	scoreName     = 5
	scoreBudget   = 15
	scoreLocation = 5
	scoreProspect = 20
	scoreCustomer = 40
)

// Score returns the contact's lead score, 0 to 100: how well the business knows the contact and how far it
// has come. Prospects and customers are at least warm. Churned contacts have 0.
func (c Contact) Score() int {
	score := 0
	for _, fact := range []struct {
		text  string
		score int
	}{
		{cmp.Or(c.Phone, c.Claimed.Phone), scorePhone}, {cmp.Or(c.Email, c.Claimed.Email), scoreEmail},
		{c.Name, scoreName}, {c.Budget, scoreBudget}, {c.Location, scoreLocation},
	} {
		if fact.text != "" {
			score += fact.score
		}
	}
	switch c.Stage {
	case Prospect:
		score = max(score+scoreProspect, leastWarm)
	case Customer:
		score = max(score+scoreCustomer, leastWarm)
	case Churned:
		score = 0
	}
	return score
}
