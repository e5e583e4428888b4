/** Consents to an email about a checkout that was not completed, and their withdrawal. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { toMailbox } from "../base/mailbox.ts";
import { reminderStops, reminders } from "./records.ts";

const HOUR_MS = 3_600_000;

/** The hash by which a mailbox is known here. */
export function toMailboxHash(box: SecretBox, email: string): string {
  return box.lookup(toMailbox(email), "reminder");
}

/** Stores the consent of an order's buyer. Who consents again has changed their mind about earlier emails. */
export async function rememberConsent(
  tx: Tx,
  box: SecretBox,
  order: { readonly id: string; readonly email: string; readonly createdAt: number },
  hours: number,
): Promise<void> {
  const mailbox = toMailboxHash(box, order.email);
  if ((await tx.get(reminderStops, mailbox)) !== undefined) await tx.remove(reminderStops, mailbox);
  const { id, createdAt } = order;
  await tx.insert(reminders, { id, mailbox, dueAt: createdAt + hours * HOUR_MS, createdAt });
}

export async function isStopped(tx: ReadTx, mailbox: string): Promise<boolean> {
  return (await tx.get(reminderStops, mailbox)) !== undefined;
}

/** Removes the reminders of a mailbox that wait. */
export async function dropReminders(tx: Tx, mailbox: string): Promise<void> {
  const { items } = await tx.list(reminders, "byMailbox", { prefix: [mailbox], limit: 1_000 });
  for (const { id } of items) await tx.remove(reminders, id);
}

/** Unsubscribes a mailbox, or takes that back. */
export async function setStopped(
  tx: Tx,
  mailbox: string,
  { isOn, atMs }: { readonly isOn: boolean; readonly atMs: number },
): Promise<void> {
  const known = await tx.get(reminderStops, mailbox);
  if (isOn && known !== undefined) await tx.remove(reminderStops, mailbox);
  if (isOn) return;
  await dropReminders(tx, mailbox);
  if (known === undefined) await tx.insert(reminderStops, { id: mailbox, at: atMs });
}
