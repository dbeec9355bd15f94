// Package understand tells what a message is about: which language it is written in, which skills of an
// assistant it calls for, and what its writer does with it, each with a probability. It knows nothing of the
// business or of the conversation: who calls it weighs what it says against these.
//
// What it knows was learnt from the phrasings in the folders of shared/language, by the program infra/train,
// which writes the two models that lie here. They are parsed when the first message comes.
package understand

import (
	_ "embed"
	"slices"
	"sync"

	"frontdesk/shared/concept"
	"frontdesk/shared/understand/classify"
)

// A Skill is something that an assistant can do.
type Skill uint8

// The skills. A message can call for several.
const (
	// answer from what the business wrote: parking, payment, policies, and all that is not below
	Knowledge Skill = iota
	Hours           // when the business is open
	Contact         // where it is, and how to reach it
	Prices          // what services there are, and what they cost
	Products        // what products there are, and what they cost; buying one
	Orders          // how far an order has come
	Book            // make an appointment or a reservation
	Move            // put one on another time
	Cancel          // call one off
	Recall          // say which ones there are
	Details         // take down a name, a number, a need
	Person          // bring in a person, or have one call back
	Emergency       // somebody or something is in danger
	Complaint       // somebody is dissatisfied
	OptOut          // send no more messages
	Identity        // say who or what is answering
	SmallTalk       // greetings, thanks, goodbyes, praise
	Reply           // an answer to what was asked: yes, no, a time, the second one
	None            // nothing that an assistant of a business can do
)

// Skills is how many there are.
const Skills = int(None) + 1

var skillNames = [Skills]string{
	"knowledge", "hours", "contact", "prices", "products", "orders", "book", "move", "cancel", "recall",
	"details",
	"person", "emergency", "complaint", "optout", "identity", "smalltalk", "reply", "none",
}

// String is the name that a section of phrasings has.
func (s Skill) String() string { return skillNames[s] }

// An Act is what the writer of a message does with it.
type Act uint8

// The acts. A message can do several.
const (
	Asks      Act = iota // wants to know something
	Wishes               // wants something done
	Tells                // says something that is so
	Agrees               // says yes
	Refuses              // says no
	Complains            // is dissatisfied
	Greets
	Thanks // thanks or praises
	Leaves // says goodbye
)

// Acts is how many there are.
const Acts = int(Leaves) + 1

var actNames = [Acts]string{
	"asks", "wishes", "tells", "agrees", "refuses", "complains", "greets", "thanks", "goodbye",
}

// String is the name that a section of phrasings has.
func (a Act) String() string { return actNames[a] }

// Classes are the names of all skills and then of all acts, which are the classes of the model.
func Classes() []string { return slices.Concat(skillNames[:], actNames[:]) }

// A Reading is what was understood of a message. Probabilities are from 0 to 1, and calibrated: of the
// readings that give something a probability of 0.8, it is so in about 80 of 100.
type Reading struct {
	// Language is the BCP 47 primary tag of the language that the message is written in; the expected one
	// where the message does not tell.
	Language string
	Skills   [Skills]float64
	Acts     [Acts]float64
	// Concepts are those of the message, as shared/concept names them, each once.
	Concepts []string
	// Known is the share of the message, from 0 to 1, that is like something learnt. Below 0.2 the message is
	// in a language that is not known or is no text at all, and the probabilities say little.
	Known float64
}

// A Guess is a skill with its probability.
type Guess struct {
	Skill Skill
	P     float64
}

// Ranked returns all skills, the most probable first.
func (r Reading) Ranked() []Guess {
	out := make([]Guess, Skills)
	for i, p := range r.Skills {
		out[i] = Guess{Skill(i), p}
	}
	slices.SortStableFunc(out, func(a, b Guess) int {
		switch {
		case a.P > b.P:
			return -1
		case a.P < b.P:
			return 1
		}
		return 0
	})
	return out
}

// Best returns the most probable skill.
func (r Reading) Best() Guess { return r.Ranked()[0] }

// Does reports whether the writer more probably does that than not.
func (r Reading) Does(a Act) bool { return r.Acts[a] >= 0.5 }

//go:embed skills.model
var skillsFile string

//go:embed languages.model
var languagesFile string

var (
	skillsModel    = sync.OnceValue(func() *classify.Model { return parse(skillsFile) })
	languagesModel = sync.OnceValue(func() *classify.Model { return parse(languagesFile) })
)

// parse reads an embedded model. A test holds that both can be read.
func parse(file string) *classify.Model {
	m, err := classify.Parse(file)
	if err != nil {
		panic(err)
	}
	return m
}

// Digests are what the two models were trained on, as infra/train names it.
func Digests() (skills, languages string) { return skillsModel().Digest, languagesModel().Digest }

// Size is how many bytes the two models have together.
func Size() int { return len(skillsFile) + len(languagesFile) }

// Read understands a message that is expected to be in a language, a BCP 47 tag. It takes a fraction of a
// millisecond for a message of usual length, and looks at no more than 2,000 bytes.
func Read(expected, message string) Reading {
	message = cut(message)
	r := Reading{Language: Language(expected, message)}
	r.Concepts = concept.Names(r.Language, message)
	p, known := skillsModel().Probabilities(classify.Features(message, r.Concepts...))
	copy(r.Skills[:], p)
	copy(r.Acts[:], p[Skills:])
	r.Known = known
	return r
}

// maxMessage bounds what is looked at of a message, in bytes.
const maxMessage = 2000

func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return message[:maxMessage/2] + " " + message[len(message)-maxMessage/2:]
}
