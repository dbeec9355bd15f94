// Package understand classifies messages: their language, the skills of an assistant that they call for,
// and what their author does with them, each with a probability. It knows nothing about the business or the
// conversation; callers combine its result with these.
//
// Its two models are embedded files. The program infra/train learns them from the phrasings in the folders
// of shared/language. They are parsed when the first message arrives.
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
	// answer from the business's knowledge: parking, payment, policies, and everything that is not below
	Knowledge Skill = iota
	Hours           // when the business is open
	Contact         // where the business is, and how to reach it
	Prices          // what services there are, and what they cost
	Products        // what products there are, and what they cost; buying one
	Orders          // the status of an order
	Book            // make an appointment or a reservation
	Move            // move an appointment
	Cancel          // cancel an appointment
	Recall          // list the contact's appointments
	Repeat          // repeat the last reply
	Details         // record a name, a number, a need
	Person          // bring in a person, or arrange a call back
	Emergency       // help somebody in danger
	Complaint       // handle a complaint
	OptOut          // send no more messages
	Identity        // say who or what answers
	SmallTalk       // greetings, thanks, goodbyes, praise
	Reply           // an answer to a question of the agent: yes, no, a time, the second one
	None            // nothing that an assistant of a business can do
)

// Skills is the number of skills.
const Skills = int(None) + 1

var skillNames = [Skills]string{
	"knowledge", "hours", "contact", "prices", "products", "orders", "book", "move", "cancel", "recall",
	"repeat", "details",
	"person", "emergency", "complaint", "optout", "identity", "smalltalk", "reply", "none",
}

// String is the name that a section of phrasings has.
func (s Skill) String() string { return skillNames[s] }

// An Act is what the author of a message does with it.
type Act uint8

// The acts. A message can do several.
const (
	Asks      Act = iota // asks for information
	Wishes               // asks for something to be done
	Tells                // states something
	Agrees               // says yes
	Refuses              // says no
	Complains            // is dissatisfied
	Greets
	Thanks // thanks or praises
	Leaves // says goodbye
)

// Acts is the number of acts.
const Acts = int(Leaves) + 1

var actNames = [Acts]string{
	"asks", "wishes", "tells", "agrees", "refuses", "complains", "greets", "thanks", "goodbye",
}

// String is the name that a section of phrasings has.
func (a Act) String() string { return actNames[a] }

// Classes returns the classes of the model: the names of all skills, then of all acts.
func Classes() []string { return slices.Concat(skillNames[:], actNames[:]) }

// A Reading is the classification of a message. Probabilities are from 0 to 1 and calibrated: of 100
// classes with a probability of 0.8, about 80 are right.
type Reading struct {
	// Language is the BCP 47 primary tag of the message's language, or the expected one if the message does
	// not tell.
	Language string
	Skills   [Skills]float64
	Acts     [Acts]float64
	// Concepts are the concepts that the message names, as in shared/concept, without duplicates.
	Concepts []string
	// Known is the share, from 0 to 1, of the message's features that the model knows. Below 0.2 the
	// message is in an unknown language or is not text, and the probabilities mean little.
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

// Does reports whether the probability of the act is at least 0.5.
func (r Reading) Does(a Act) bool { return r.Acts[a] >= 0.5 }

//go:embed skills.model
var skillsFile string

//go:embed languages.model
var languagesFile string

var (
	skillsModel    = sync.OnceValue(func() *classify.Model { return parse(skillsFile) })
	languagesModel = sync.OnceValue(func() *classify.Model { return parse(languagesFile) })
)

// parse reads an embedded model, and panics if it is invalid. A test parses both.
func parse(file string) *classify.Model {
	m, err := classify.Parse(file)
	if err != nil {
		panic(err)
	}
	return m
}

// Digests returns the digests of the data that the two models were trained on, as computed by infra/train.
func Digests() (skills, languages string) { return skillsModel().Digest, languagesModel().Digest }

// Size returns the size of both models together in bytes.
func Size() int { return len(skillsFile) + len(languagesFile) }

// Read classifies a message that is expected to be in a language, a BCP 47 tag. It takes a fraction of a
// millisecond for a typical message, and reads at most 2,000 bytes of it.
func Read(expected, message string) Reading {
	message = cut(message)
	r := Reading{Language: Language(message, expected)}
	r.Concepts = concept.Names(r.Language, message)
	p, known := skillsModel().Probabilities(classify.Features(message, r.Concepts...))
	copy(r.Skills[:], p)
	copy(r.Acts[:], p[Skills:])
	r.Known = known
	return r
}

// maxMessage is the maximum number of bytes of a message that are read: its first and last half of them.
const maxMessage = 2000

func cut(message string) string {
	if len(message) <= maxMessage {
		return message
	}
	return message[:maxMessage/2] + " " + message[len(message)-maxMessage/2:]
}
