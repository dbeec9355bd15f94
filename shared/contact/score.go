package contact

import "cmp"

// What is known of a contact adds to the lead score.
const (
	scorePhone    = 20
	scoreEmail    = 15
	scoreName     = 5
	scoreBudget   = 15
	scoreLocation = 5
	scoreProspect = 20
	scoreCustomer = 40
)

// Score is the lead score that the contact deserves: how well the business knows it and how far it has come,
// from 0 to 100. Who has booked or ordered, and so is a prospect or a customer, is warm however little is
// known of them; one that went away deserves none.
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
