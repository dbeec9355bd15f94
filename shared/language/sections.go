package language

// Lists of words and phrases have commas between them, in any spelling: they are compared folded or by their
// stems. Semicolons part groups, whose places say what they stand for.

// Script is how a language is written.
type Script struct {
	// Stop lists the stop words, in lower case, folded, with spaces between: articles, pronouns,
	// prepositions, auxiliary and question words, and the courtesies of a message. It includes what people
	// type when they leave apostrophes out.
	Stop string
	// Keep has the accented letters that are letters of their own here, and stay when accents go.
	Keep string
	// Elides tells that an apostrophe parts two words (l'heure, Ankara'da).
	Elides bool
	// Whole lists words of concepts that are taken for no part of a compound, where the language writes
	// compounds as one word: those that many other words begin or end with by chance ("ringa" in
	// "förklaring").
	Whole string
}

// Times is how days, times and lengths of time are said. A phrase can stand in several fields.
type Times struct {
	MonthFirst bool // 5/3 is the third of May where the business is in America
	NextWeek   bool // next Friday is that of the week to come, and not the next one that there is
	Compounds  bool // a day and a part of it are written as one word

	Relative string // today; tomorrow; the day after tomorrow; yesterday
	Weekdays string // Monday to Sunday; the first of each group is how it is written, as with months
	Brief    string // Monday to Sunday, in letters that can be a word as well
	Months   string // January to December
	Numbers  string // 0 to 12; 15; 20; 25; 30
	Parts    string // morning; midday; afternoon; evening; night

	HalfHour  string // half an hour with the word that says from now; without
	One       string // an article before a unit
	Next      string // the one after this
	This      string // this one
	Week      string // a week; the week after this
	Weekend   string
	Workdays  string // Monday to Friday
	Everyday  string // all days
	Minute    string
	Hour      string
	Day       string
	Month     string
	Noon      string
	On        string // the number of a day of the month follows
	Ordinal   string // the number before it is an ordinal
	Soonest   string
	Closed    string
	Always    string // around the clock
	Both      string // between two times or days of a list
	At        string // a time of day follows
	Oclock    string // a time of day stands before
	Am        string // the hour before it is in the first half of the day
	Pm        string // the hour before it is in the second half of the day
	HalfTo    string // half an hour before the hour that follows
	HalfPast  string // half an hour after the hour that follows
	QuarterTo string // a quarter of an hour before the hour that follows

	QuarterPast string // a quarter of an hour after the hour that follows
	AndHalf     string // half an hour after the hour before it
	AndQuarter  string // a quarter of an hour after the hour before it
	LessQuarter string // a quarter of an hour before the hour before it
	And         string // minutes follow, after the hour before it
	Less        string // minutes follow, before the hour before it
	Past        string // minutes stand before it, after the hour that follows
	To          string // minutes stand before it, before the hour that follows
	From        string // a period begins
	Until       string // a period ends
	After       string // not before
	Before      string // not after
	In          string // a length of time follows, from now
	Hence       string // a length of time stands before, from now
}

// Hours is what stands in opening hours beside days and times. The labels of hours that are those of a part
// of the business, or of a service, are grouped by what they are of.
type Hours struct {
	Own string // labels of the hours of the business itself

	Emergency, Phone, Reception, Kitchen, Delivery, Online, Workshop string

	Breakfast string // labels of what guests use beside: breakfast, a bar, a pool, parking
	Arrange   string // by appointment
	Meals     string // lunch and dinner, which can be all the hours of a restaurant
	Season    string // hours of a part of the year follow
	Besides   string // days follow that are left out
	Break     string // a time follows at which the business is closed
}

// Talk is how people greet, ask, thank and complain.
type Talk struct {
	Greeting string
	Goodbye  string
	Thanks   string
	Filler   string // goes along with courtesies and changes nothing
	Light    string // says little of what a question is about, such as "do", "have" and "possible"

	// Human lists requests for a person. A HumanVerb and a HumanNoun close together are one too, when one of
	// HumanWith stands before the noun; a language with an empty HumanWith says that by endings.
	Human     string
	HumanVerb string
	HumanWith string
	HumanNoun string
	Not       string // turns a request round

	Complaint string
	Booking   string
	Pricing   string

	Who, When, Where, HowMany string // question words by what they ask for; longer phrases win

	FollowUp string // begins a message that goes on with the one before it
	Hearsay  string // says where somebody has it from, which is no part of the question
	Related  string // groups of words that stand for the same matter at a front desk
}

// Requests is how people answer, refuse, and say what they want or who they are.
type Requests struct {
	Yes, No  string // as an answer
	Cancel   string // what was begun
	Courtesy string // says nothing by itself

	Contact string // stands around a name, an address or a number, and says nothing beside it
	Name    string // stands before the speaker's name
	Prefer  string // begins what the speaker prefers, or cannot have

	WhoAreYou string
	Open, Now string // "Are you open now?" has one of each

	Have  string // asks for something that the business may sell
	Order string // wants to buy
	Want  string // wants something

	// Titles say what the fields of a business are, with words that people ask with: opening hours; address;
	// e-mail address; phone number; website; services; offers.
	Titles string
}

// Bookings is how people speak of appointments.
type Bookings struct {
	Noun, Cancel, Move string
	Ordinals           string // the first; the second; the third
	Last               string
	Mine               string // stands before the noun, or is its form, where it is the contact's own
	Instead            string // says, behind an appointment that was just made, that another time is wanted
	Same               string // says that the time of the day stays
	// stands before how many people come; the same where a table is spoken of
	PartyBefore string `may:"lack"`
	PartyAfter  string // stands behind how many people come
	Kin         string // whom somebody writes for, by what they are to the writer
}

// Speech is how people go on in a conversation.
type Speech struct {
	Come   string // wants to come by, without a word for an appointment
	Lead   string // stands before the speaker's name, or that of whom an appointment is for
	Person string // stands for a person who was named before
	Back   string // stands for something that was said before
	Under  string // an amount follows that something may cost at most
	Over   string // an amount follows that something is to cost at least

	Cheaper, Cheapest, Dearest string // of several things
	Products                   string // all that is sold
	Speak                      string // asks whether a language is spoken
}

// Dates is how days and times are written.
type Dates struct {
	Moment        string // {day} and {clock}
	MomentAtOne   string `may:"lack"` // the same at one o'clock, where that differs
	Day           string // {weekday}, {number} and {month}
	FirstDay      string `may:"lack"` // the same on the first of a month, where that differs
	Clock         string // half past three in the afternoon, in the form of time.Format: 15:04
	ClockUnit     string `may:"lack"` // follows a time, and the last one of several
	AmericanDay   string `may:"lack"` // Day where the business is in America
	AmericanClock string `may:"lack"` // Clock where the business is in America
}

// Amounts is how numbers and prices are written.
type Amounts struct {
	Thousands     string // parts groups of three digits; "space" is one that breaks no line
	Point         string // stands before decimals
	CurrencyFirst bool   // the currency stands before the amount
}

// Voice is what the built-in engine says of its own. In Welcome %s stands for the name of the business. The
// sentences are short, since a reply may have to keep to 50 characters.
type Voice struct {
	Greeting, Welcome, Goodbye, Thanks, Fallback, Handoff, Complaint string
}

// Replies is what the assistant says of its own. The sentences suit every tone: they address nobody
// familiarly or formally. %s stands for what the comments tell, in that order.
type Replies struct {
	Offer    string // of a person
	Nobody   string // no person can be brought in
	OptedOut string
	AllRight string // to who refuses, or does not want to go on
	InWords  string // to who sent only what cannot be read, such as a picture

	NameOf, Name string // who the agent is: with its name and the business's; with its name
	Open, Closed string // right now

	Price     string // product, price
	Costs     string // service, price
	Takes     string // a service; how many minutes
	Have      string // product
	Choice    string // before a list of products
	Ordered   string // product
	AskAll    string // for a name and a way to be reached
	AskWay    string // for a way to be reached
	Thanks    string // for what was told
	ThanksYou string // the same; name

	Urgent  string // to who is in need
	Call    string // to who is in need; phone
	Sorry   string // to who complains or tells something sad
	Pleased string // to who praises
	Chat    string // to who chats; the business
	Quoted  string // before what is quoted in another language than that of the conversation
	// QuotedOn is the same with the words of the question that it is about.
	QuotedOn string
	Perhaps  string // before what may be the answer to a question
	Speaks   string // to who asks whether the agent speaks its language
	NoneOf   string // of the products fits

	OpenOn   string // day, hours
	ClosedOn string // day
	Again    string // to who writes no word
	Unclear  string // before a question that is put again

	Mean       string // whether the contact means something, in the business's words
	MeanEither string // which of two
	// AskOrder is said to who asks how far an order is, without its number, and OrderPassed to who has told
	// it.
	AskOrder, OrderPassed string
}

// BookingReplies is what the assistant says of appointments, under the rules of Replies. A time is written by
// Dates.
type BookingReplies struct {
	Appointment string // what one is called that is of no service
	Entry       string // title, time
	AskService  string // before a list of services
	AskTime     string
	Offer       string // before a list of times
	Taken       string // time
	FullThen    string
	Full        string
	Confirm     string // title, time
	ForTime     string // time; before one of the next three
	AskDetails  string
	AskReach    string
	AskName     string
	Booked      string // title, time
	Noted       string // title, time
	Dropped     string
	None        string
	Which       string // before a list of appointments
	AskCancel   string // entry
	Cancelled   string // entry
	AskMove     string // entry
	ConfirmMove string // title, time
	Moved       string // title, time
	Kept        string
	Party       string // how many people
	Whose       string // asks who an appointment is for that cannot be found
	PassedOn    string // to who told that
	Changed     string // title, time
	NoSuchDay   string // to who names a day that no calendar has
}

// Summary is what a person of the business is told of a conversation that they take over.
type Summary struct {
	Who     string // name and ways to reach the contact
	NoName  string
	Wants   string // the contact's words
	About   string // what it was about, in the business's words
	Tried   string // what the agent did
	Replied string // how often the agent replied
	Unknown string // questions, in the contact's words
	Mood    string // one of the next four
	Upset   string
	Urgent  string
	// Friendly and Calm are the moods of those who thank, and of everybody else.
	Friendly, Calm string
}

// Widget is what the chat widget of a new agent says.
type Widget struct {
	Button  string
	Welcome string
	Enough  string // the visitor's network has used up the day's messages
}

// Box is the chat box's own words.
type Box struct {
	Input      string
	Send       string
	Close      string
	Typing     string // dots follow
	Arrived    string // the message is stored, and a person will answer
	Failed     string // the message could not be sent
	Hurried    string // too many messages
	Closed     string // the box was switched off meanwhile
	Positive   string // a rating
	Negative   string // a rating
	You        string // the visitor, before what they said
	Person     string // a person of the business whose name is not known
	Earlier    string // loads earlier messages
	NewMessage string // leads down to a message that came while the visitor read
	Form       string // above the form before the chat
	Name       string // a field of the form
	Email      string // a field of the form
	Phone      string // a field of the form
	Optional   string // beside a field that may be left empty
	Begin      string // ends the form
	Attach     string // the button that chooses a file
	TooLarge   string // the file is
	WrongType  string // of the file
	Sources    string // opens the list of documents that an answer draws on
	View       string // leads to the page of a product
	Rate       string // asks for a rating at the end
	Thanks     string // for the rating
	Online     string // follows the names of people of the team
	Minutes    string // how soon a person usually replies
	Hour       string // the same
	Hours      string // the same
	Day        string // the same
	Powered    string // names the product
}

// Industry is what a new agent of an industry begins with. A field may be empty.
type Industry struct {
	Services        []string
	Hours           string
	Greeting        string
	Fallback        string
	Handoff         string
	OutOfHours      string
	Goodbye         string
	CallToAction    string // for sales
	Questions       string // for sales
	Instructions    string
	Restricted      string
	HandoffKeywords string
	UrgentKeywords  string
	OptOutKeywords  string
	Faqs            []string // questions that people ask; the business answers them
}
