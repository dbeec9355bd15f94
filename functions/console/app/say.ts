// The words of the dashboard in the reader's language. The English sentence in the source is the key; strings/*.json
// hold the translations. Keys are literals, since a test reads them from the sources. This module waits for the
// translations, so everything that imports it may call say at once.
import { ComponentChildren } from "preact";
import { keep, read } from "./storage";

/** The languages that there are, by code, each in its own words. */
export const languages: Record<string, string> = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

const files: Record<string, () => Promise<{ default: Record<string, string> }>> = {
  de: () => import("./strings/de.json", { with: { type: "json" } }), fr: () => import("./strings/fr.json", { with: { type: "json" } }), es: () => import("./strings/es.json", { with: { type: "json" } }),
};

/** The language that was chosen in the settings. Empty where the browser's decides. */
export const chosenLanguage = read("language");

const wanted = [chosenLanguage, ...navigator.languages].map((l) => l.slice(0, 2)).find((l) => languages[l]) ?? "en";
// Without its translations, as after a lost connection, the dashboard is in English.
const translations = await files[wanted]?.().then((file) => file.default, () => null);

/** The language of the dashboard, as a code of two letters. */
export const language = translations ? wanted : "en";
document.documentElement.lang = language;

/** The language for dates and numbers: the browser's own variety of it where it has one, as in de-AT. */
export const locale = navigator.languages.find((l) => l.slice(0, 2) === language) ?? language;

const plurals = new Intl.PluralRules(language);

/** Chooses a language, or the browser's where it is empty, and loads the dashboard again in it. */
export function chooseLanguage(code: string) {
  keep("language", code);
  location.reload();
}

const places = /\{(\w+)\}/;

/** A sentence in the reader's language. Names in braces are filled: say("Remove {name}", { name }). */
export function say(sentence: string, values: Record<string, unknown> = {}): string {
  return (translations?.[sentence] ?? sentence).split(places).map((part, i) => i % 2 ? values[part] ?? `{${part}}` : part).join("");
}

/** One of two sentences, by a number that their place {n} is filled with. */
export function plural(n: number, one: string, other: string, values: Record<string, unknown> = {}): string {
  return say(plurals.select(n) === "one" ? one : other, { ...values, n: n.toLocaleString(locale) });
}

/** A sentence whose places are filled with elements. */
export function mix(sentence: string, elements: Record<string, ComponentChildren>): ComponentChildren[] {
  return (translations?.[sentence] ?? sentence).split(places).map((part, i) => i % 2 ? elements[part] : part);
}
