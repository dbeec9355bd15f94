// The form before the chat, which asks for what the business wants to know of a visitor.
import { element } from "./markup.js";

const fields = [
  ["name", { type: "text", autocomplete: "name", maxLength: 200 }],
  ["email", { type: "email", autocomplete: "email", maxLength: 254 }],
  ["phone", { type: "tel", autocomplete: "tel", placeholder: "+", pattern: "\\+[0-9 ()\\/.\\-]{7,24}" }],
];

// form returns the form, or nothing where the business asks for nothing. `done` gets what was entered, by field.
export function form({ texts, ...config }, done) {
  const inputs = {};
  const rows = [];
  for (const [name, properties] of fields) {
    const wanted = config[`form_${name}`];
    if (wanted !== "optional" && wanted !== "required") continue;
    const input = element("input", { name, dir: "auto", required: wanted === "required", ...properties });
    inputs[name] = input;
    const label = wanted === "optional" ? `${texts[name]} (${texts.optional})` : texts[name];
    rows.push(element("label", {}, element("span", { textContent: label }), input));
  }
  if (!rows.length) return [];
  const error = element("p", { role: "alert" });
  const submit = element("button", { className: "send", type: "submit", textContent: texts.begin });
  const shown = element("form", { className: "before", ariaLabel: texts.form }, element("p", { textContent: texts.form }), ...rows, error, submit);
  shown.onsubmit = async (event) => {
    event.preventDefault();
    submit.disabled = true;
    error.textContent = "";
    const given = {};
    for (const [name, input] of Object.entries(inputs)) {
      const value = name === "phone" ? input.value.replace(/[^+\d]/g, "") : input.value.trim();
      if (value) given[name] = value;
    }
    try {
      await done(given);
    } catch (failure) {
      error.textContent = texts.failed;
      inputs[failure.field]?.focus();
    }
    submit.disabled = false;
  };
  return [shown];
}
