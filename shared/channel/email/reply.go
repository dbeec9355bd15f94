package email

import (
	"strings"
)

// The rules of this file are those of GitHub's email_reply_parser, widened to what mail programs write in
// other languages.

// wrote are the verbs of the lines with which mail programs begin a quotation, as in "On … Ada wrote:".
const wrote = `wrote|writes|schrieb|a écrit|a ecrit|écrit|escribió|escribio|ha ` +
	`scritto|scrive|escreveu|schreef|` +
	`het volgende ` +
	`geschreven|skrev|kirjoitti|napisał|napisała|napisał\(a\)|написал|написала|написал\(а\)|пишет|` +
	`yazdı|a scris|írta|ezt írta|napsal|napísal|έγραψε|كتب|写道|寫道|のメール|작성`

var (
	attributionVerb = pattern(`(?i)(^|[\s>,)"])(` + wrote + `)`)
	attributionDate = pattern(`\d{1,4}\s?[./-]\s?\d{1,2}[./-]\s?\d{2,4}|(19|20)\d\d|[٠-٩]{4}`)
	attributionTime = pattern(`\d{1,2}[:.h]\d{2}|[٠-٩]{1,2}:[٠-٩]{2}`)
	attributionMail = pattern(`[^\s<>]+@[^\s<>]+\.[^\s<>]+`)
	// separator matches the line above a mail that is answered or forwarded.
	separator = pattern(`(?i)^\s*(_{20,}|[-_]{2,}\s*(original message|original appointment|` +
		`ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|mensaje original|` +
		`messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|` +
		`oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|исходное сообщение|özgün ileti|` +
		`mesaj original|eredeti üzenet|forwarded message|weitergeleitete nachricht|message transféré|` +
		`mensaje reenviado|الرسالة الأصلية)\s*[-_]{2,})\s*$`)
	// The fields of a header that is repeated above a mail, in Outlook's languages.
	fieldFrom = pattern(`(?i)^\s*[*_]?(from|von|de|da|van|från|fra|lähettäjä|от|от кого|kimden|` +
		`gönderen|expeditor|feladó|من|od|发件人|差出人)\s?[*_]?\s?[:：]`)
	fieldSent = pattern(`(?i)^\s*[*_]?(sent|date|gesendet|datum|envoyé|enviado|enviado el|fecha|` +
		`inviato|data|verzonden|skickat|sendt|dato|lähetetty|päivämäärä|отправлено|дата|gönderilme ` +
		`tarihi|tarih|` +
		`trimis|küldve|dátum|تاريخ الإرسال|发送时间|送信日時)\s?[*_]?\s?[:：]`)
	fieldTo = pattern(`(?i)^\s*[*_]?(to|an|à|para|a|aan|till|til|vastaanottaja|кому|kime|către|` +
		`címzett|إلى|do|subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|` +
		`тема|konu|subiect|` +
		`tárgy|الموضوع|收件人|主题|宛先|件名)\s?[*_]?\s?[:：]`)
	// deviceLine matches the signature of a device.
	deviceLine = pattern(`(?i)^\s*((sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|sendt|` +
		`lähetetty|отправлено|trimis)\s+(from|via|with|von|mit|aus|depuis|de|à ` +
		`partir|desde|con|da|do|vanaf|från|` +
		`fra|с|из|din)\s+(my |mein|mon |ma |mi |meu |min |mijn |моего |il mio )?.{1,60}|von meine[mr] ` +
		`.{1,40} gesendet|` +
		`get outlook for .{1,40}|.{0,4}outlook für .{1,20} (herunterladen|beziehen)|obtenir outlook ` +
		`pour .{1,20}|` +
		`obtener outlook para .{1,20}|iphone'?(um|m)dan gönderildi|diese nachricht wurde von meinem ` +
		`.{1,60})\s*$`)
)

// maxWrapped is how many lines the introduction of a quotation may take.
const maxWrapped = 3

// ownWords returns the writer's own text, without quoted mail and signature, or "" if there is no other text.
func ownWords(text string) string {
	lines := strings.Split(text, "\n")
	var own []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if strings.HasPrefix(line, ">") {
			continue
		}
		if n, quotes := attribution(lines[i:]); n > 0 {
			if !quotes {
				break // the quotation is not marked, and goes to the end
			}
			i += n - 1
			continue
		}
		if ends(lines, i) {
			break
		}
		own = append(own, lines[i])
	}
	return tidy(strings.Join(own, "\n"))
}

// ends reports whether a signature or a mail that is not marked as quoted begins with a line.
func ends(lines []string, i int) bool {
	line := strings.TrimRight(lines[i], "\r")
	if line == "-- " || line == "--" || separator().MatchString(line) {
		return true
	}
	if deviceLine().MatchString(line) {
		// It is separate, above the quotation or at the end.
		return i == 0 || strings.TrimSpace(lines[i-1]) == "" || i == len(lines)-1
	}
	if !fieldFrom().MatchString(line) {
		return false
	}
	fields := 0
	for _, next := range lines[i+1 : min(len(lines), i+6)] {
		if fieldSent().MatchString(next) || fieldTo().MatchString(next) {
			fields++
		}
	}
	return fields >= 2
}

// attribution returns the number of lines that introduce a quotation at the beginning of lines, 0 for none.
// quotes is set if the quotation after it is marked line by line.
func attribution(lines []string) (n int, quotes bool) {
	joined := ""
	for n = 1; n <= min(maxWrapped, len(lines)); n++ {
		line := strings.TrimSpace(lines[n-1])
		if line == "" || strings.HasPrefix(line, ">") {
			return 0, false
		}
		joined = strings.TrimSpace(joined + " " + line)
		if strings.HasSuffix(joined, ":") || strings.HasSuffix(joined, "：") {
			break
		}
	}
	if n > min(maxWrapped, len(lines)) || len(joined) > 400 || !attributionVerb().MatchString(joined) {
		return 0, false
	}
	for _, line := range lines[n:] {
		if line = strings.TrimSpace(line); line != "" {
			quotes = strings.HasPrefix(line, ">")
			break
		}
	}
	dated := attributionDate().MatchString(joined)
	named := attributionMail().MatchString(joined) || attributionTime().MatchString(joined)
	if quotes && (dated || named) || dated && named {
		return n, quotes
	}
	return 0, false
}
