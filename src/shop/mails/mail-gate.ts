/** Which waiting mails may leave now. */
import type { GatedMail, GateVerdict } from "../../records/outbox.ts";
import type { ReadTx } from "../../store/store.ts";
import { readSmtp } from "../site/settings.ts";
import { type MailKind, mailKinds } from "../site/schema.ts";

/** Tries of one mail before it counts as failed. */
export const MAIL_TRIES = 5;

/** Older emails are held back when SMTP is switched on: their recipients no longer expect them. */
const FRESH_MS = 10 * 60_000;
const HELD =
  "The email was more than 10 minutes old when SMTP was enabled. POST /api/admin/smtp/outbox/{id}/retry sends it";

function isMailKind(kind: string): kind is MailKind {
  return mailKinds.some((known) => known === kind);
}

/** The gate of the shop's outbox, asked just before a mail is sent. */
export async function askMailGate(tx: ReadTx, { kind, wantedAt }: GatedMail): Promise<GateVerdict> {
  const { enabled, enabledAt, notify } = await readSmtp(tx);
  if (isMailKind(kind) && !notify[kind]) return "drop";
  return enabled && wantedAt < enabledAt - FRESH_MS ? { hold: HELD } : "send";
}
