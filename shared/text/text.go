// Package text splits text into words and sentences, in all supported languages, and shortens it at suitable
// places.
//
// Indexing and searching must use the same [Tokens] with the same language.
package text
