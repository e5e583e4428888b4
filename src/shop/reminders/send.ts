/** The email to who did not complete a checkout: once, with consent, and never after the order was paid or canceled. */
import type { ReadTx, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { runDue } from "../base/due.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import { toUnsubscribeUrl } from "../mails/unsubscribe-link.ts";
import { nameLine } from "../orders/delivery.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { dropReminders, isStopped } from "./consent.ts";
import { reminders } from "./records.ts";
import { toRestoreUrl } from "./restore-link.ts";

const BATCH = 50;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** Values for the variables of the email. */
export function toReminderFilling(
  order: Pick<OrderRecord, "language" | "lines">,
  {
    site,
    restoreUrl,
    unsubscribe,
  }: {
    readonly site: SiteSettings;
    readonly restoreUrl: string | undefined;
    readonly unsubscribe: string | undefined;
  },
): MailFilling {
  const { words } = findMailWords(order.language);
  const rows = order.lines.map((line): [string, string] => ["", `${line.quantity} × ${nameLine(line)}`]);
  return {
    values: { shopName: site.name },
    blocks: {
      items: [{ kind: "facts", rows }],
      checkoutLink: toLink(words.reminderLink, restoreUrl),
      unsubscribe: [paragraph(words.reminderWhy), ...toLink(words.unsubscribeLink, unsubscribe)],
    },
  };
}

/** Whether the buyer completed another order since. */
async function hasBought(tx: ReadTx, { emailLower, createdAt, id }: OrderRecord): Promise<boolean> {
  const range = { prefix: [emailLower], from: [createdAt], limit: 100 };
  const { items } = await tx.list(orders, "byEmail", range);
  return items.some((order) => order.id !== id && order.paidAt !== undefined);
}

/** Whether an order waits for its buyer still: nothing was paid, and no one canceled it. */
function isLost({ status, amountPaid, amountRefunded, giftCards = [] }: OrderRecord): boolean {
  const held = giftCards.reduce((sum, { amount, isReleased }) => sum + (isReleased ? 0 : amount), 0);
  return (
    (status === "pending_payment" || status === "expired") && amountPaid === held && amountRefunded === 0
  );
}

/** Handles one reminder; of two processes, one finds nothing. */
async function handle(tx: Tx, deps: Deps, id: string): Promise<void> {
  const { box, outbox, publicUrl, clock } = deps;
  const reminder = await tx.get(reminders, id);
  if (reminder === undefined || reminder.dueAt > clock.now()) return;
  await tx.remove(reminders, id);
  const order = await tx.get(orders, id);
  const site = await readSite(tx);
  const restoreUrl = toRestoreUrl({ box, publicUrl }, id);
  if (order === undefined || !site.checkoutReminders.enabled || restoreUrl === undefined) return;
  if (!isLost(order) || (await isStopped(tx, reminder.mailbox)) || (await hasBought(tx, order))) return;
  // Several carts of one evening are one email.
  await dropReminders(tx, reminder.mailbox);
  const kind = "checkout_reminder";
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind, id: reminder.mailbox });
  const filling = toReminderFilling(order, { site, restoreUrl, unsubscribe });
  const { email: to, language } = order;
  await enqueueTemplate(tx, { outbox, clock, site }, { kind, to, language, unsubscribe, filling });
}

/** Creates the job; its result is how many it handled, at most 50. */
export function createReminders(deps: Deps) {
  return {
    run: () =>
      runDue(deps, { of: reminders, index: "byDue", limit: BATCH }, (id) =>
        deps.store.transact((tx) => handle(tx, deps, id)),
      ),
  };
}
