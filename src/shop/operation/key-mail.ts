/** Emails the administrators of the shop about API keys: what an attacker with a key would create first. */
import type { KeyNews } from "../../records/rights/api-keys.ts";
import type { Tx } from "../../store/store.ts";
import { type MailDeps, mailAdmin } from "../mails/mails.ts";

/** Mails them, when there are addresses for it. */
export function mailKeyNews(
  tx: Tx,
  deps: Pick<MailDeps, "outbox" | "clock">,
  { kind, record, actor }: KeyNews,
): Promise<boolean> {
  const { name, scopes } = record;
  return mailAdmin(tx, deps, {
    subject: `API key ${kind}: ${name}`,
    lines: [
      `An administrator (${actor.name}) ${kind} the API key "${name}" with the scopes ${scopes.join(", ")}.`,
      "If you do not know about this, revoke the key under API keys in the console, and end the sessions of that account at the auth center.",
    ],
  });
}
