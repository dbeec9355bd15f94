// Package language holds everything that is specific to a language: the words that people use, and the
// texts of agents. Each language is a folder, named by its BCP 47 primary tag, with these files:
//
//   - words.txt: what people write, as far as it is a closed class of words or a set phrase;
//   - texts.txt: what agents say, and how dates and amounts are written;
//   - industries.txt (optional): the defaults of new agents of an industry;
//   - concepts.txt: the concepts of a front desk, with the words for them. infra/concepts compiles it into
//     the tables that agents use (make concepts);
//   - phrasings.txt: what people write to ask for what an agent can do. Agents do not read it: infra/train
//     trains the models of shared/understand with it.
//
// A file has sections, headed [name], of entries "key: value". An indented line continues the value above
// it. A line that begins with # is a comment. The sections and keys are the types and fields here, in lower
// case with underscores. Every language has every key; the value is empty if it has nothing for it.
//
// Nothing is read when a process starts: each section is parsed when it is first used.
package language

import "strings"

// Default is the fallback for languages that the product does not support.
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

// all lists the languages, Default first, each with a folder of the same name. The compiler lays the table
// out, so it costs no start time.
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

// Primary returns the primary part of a BCP 47 tag in lower case: "pt" for "pt-BR".
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	return strings.ToLower(tag)
}

// Find returns the language of a BCP 47 tag, of which only the primary part counts, or nil if the product
// does not support it.
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

// Of is like Find, but returns Default for an unsupported language. It is never nil.
func Of(tag string) *Language {
	if l := Find(tag); l != nil {
		return l
	}
	return Find(Default)
}

// Tag returns the BCP 47 primary tag.
func (l *Language) Tag() string { return l.tag }

// Script describes how the language is written.
func (l *Language) Script() *Script { return l.script.read(l.tag, words, "script") }

// Times returns the words for days, times and durations.
func (l *Language) Times() *Times { return l.times.read(l.tag, words, "times") }

// Talk returns the words of greetings, questions, thanks and complaints.
func (l *Language) Talk() *Talk { return l.talk.read(l.tag, words, "talk") }

// Requests returns the words with which people answer, refuse, ask for something, or introduce themselves.
func (l *Language) Requests() *Requests { return l.requests.read(l.tag, words, "requests") }

// Bookings returns the words about appointments.
func (l *Language) Bookings() *Bookings { return l.bookings.read(l.tag, words, "bookings") }

// Speech returns the words with which people continue a conversation.
func (l *Language) Speech() *Speech { return l.speech.read(l.tag, words, "speech") }

// Hours returns the words of opening hours, other than days and times.
func (l *Language) Hours() *Hours { return l.hours.read(l.tag, words, "hours") }

// Dates returns the formats of days and times.
func (l *Language) Dates() *Dates { return l.dates.read(l.tag, texts, "dates") }

// Amounts returns the format of numbers and prices.
func (l *Language) Amounts() *Amounts { return l.amounts.read(l.tag, texts, "amounts") }

// Voice returns the texts of the built-in engine, in polite or familiar form.
func (l *Language) Voice(polite bool) *Voice {
	if polite {
		return l.polite.read(l.tag, texts, "polite")
	}
	return l.familiar.read(l.tag, texts, "familiar")
}

// Replies returns the texts of the assistant.
func (l *Language) Replies() *Replies { return l.replies.read(l.tag, texts, "replies") }

// BookingReplies returns the texts of the assistant about appointments.
func (l *Language) BookingReplies() *BookingReplies {
	return l.booked.read(l.tag, texts, "booking_replies")
}

// Summary returns the texts of the summary for a person who takes over a conversation.
func (l *Language) Summary() *Summary { return l.summary.read(l.tag, texts, "summary") }

// Widget returns the default texts of a new agent's chat widget.
func (l *Language) Widget() *Widget { return l.widget.read(l.tag, texts, "widget") }

// Box returns the labels of the chat box.
func (l *Language) Box() *Box { return l.box.read(l.tag, texts, "box") }

// Industry returns the defaults of new agents of an industry, by its name in the API. Empty fields are
// those of the industry "common"; all are empty if the language has no texts for industries.
func (l *Language) Industry(name string) Industry {
	var found Industry
	fill(&found, l.tag, industries, name)
	return found
}
