/** The email that asks a buyer for a review: once for an order, with consent, some days after its delivery. */
import { isMailAddress } from "../../kit/mail/mail.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { runDue } from "../base/due.ts";
import { toMailbox } from "../base/mailbox.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import { toUnsubscribeUrl } from "../mails/unsubscribe-link.ts";
import { nameLine } from "../orders/delivery.ts";
import { toOrderAccess } from "../orders/mails.ts";
import { orders } from "../orders/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { toOrderToken } from "../orders/token.ts";
import { isStopped } from "../reminders/consent.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { reviewInvitations, reviews } from "./records.ts";
import { isReceived, toReviewer } from "./reviews.ts";

const DAY_MS = 86_400_000;
const BATCH = 50;
/** An order that was not delivered by then is asked about no more. */
const MOST_DAYS = 180;

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** Notes the consent of an order's buyer, in the transaction that places the order. */
export async function planInvitation(
  tx: Tx,
  { id, createdAt }: Pick<OrderRecord, "id" | "createdAt">,
  { inviteDays }: SiteSettings["reviews"],
): Promise<void> {
  await tx.insert(reviewInvitations, { id, dueAt: createdAt + inviteDays * DAY_MS, createdAt });
}

/** Values for the variables of the email. */
export function toInvitationFilling(
  order: OrderRecord,
  {
    site,
    lines,
    unsubscribe,
    ...deps
  }: Pick<ShopDeps, "box" | "publicUrl"> & {
    readonly site: SiteSettings;
    readonly lines: OrderRecord["lines"];
    readonly unsubscribe: string | undefined;
  },
): MailFilling {
  const { words } = findMailWords(order.language);
  const rows = lines.map((line): [string, string] => ["", nameLine(line)]);
  const orderToken = toOrderToken(deps.box, order);
  const access = toOrderAccess({ order, orderToken }, words, { site, ...deps });
  return {
    values: { shopName: site.name, number: order.number },
    blocks: {
      items: [{ kind: "facts", rows }],
      reviewLink: access.map((part) => (part.kind === "link" ? { ...part, label: words.reviewLink } : part)),
      unsubscribe: [paragraph(words.reviewWhy), ...toLink(words.unsubscribeLink, unsubscribe)],
    },
  };
}

/** The lines whose product the buyer received and has not reviewed, each product once. */
async function listOpen(tx: Tx, box: ShopDeps["box"], order: OrderRecord): Promise<OrderRecord["lines"]> {
  const open: OrderRecord["lines"] = [];
  for (const line of order.lines) {
    const isTwin = open.some(({ productId }) => productId === line.productId);
    if (isTwin || !isReceived(order, line)) continue;
    const known = await tx.by(reviews, "byBuyer", [toReviewer(box, order), line.productId]);
    if (known === undefined) open.push(line);
  }
  return open;
}

/** Handles one; of two processes, one finds nothing. */
async function handle(tx: Tx, deps: Deps, id: string): Promise<void> {
  const { box, outbox, publicUrl, clock } = deps;
  const invitation = await tx.get(reviewInvitations, id);
  const nowMs = clock.now();
  if (invitation === undefined || invitation.dueAt > nowMs) return;
  const order = await tx.get(orders, id);
  const site = await readSite(tx);
  const { isOn, invite, inviteDays } = site.reviews;
  const isEnded = order?.status === "canceled" || order?.status === "expired";
  // Anonymized orders have no address.
  const isOver = order === undefined || isEnded || !isMailAddress(order.email);
  const isLate = nowMs > invitation.createdAt + MOST_DAYS * DAY_MS;
  if (isOver || isLate || !isOn || !invite) {
    await tx.remove(reviewInvitations, id);
    return;
  }
  const { deliveredAt } = order;
  const dueAt = deliveredAt === undefined ? nowMs + DAY_MS : deliveredAt + inviteDays * DAY_MS;
  if (dueAt > nowMs) {
    await tx.put(reviewInvitations, { ...invitation, dueAt });
    return;
  }
  await tx.remove(reviewInvitations, id);
  const mailbox = box.lookup(toMailbox(order.email), "review-invitation");
  const lines = await listOpen(tx, box, order);
  if (lines.length === 0 || publicUrl === "" || (await isStopped(tx, mailbox))) return;
  const kind = "review_invitation";
  const unsubscribe = toUnsubscribeUrl({ box, publicUrl }, { kind, id: mailbox });
  const filling = toInvitationFilling(order, { site, lines, unsubscribe, box, publicUrl });
  const { email: to, language } = order;
  await enqueueTemplate(tx, { outbox, clock, site }, { kind, to, language, unsubscribe, filling });
}

/** Creates the job; its result is how many it handled, at most 50. */
export function createInvitations(deps: Deps) {
  return {
    run: () =>
      runDue(deps, { of: reviewInvitations, index: "byDue", limit: BATCH }, (id) =>
        deps.store.transact((tx) => handle(tx, deps, id)),
      ),
  };
}
