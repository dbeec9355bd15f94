package builtin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"frontdesk/shared/concept"
	"frontdesk/shared/text"
)

// A kind is a set of kinds of information that a question asks for or a sentence states.
type kind uint32

// The kinds. Questions ask for those before negation; yesNo is a question without a question word.
const (
	price    kind = 1 << iota // an amount of money
	free                      // something is free
	discount                  // a percentage, or a reduced price
	payment                   // means of payment
	age                       // of a person
	clock                     // a time of day
	day                       // days of the week, or parts of a day
	date                      // a day of a month, or a year
	duration                  // a number of minutes, days or months
	count                     // another number
	person                    // a name or a role
	place                     // an address, or directions
	bring                     // what to bring or to wear
	rule                      // what is allowed or required
	negation                  // a negative statement
	yesNo
	kinds int = iota
)

// anyTime is every kind that answers a question for a time.
const anyTime = clock | day | date

// distinct is the kinds that few sentences state.
const distinct = price | payment | age | duration

// kindOf maps concepts to the kind that they name in questions and sentences.
var kindOf = map[string]kind{
	"price": price, "cheap": price, "expensive": price, "surcharge": price, "fixedprice": price,
	"hourlyrate": price, "deposit": price, "free": free, "discount": discount, "voucher": discount,
	"pay": payment, "card": payment, "cash": payment, "paypal": payment, "instalment": payment,
	"invoice": payment, "banktransfer": payment, "directdebit": payment, "cheque": payment,
	"age": age, "minor": age, "child": age, "senior": age, "baby": age,
	"hours": clock | day, "open": clock | day, "close": clock | day, "timetable": clock | day,
	"deadline": clock | date, "today": day, "tomorrow": day, "weekend": day, "night": clock, "soon": date,
	"holiday": date, "duration": duration, "last": duration, "month": duration, "deliverytime": duration,
	"returnperiod": duration, "owner": person, "boss": person, "doctor": person, "dentist": person,
	"lawyer": person, "hairdresser": person, "mechanic": person, "trainer": person, "team": person,
	"address": place, "near": place, "station": place, "park": place, "tram": place, "outside": place,
	"bring": bring, "identity": bring, "form": bring, "wear": bring, "prescription": bring,
	"rule": rule, "consent": rule, "safe": rule,
}

// asksFor sets the kinds that a question asks for, by its question word and its concepts.
func (q *question) asksFor() {
	for _, names := range q.theirs.concepts {
		for _, name := range names {
			q.kinds |= kindOf[name]
		}
	}
	for _, t := range q.terms {
		if t.own {
			for _, name := range t.concepts {
				q.kinds |= kindOf[name]
			}
		}
	}
	switch q.kind {
	case askWho:
		q.kinds |= person
	case askWhen:
		q.kinds |= anyTime
	case askWhere:
		q.kinds |= place
	case askPrice:
		q.kinds |= price
	case askHowMany:
		if q.kinds&(price|duration|age) == 0 {
			q.kinds |= count
		}
	case askOther:
		q.kinds |= yesNo
	}
	if q.person && (q.kind == askWhen || q.day) {
		q.kinds = q.kinds&^anyTime | day // when a person is in, not since when
	}
	if q.price {
		q.kinds |= price
	}
	if q.day {
		q.kinds |= day
	}
}

// kindsOf returns the kinds that one of the agent's texts states.
func (l *lexicon) kindsOf(s string, tokens []text.Token, concepts []concept.Found) (has kind) {
	for _, f := range concepts {
		has |= kindOf[f.Name]
	}
	if _, n := find(l.severalDays, tokens); n > 0 {
		has |= day
	}
	if _, n := find(l.not, tokens); n > 0 {
		has |= negation
	}
	if strings.Contains(s, "%") {
		has |= discount
	}
	for i, t := range tokens {
		has |= l.kindOfToken(tokens, i)
		first, _ := utf8.DecodeRuneInString(s[t.Start:])
		if i > 0 && t.Kind == text.Word && unicode.IsUpper(first) && !l.times[t.Stem] && !l.months[t.Stem] {
			has |= person
		}
	}
	return has
}

// kindOfToken returns what a token states, by its form and the tokens around it.
func (l *lexicon) kindOfToken(tokens []text.Token, i int) kind {
	t := tokens[i]
	number := t.Kind == text.Number || l.numbers[t.Stem]
	switch {
	case t.Kind == text.Price:
		return price
	case t.Kind == text.Time:
		return clock
	case l.times[t.Stem] && !t.Stop, l.beginsWithDay(t.Stem):
		return day
	case !number:
		return 0
	}
	if i+1 < len(tokens) {
		next := tokens[i+1].Stem
		switch {
		case l.units[next]:
			return duration
		case l.months[next]:
			return date
		}
	}
	switch {
	case i > 0 && l.months[tokens[i-1].Stem]:
		return date
	case t.Kind == text.Number && len(t.Stem) == 4 && (t.Stem[0] == '1' || t.Stem[0] == '2'):
		return date
	}
	return count
}
