// How appointments are changed, with a way back.
import { patch, Row } from "../api";
import { say } from "../say";
import { toast } from "../ui";

/** The statuses in words, with the colour of each. */
export const statuses = (): Record<string, [string, string]> => ({
  pending: [say("To confirm"), "warn"], confirmed: [say("Confirmed"), "ok"], cancelled: [say("Cancelled"), "danger"], completed: [say("Completed"), ""],
});

/** Changes an appointment and offers to undo it; cancelled and completed ones stay so. */
export async function change(a: Row, to: Row, done: string, changed: () => Promise<void>) {
  await patch(`appointments/${a.id}/`, to);
  const before = Object.fromEntries(Object.keys(to).filter((k) => k in a).map((k) => [k, a[k]]));
  toast(done, to.status === "cancelled" || to.status === "completed" ? undefined : async () => { await patch(`appointments/${a.id}/`, before); await changed(); toast(say("As it was before")); });
  await changed();
}
