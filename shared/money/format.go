package money

import (
	"strconv"
	"strings"

	"frontdesk/shared/language"
)

// Format writes an amount as people do who speak that language, which is a BCP 47 primary tag: "€1,299.90" in
// English, "1.299,90 €" in German. It has the decimals of the currency, and more where the amount does, up to
// four.
func (c Currency) Format(amount float64, tag string) string {
	decimals := c.decimals()
	number := strconv.FormatFloat(amount, 'f', 4, 64)
	for n := 4; n > decimals && strings.HasSuffix(number, "0"); n-- {
		number = strings.TrimSuffix(number, "0")
	}
	whole, fraction, _ := strings.Cut(number, ".")
	a := language.Of(tag).Amounts()
	whole = grouped(whole, strings.Replace(a.Thousands, "space", "\u00a0", 1))
	if fraction != "" {
		whole += a.Point + fraction
	}
	sign := c.sign()
	switch {
	case !a.CurrencyFirst:
		return whole + "\u00a0" + sign
	case sign == string(c):
		return sign + "\u00a0" + whole
	}
	return sign + whole
}

// grouped parts the thousands of a number.
func grouped(whole, with string) string {
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + with + whole[i:]
	}
	return whole
}

// decimals is how many the currency has, after ISO 4217.
func (c Currency) decimals() int {
	switch c {
	case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF",
		"XOF", "XPF":
		return 0
	case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND":
		return 3
	}
	return 2
}

// sign is the currency's own where that is no other's too, else its code. The dollar's own is that of the
// United States.
func (c Currency) sign() string {
	switch c {
	case USD:
		return "$"
	case "EUR":
		return "€"
	case "GBP":
		return "£"
	case "JPY":
		return "¥"
	case "INR":
		return "₹"
	case "TRY":
		return "₺"
	case "RUB":
		return "₽"
	case "KRW":
		return "₩"
	case "UAH":
		return "₴"
	case "ILS":
		return "₪"
	case "BRL":
		return "R$"
	case "PLN":
		return "zł"
	}
	return string(c)
}
