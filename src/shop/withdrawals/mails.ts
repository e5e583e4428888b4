/** Mails about withdrawals: the acknowledgement of receipt on a durable medium (Article 11a(4)), and what was decided. */
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { formatDay, formatTime } from "../base/formats.ts";
import { enqueueTemplate, mailAdmin, paragraph } from "../mails/mails.ts";
import type { TemplateKind } from "../mails/template-kinds.ts";
import type { MailFilling } from "../mails/templates.ts";
import { findWithdrawalWords } from "../mails/withdrawal-words.ts";
import { nameLine } from "../orders/delivery.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { findLines } from "./marks.ts";
import type { WithdrawalRecord } from "./schema.ts";

export type WithdrawalMailKind = Extract<TemplateKind, `withdrawal_${string}`>;

interface WithdrawalMail {
  readonly record: WithdrawalRecord;
  /** Only when it is proved to be the buyer's: its lines are named. */
  readonly order: OrderRecord | undefined;
  readonly note?: string | undefined;
}

/** The withdrawn items, as the buyer described them. */
function describeWhat({ record, order }: WithdrawalMail, whole: string): string {
  const { lines, what } = record;
  if (lines.length === 0 && what === "") return whole;
  const named = order === undefined ? [] : findLines(order, record);
  const texts =
    named.length > 0 && lines.length > 0
      ? named.map(({ line, quantity }) => `${quantity} × ${nameLine(line)}`)
      : lines.map(({ lineId, quantity }) => `${quantity} × ${lineId}`);
  return [...texts, what].filter((text) => text !== "").join("\n");
}

/** Values for the variables of an email about a withdrawal. */
export function toWithdrawalFilling(mail: WithdrawalMail, site: SiteSettings): MailFilling {
  const { record, note = "" } = mail;
  const { words, language } = findWithdrawalWords(record.language);
  const { timeZone } = site;
  const { name, orderNumber: number, email, receivedAt, refundBy, id } = record;
  return {
    values: { shopName: site.name, number, name, refundBy: formatDay(refundBy - 1, timeZone) },
    blocks: {
      note: note === "" ? [] : [paragraph(note)],
      statement: [
        {
          kind: "facts",
          rows: [
            [words.receivedAt, formatTime(receivedAt, { language, timeZone })],
            [words.reference, id],
            [words.name, name],
            [words.order, number],
            [words.what, describeWhat(mail, words.whole)],
            [words.email, email],
          ],
        },
      ],
    },
  };
}

type Deps = Pick<ShopDeps, "outbox" | "clock">;

async function mail(
  tx: Tx,
  { outbox, clock }: Deps,
  {
    kind,
    isDecoy,
    ...about
  }: WithdrawalMail & { readonly kind: WithdrawalMailKind; readonly isDecoy?: boolean },
): Promise<void> {
  const { record } = about;
  const site = await readSite(tx);
  const { language } = findWithdrawalWords(record.language);
  const mail = { kind, language, isDecoy, thread: record.id, to: record.email };
  await enqueueTemplate(tx, { outbox, clock, site }, { ...mail, filling: toWithdrawalFilling(about, site) });
}

/** Acknowledges a withdrawal to its sender, and tells the owner of the shop. */
export async function mailReceived(
  tx: Tx,
  deps: Deps,
  { isDecoy, ...about }: WithdrawalMail & { readonly isDecoy: boolean },
): Promise<void> {
  const { record } = about;
  await mail(tx, deps, { ...about, isDecoy, kind: "withdrawal_received" });
  const { timeZone } = await readSite(tx);
  await mailAdmin(tx, deps, {
    kind: "withdrawal",
    subject: `withdrawal from order ${record.orderNumber}`,
    lines: [
      `${record.name} (${record.email}) withdraws from order ${record.orderNumber}: ${describeWhat(about, "all of it")}`,
      `The money must be refunded by ${formatDay(record.refundBy - 1, timeZone)}.`,
      record.marks.length === 0 ? "" : `Review this first: ${record.marks.join(", ")}.`,
    ],
  });
}

/** Notifies the buyer about the decision. */
export function mailDecided(
  tx: Tx,
  deps: Deps,
  about: WithdrawalMail & { readonly kind: Exclude<WithdrawalMailKind, "withdrawal_received"> },
): Promise<void> {
  return mail(tx, deps, about);
}
