package language

// Lists of words and phrases are separated by commas and written in any spelling: they are compared folded
// or by stem. Semicolons separate groups, whose order is documented at the field.

// Script describes how a language is written.
type Script struct {
	// Stop lists the stop words, in lower case, folded, separated by spaces: articles, pronouns,
	// prepositions, auxiliary and question words, and courtesies. It includes spellings without
	// apostrophes.
	Stop string
	// Keep has the accented letters that are separate letters of the alphabet and are not folded.
	Keep string
	// Elides reports whether an apostrophe separates two words (l'heure, Ankara'da).
	Elides bool
	// Whole lists words of concepts that are not recognised within compounds, since many other words begin
	// or end with them by chance ("ringa" in "förklaring").
	Whole string
}

// Times holds the words for days, times and durations. A phrase may be in several fields.
type Times struct {
	MonthFirst bool // 5/3 is 3 May for a business in America
	NextWeek   bool // next Friday is in the next week, not the first one from today
	Compounds  bool // a day and a part of the day are written as one word

	Relative string // today; tomorrow; the day after tomorrow; yesterday
	Weekdays string // Monday to Sunday; the first of each group is how it is written, as with months
	Brief    string // Monday to Sunday, abbreviations that can also be other words
	Months   string // January to December
	Numbers  string // 0 to 12; 15; 20; 25; 30
	Parts    string // morning; midday; afternoon; evening; night

	HalfHour  string // half an hour with the word for "from now"; without it
	One       string // an article before a unit
	Next      string // next
	This      string // this
	Week      string // a week; next week
	Weekend   string
	Workdays  string // Monday to Friday
	Everyday  string // all days
	Minute    string
	Hour      string
	Day       string
	Month     string
	Noon      string
	On        string // the number of a day of the month follows
	Ordinal   string // makes the number before it an ordinal
	Soonest   string
	Closed    string
	Always    string // around the clock
	Both      string // between two times or days of a list
	At        string // a time of day follows
	Oclock    string // follows a time of day
	Am        string // makes the hour before it am
	Pm        string // makes the hour before it pm
	HalfTo    string // half an hour before the hour that follows
	HalfPast  string // half an hour after the hour that follows
	QuarterTo string // a quarter of an hour before the hour that follows

	QuarterPast string // a quarter of an hour after the hour that follows
	AndHalf     string // half an hour after the hour before it
	AndQuarter  string // a quarter of an hour after the hour before it
	LessQuarter string // a quarter of an hour before the hour before it
	And         string // minutes follow, after the hour before it
	Less        string // minutes follow, before the hour before it
	Past        string // between minutes and the hour that they are after
	To          string // between minutes and the hour that they are before
	From        string // a period begins
	Until       string // a period ends
	After       string // not before
	Before      string // not after
	In          string // before a duration from now
	Hence       string // after a duration from now
	Previous    string // previous
	Sooner      string // after a duration before a time that was mentioned
	Portion     string // the beginning of a week or month; its end
	// two weeks
	Fortnight string `may:"lack"`
	// the 1st to the 31st of a month, in words
	DayWords string `may:"lack"`
}

// Hours holds the words of opening hours, other than days and times. Labels of hours that apply only to a
// part or a service of the business are grouped by it.
type Hours struct {
	Own string // labels of the hours of the business itself

	Emergency, Phone, Reception, Kitchen, Delivery, Online, Workshop string

	Breakfast string // labels of amenities: breakfast, a bar, a pool, parking
	Arrange   string // by appointment
	Meals     string // lunch and dinner, which can be all the opening hours
	Season    string // before hours of a season
	Besides   string // before days that are excluded
	Break     string // before a time when the business is closed
}

// Talk holds the words of greetings, questions, thanks and complaints.
type Talk struct {
	Greeting string
	Goodbye  string
	Thanks   string
	Filler   string // said with courtesies, without a meaning of its own
	Light    string // a general word that hardly narrows a question down, such as "do", "have" and "possible"

	// Human lists requests for a person. A HumanVerb and a HumanNoun close together are a request, too, if
	// one of HumanWith is before the noun; HumanWith is empty in a language that uses endings instead.
	Human     string
	HumanVerb string
	HumanWith string
	HumanNoun string
	Not       string // negates a request

	Complaint string
	Booking   string
	Pricing   string

	Who, When, Where, HowMany string // question words by what they ask for; longer phrases take precedence

	FollowUp string // begins a message that continues the one before it
	Hearsay  string // names a source of information, which is not part of the question
	Related  string // groups of words that mean the same at a front desk
}

// Requests holds the words with which people answer, refuse, ask for something, or introduce themselves.
type Requests struct {
	Yes, No  string // as answers
	Cancel   string // cancels what was begun
	Courtesy string // has no meaning of its own

	Contact string // surrounds a name, an address or a number without a further meaning
	Name    string // before the speaker's name
	Prefer  string // before what the speaker prefers, or cannot have

	WhoAreYou string
	Open, Now string // "Are you open now?" has one of each

	Have  string // asks whether the business sells something
	Order string // wants to buy
	Want  string // wants something

	// Titles are names of the business's fields and words that people ask for them with: opening hours;
	// address; e-mail address; phone number; website; services; offers.
	Titles string
}

// Bookings holds the words about appointments.
type Bookings struct {
	Noun, Cancel, Move string
	Ordinals           string // the first; the second; the third
	Last               string
	Mine               string // before the noun, or its form, if the appointment is the contact's own
	Instead            string // after a booking: another time is wanted instead
	Same               string // the time of day stays the same
	// before the number of people; the same for a table
	PartyBefore string `may:"lack"`
	PartyAfter  string // after the number of people
	Kin         string // relatives that somebody may book for
}

// Speech holds the words with which people continue a conversation.
type Speech struct {
	Come   string // wants to come, without a word for an appointment
	Lead   string // before the speaker's name, or that of the person an appointment is for
	Person string // refers to a person that was mentioned
	Back   string // refers to something that was mentioned
	Under  string // before a maximum price
	Over   string // before a minimum price

	Cheaper, Cheapest, Dearest string // compare prices of several things
	Products                   string // all that is sold
	Speak                      string // asks whether a language is spoken
}

// Dates holds the formats of days and times.
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

// Amounts holds the format of numbers and prices.
type Amounts struct {
	Thousands     string // separates groups of three digits; "space" is a non-breaking one
	Point         string // before decimals
	CurrencyFirst bool   // the currency is before the amount
}

// Voice holds the texts of the built-in engine. In Welcome, %s is the name of the business. The sentences
// are short, since a reply may be limited to 50 characters.
type Voice struct {
	Greeting, Welcome, Goodbye, Thanks, Fallback, Handoff, Complaint string
}

// Replies holds the texts of the assistant. They suit every tone: they address nobody familiarly or
// formally. The comments list the values for %s, in order.
type Replies struct {
	Offer    string // offers a person
	Nobody   string // no person can be brought in
	OptedOut string
	AllRight string // after a refusal, or if the contact does not want to continue
	InWords  string // asks for text after a message that cannot be read, such as a picture

	NameOf, Name string // introduces the agent: its name, business's name; its name
	Open, Closed string // right now

	Price     string // product, price
	Costs     string // service, price
	Takes     string // a service; how many minutes
	Have      string // product
	Choice    string // before a list of products
	Ordered   string // product
	AskAll    string // asks for a name and a way to be reached
	AskWay    string // asks for a way to be reached
	Thanks    string // for the given details
	ThanksYou string // the same; name

	Urgent  string // in an emergency
	Call    string // in an emergency; phone
	Sorry   string // after a complaint or sad news
	Pleased string // after praise
	Chat    string // after small talk; business
	Quoted  string // before a quote in another language than that of the conversation
	// QuotedOn is the same with the words that the quote is about.
	QuotedOn string
	Perhaps  string // before a possible answer
	Speaks   string // asked whether the agent speaks a language
	// Languages is said to a message in a language that no agent speaks; the names of those that they do.
	Languages string
	Endonym   string // the name of the language in itself
	NoneOf    string // no product matches

	OpenOn   string // day, hours
	ClosedOn string // day
	Again    string // after a message without words
	Unclear  string // before a repeated question

	Mean       string // asks whether the contact means something, in the business's words
	MeanEither string // asks which of two
	// AskOrder asks for the number of an order whose status is wanted. OrderPassed confirms that it was
	// passed on.
	AskOrder, OrderPassed string
}

// BookingReplies holds the texts of the assistant about appointments; see Replies. Times are written by
// Dates.
type BookingReplies struct {
	Appointment string // the title of an appointment without a service
	Entry       string // title, time
	AskService  string
	Services    string // before a list of services
	AskTime     string
	Offer       string // before a list of times
	Taken       string // time
	FullThen    string
	Full        string
	Confirm     string // title, time
	ForTime     string // time; followed by one of the next three
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
	Party       string // number of people
	Whose       string // asks whose appointment it is if none was found
	PassedOn    string // after the answer to Whose
	Changed     string // title, time
	NoSuchDay   string // for a date that does not exist
	Settled     string // after a yes to a booking or a move
	CalledOff   string // after a yes to a cancellation
}

// Summary holds the texts of the summary for a person who takes over a conversation.
type Summary struct {
	Who     string // name and ways to reach the contact
	NoName  string
	Wants   string // the contact's words
	About   string // the topic, in the business's words
	Tried   string // what the agent has done
	Replied string // number of replies
	Unknown string // questions, in the contact's words
	Mood    string // one of the next four
	Upset   string
	Urgent  string
	// Friendly is for those who say thanks, Calm for everybody else.
	Friendly, Calm string
}

// Widget holds the default texts of a new agent's chat widget.
type Widget struct {
	Button  string
	Welcome string
	Enough  string // the visitor's network has used up the day's messages
}

// Box holds the labels of the chat box.
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
	NewMessage string // scrolls to a message that arrived while the visitor read
	Form       string // above the form before the chat
	Name       string // a field of the form
	Email      string // a field of the form
	Phone      string // a field of the form
	Optional   string // beside a field that may be left empty
	Begin      string // ends the form
	Attach     string // the button that chooses a file
	TooLarge   string // the file is too large
	WrongType  string // the file has a type that is not allowed
	Sources    string // opens the list of an answer's documents
	View       string // opens the page of a product
	Rate       string // asks for a rating at the end
	Thanks     string // for the rating
	Online     string // follows the names of people of the team
	Minutes    string // usual time until a person replies
	Hour       string // the same
	Hours      string // the same
	Day        string // the same
	Powered    string // names the product
}

// Industry holds the defaults of a new agent of an industry. Any field may be empty.
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
