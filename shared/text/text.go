// Package text reads what people write: it cuts text into words and sentences, in every language of the
// product, and shortens text without breaking it.
//
// Whoever indexes text and whoever searches it must use the same [Tokens], with the same language.
package text
