// Package language holds what the product knows of the languages that it speaks: the words that people use,
// and the sentences that agents say. A language is one folder, named by its BCP 47 primary tag, with the
// files
//
//   - words.txt: what people write, as far as it belongs to closed classes or set phrases;
//   - texts.txt: what agents say, and how dates and amounts are written;
//   - industries.txt, where it has one: what new agents of an industry begin with;
//   - concepts.txt: the concepts of a front desk, with the words that stand for them;
//   - phrasings.txt: what people write to ask for what an agent can do. Agents do not read it: infra/train learns from it,
//     and writes the models of shared/understand.
//
// A file has sections, headed [name], of entries "key: value". An indented line goes on with the value above
// it. A line that begins with # is a comment. The sections and keys are those of the types here, in lower
// case with underscores. Every language has every key; one that has nothing for a key says so by leaving the
// value empty.
//
// Nothing is read when a process starts: a section is read when it is first asked for.
package language

import "strings"

// Default is the language that stands in for one that the product does not speak.
const Default = "en"

// A Language gives access to the sections of one language. It is safe for concurrent use.
type Language struct {
	tag string

	script   section[Script]
	times    section[Times]
	hours    section[Hours]
	talk     section[Talk]
	requests section[Requests]
	bookings section[Bookings]
	speech   section[Speech]
	dates    section[Dates]
	amounts  section[Amounts]
	familiar section[Voice]
	polite   section[Voice]
	replies  section[Replies]
	booked   section[BookingReplies]
	summary  section[Summary]
	widget   section[Widget]
	box      section[Box]
}

// all has the languages, Default first. A folder of the same name holds each. The compiler lays the table
// out.
var all = [...]Language{
	{tag: "en"}, {tag: "es"}, {tag: "fr"}, {tag: "de"}, {tag: "it"}, {tag: "pt"}, {tag: "nl"}, {tag: "sv"},
	{tag: "da"}, {tag: "no"}, {tag: "fi"}, {tag: "ro"}, {tag: "hu"}, {tag: "ru"}, {tag: "tr"}, {tag: "ar"},
}

// Tags returns the languages as BCP 47 primary tags, Default first. The caller owns the slice.
func Tags() []string {
	tags := make([]string, len(all))
	for i := range all {
		tags[i] = all[i].tag
	}
	return tags
}

// Primary returns the primary part of a BCP 47 tag in lower case: "pt" of "pt-BR".
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// Find returns a language by its BCP 47 tag, of which only the primary part counts; nil for one that the
// product does not speak.
func Find(tag string) *Language {
	for range 2 {
		for i := range all {
			if all[i].tag == tag {
				return &all[i]
			}
		}
		tag = Primary(tag)
	}
	return nil
}

// Of is Find with Default in the place of a language that the product does not speak. It is never nil.
func Of(tag string) *Language {
	if l := Find(tag); l != nil {
		return l
	}
	return Find(Default)
}

// Tag is the BCP 47 primary tag.
func (l *Language) Tag() string { return l.tag }

// Script is how the language is written.
func (l *Language) Script() *Script { return l.script.read(l.tag, words, "script") }

// Times is how days, times and lengths of time are said.
func (l *Language) Times() *Times { return l.times.read(l.tag, words, "times") }

// Talk is how people greet, ask, thank and complain.
func (l *Language) Talk() *Talk { return l.talk.read(l.tag, words, "talk") }

// Requests is how people answer, refuse, and say what they want or who they are.
func (l *Language) Requests() *Requests { return l.requests.read(l.tag, words, "requests") }

// Bookings is how people speak of appointments.
func (l *Language) Bookings() *Bookings { return l.bookings.read(l.tag, words, "bookings") }

// Speech returns how people go on in a conversation.
func (l *Language) Speech() *Speech { return l.speech.read(l.tag, words, "speech") }

// Hours is what stands in opening hours beside days and times.
func (l *Language) Hours() *Hours { return l.hours.read(l.tag, words, "hours") }

// Dates is how days and times are written.
func (l *Language) Dates() *Dates { return l.dates.read(l.tag, texts, "dates") }

// Amounts is how numbers and prices are written.
func (l *Language) Amounts() *Amounts { return l.amounts.read(l.tag, texts, "amounts") }

// Voice is what the built-in engine says of its own, politely or familiarly.
func (l *Language) Voice(polite bool) *Voice {
	if polite {
		return l.polite.read(l.tag, texts, "polite")
	}
	return l.familiar.read(l.tag, texts, "familiar")
}

// Replies is what the assistant says of its own.
func (l *Language) Replies() *Replies { return l.replies.read(l.tag, texts, "replies") }

// BookingReplies is what the assistant says of appointments.
func (l *Language) BookingReplies() *BookingReplies {
	return l.booked.read(l.tag, texts, "booking_replies")
}

// Summary is what a person is told of a conversation that they take over.
func (l *Language) Summary() *Summary { return l.summary.read(l.tag, texts, "summary") }

// Widget is what the chat widget of a new agent says.
func (l *Language) Widget() *Widget { return l.widget.read(l.tag, texts, "widget") }

// Box is the chat box's own words.
func (l *Language) Box() *Box { return l.box.read(l.tag, texts, "box") }

// Industry is what new agents of an industry begin with, by the industry's name in the API. What it leaves
// empty is that of the industry "common"; all of it is empty where the language has no texts for industries.
func (l *Language) Industry(name string) Industry {
	var found Industry
	fill(&found, l.tag, industries, name)
	return found
}
