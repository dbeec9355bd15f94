package platforms

// Answers of Meta's API, as shown in its documentation and in reports of its users.
var (
	RateLimited = refusal(400, "(#130429) Rate limit hit",
		`"type":"OAuthException","code":130429,"error_subcode":2494055`, "Message failed to send because there "+
			"were too many messages sent from this phone number in a short period of time")
	PairLimited = refusal(400, "(#131056) (Business Account, Consumer Account) pair rate limit hit",
		`"type":"OAuthException","code":131056`, "Message failed to send because there were too many messages "+
			"sent from this phone number to the same phone number in a short period of time.")
	Throttled = refusal(429, "(#4) Application request limit reached",
		`"type":"OAuthException","is_transient":true,"code":4`, "")
	Overloaded = refusal(503, "(#131016) Service unavailable", `"type":"OAuthException","code":131016`,
		"A service is temporarily unavailable.")
	WindowClosed = refusal(400, "(#131047) Re-engagement message", `"type":"OAuthException","code":131047`,
		"Message failed to send because more than 24 hours have passed since the customer last replied to "+
			"this number.")
	NoTemplate = refusal(404, "(#132001) Template name does not exist in the translation",
		`"type":"OAuthException","code":132001`, "template name (order_ready) does not exist in en_US")
	WrongParams = refusal(400,
		"(#132000) Number of parameters does not match the expected number of params",
		`"type":"OAuthException","code":132000`,
		"body: number of localizable_params (1) does not match the expected number of params (2)")
	TokenExpired = refusal(401,
		"Error validating access token: Session has expired on Sunday, 01-Mar-26 08:00:00 PST.",
		`"type":"OAuthException","code":190,"error_subcode":463`, "")
	// Broken breaks the connection without an answer after the message was taken.
	Broken = GraphAnswer{}
)

// refusal returns an error of the API with a message, its other fields, and details, or "" for none.
func refusal(status int, message, fields, details string) GraphAnswer {
	if details != "" {
		fields += `,"error_data":{"messaging_product":"whatsapp","details":"` + details + `"}`
	}
	body := `{"error":{"message":"` + message + `",` + fields + `,"fbtrace_id":"Az8or2yhqkZfEZ-_4Qn_Bam"}}`
	return GraphAnswer{status, body}
}
