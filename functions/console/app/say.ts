// Sentences with something put into them.

/** Fills the places of a sentence, which are names in braces: say("Remove {name}", { name }). */
export function say(sentence: string, values: Record<string, unknown> = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (place, name) => name in values ? String(values[name]) : place);
}
