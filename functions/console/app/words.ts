// The API's values in words.
import { say } from "./say";

const words: Record<string, string> = {
  owner: say("owner"), admin: say("admin"), agent: say("agent"),
  friendly: say("friendly"), professional: say("professional"), casual: say("casual"), formal: say("formal"), enthusiastic: say("enthusiastic"), empathetic: say("empathetic"),
  draft: say("draft"), active: say("active"), paused: say("paused"), archived: say("archived"),
  low: say("low"), normal: say("normal"), high: say("high"), urgent: say("urgent"),
  lead: say("lead"), prospect: say("prospect"), customer: say("customer"), churned: say("lost"),
  open: say("open"), resolved: say("resolved"), closed: say("closed"), pending: say("to confirm"), confirmed: say("confirmed"), cancelled: say("cancelled"), completed: say("completed"),
  webchat: say("website"), whatsapp: "WhatsApp", sms: "SMS", email: say("e-mail"), instagram: "Instagram", messenger: "Messenger", api: "API",
  manual: say("taken over"), requested: say("asked for a person"), complaint: say("complaint"), declined: say("no answer known"),
  keyword: say("certain word"), action: say("action"), funnel: say("funnel"),
  general: say("general"), restaurant: say("restaurant"), retail: say("retail"), real_estate: say("real estate"), healthcare: say("healthcare"), beauty: say("beauty"),
  fitness: say("fitness"), legal: say("legal"), education: say("education"), hospitality: say("hospitality"), automotive: say("automotive"),
  home_services: say("home services"), finance: say("finance"), travel: say("travel"), technology: say("technology"),
};

/** The word for a value of the API, or the value itself where there is none, without underscores. */
export const word = (value: string) => words[value] ?? value.replace(/_/g, " ");

/** A word with a capital at its beginning, for where it stands alone. */
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
