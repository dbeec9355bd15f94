// The kinds of a playbook that are texts: quick answers, procedures, guidance, roles and stages.
import { say } from "../say";
import { useList } from "../ui";
import { Row } from "../api";
import { Collection } from "./collection";

interface Props { agent: Row }

export const QuickAnswers = ({ agent }: Props) => <Collection agent={agent} kind={{
  name: "quick-answers", title: say("Quick answers"), add: say("Add a quick answer"),
  about: say("Ready answers. In the inbox you insert one by typing / and its shortcut."),
  inputs: [
    { name: "shortcut", label: say("Shortcut"), required: true, max: 50, hint: say("Such as /hours") },
    { name: "title", label: say("Title"), required: true, max: 200 },
    { name: "content", label: say("Text"), kind: "area", required: true, max: 4000 },
  ],
  heading: (r) => r.title, detail: (r) => r.content, marks: (r) => <span class="tag" dir="auto">{r.shortcut}</span>,
}} />;

export function Procedures({ agent }: Props) {
  const actions = useList(`agents/${agent.id}/actions/`);
  return <Collection agent={agent} kind={{
    name: "procedures", title: say("Procedures"), add: say("Add a procedure"),
    about: say("How the assistant handles one kind of concern, step by step."),
    inputs: [
      { name: "name", label: say("Name"), required: true, max: 200 },
      { name: "triggers", label: say("Words of messages that call for it"), kind: "lines", hint: say("One a line, such as money back") },
      { name: "criteria", label: say("When it applies"), kind: "area", max: 2000 },
      { name: "instructions", label: say("What to do, step by step"), kind: "area", max: 8000 },
      { name: "allowed_actions", label: say("Actions that may run meanwhile"), kind: "lines", options: actions.rows?.map((a) => a.name), hint: say("Names, one a line. Empty allows all.") },
    ],
    heading: (r) => r.name, detail: (r) => r.criteria || r.triggers.join(", ") || r.instructions,
  }} />;
}

export function Guidance({ agent }: Props) {
  const roles = useList(`agents/${agent.id}/roles/`), stages = useList(`agents/${agent.id}/journey-stages/`);
  return <Collection agent={agent} kind={{
    name: "guidance", title: say("Guidance"), add: say("Add a rule"),
    about: say("Rules of conduct. Where two contradict each other, the greater priority comes first."),
    inputs: [
      { name: "title", label: say("Title"), required: true, max: 200 },
      { name: "content", label: say("Rule"), kind: "area", required: true, max: 4000 },
      { name: "category", label: say("Category"), max: 100 },
      { name: "priority", label: say("Priority"), kind: "number", value: 0 },
      { name: "roles", label: say("Only in these roles"), kind: "lines", options: roles.rows?.map((r) => r.role_key), hint: say("Keys, one a line. Empty is all of them.") },
      { name: "stages", label: say("Only in these stages"), kind: "lines", options: stages.rows?.map((r) => r.stage_key), hint: say("Keys, one a line. Empty is all of them.") },
    ],
    heading: (r) => r.title, detail: (r) => r.content, marks: (r) => r.category && <span class="tag" dir="auto">{r.category}</span>,
  }} />;
}

export const Roles = ({ agent }: Props) => <Collection agent={agent} kind={{
  name: "roles", title: say("Roles"), add: say("Add a role"),
  about: say("Parts that the assistant plays, such as that of sales."),
  inputs: [
    { name: "role_key", label: say("Key"), required: true, max: 64, hint: say("Letters, digits and the signs _ . -") },
    { name: "name", label: say("Name"), max: 100 },
    { name: "description", label: say("When it is played"), kind: "area", max: 2000 },
    { name: "instructions", label: say("How the assistant behaves in it"), kind: "area", max: 8000 },
  ],
  heading: (r) => r.name || r.role_key, detail: (r) => r.description || r.instructions, marks: (r) => <span class="tag">{r.role_key}</span>,
}} />;

export const Stages = ({ agent }: Props) => <Collection agent={agent} kind={{
  name: "journey-stages", title: say("Stages"), add: say("Add a stage"),
  about: say("Stages on the way from a first question to a purchase and beyond."),
  inputs: [
    { name: "stage_key", label: say("Key"), required: true, max: 64, hint: say("Letters, digits and the signs _ . -") },
    { name: "name", label: say("Name"), max: 100 },
    { name: "instructions", label: say("How the assistant behaves in it"), kind: "area", max: 8000 },
    { name: "order", label: say("Place on the way"), kind: "number", value: 0 },
  ],
  heading: (r) => r.name || r.stage_key, detail: (r) => r.instructions, marks: (r) => <span class="tag">{r.stage_key}</span>,
}} />;
