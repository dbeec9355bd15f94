// What a business prepares for its agent's work, a tab for each kind.
import { ComponentType } from "preact";
import { say } from "../say";
import { agent, place } from "../state";
import { NoAgent } from "../ui";
import { Row } from "../api";
import { Products } from "../playbook/products";
import { Guidance, Procedures, QuickAnswers, Roles, Stages } from "../playbook/texts";
import { Funnels } from "../playbook/funnels";
import { Actions } from "../playbook/actions";

const tabs = (): [string, string, ComponentType<{ agent: Row; id: string }>][] => [
  ["products", say("Products"), Products], ["funnels", say("Funnels"), Funnels], ["actions", say("Actions"), Actions],
  ["quick-answers", say("Quick answers"), QuickAnswers], ["procedures", say("Procedures"), Procedures],
  ["guidance", say("Guidance"), Guidance], ["roles", say("Roles"), Roles], ["journey-stages", say("Stages"), Stages],
];

export default function Playbook() {
  const a = agent.value;
  if (!a) return <NoAgent icon="playbook" />;
  const all = tabs();
  const [name, , Tab] = all.find((t) => t[0] === place.value.id) ?? all[0];
  return <div class="page"><div class="inner">
    <header class="tight"><h1>{say("Playbook")}</h1><p class="muted">{say("What your assistant offers, how it behaves, and what happens by itself.")}</p></header>
    <nav class="tabs" aria-label={say("Playbook")}>{all.map(([key, label]) => <a key={key} href={"#/playbook/" + key} aria-current={key === name ? "page" : undefined}>{label}</a>)}</nav>
    <Tab key={a.id + name} agent={a} id={place.value.sub} />
  </div></div>;
}
