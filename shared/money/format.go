package money

import (
	"strconv"
	"strings"

	"frontdesk/shared/language"
)

// Format formats an amount for a language, a BCP 47 primary tag: "€1,299.90" in English, "1.299,90 €" in
// German. It has the currency's number of decimals, or up to four if the amount needs them.
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

// grouped separates the thousands of a number.
func grouped(whole, with string) string {
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + with + whole[i:]
	}
	return whole
}

// decimals returns the currency's number of decimals by ISO 4217.
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

// sign returns the currency's sign if no other currency uses it, otherwise its code. "$" is the US dollar's.
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
