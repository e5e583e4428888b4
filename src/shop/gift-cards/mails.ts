/** The email that brings a gift card to its recipient. */
import type { Store, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { runDue } from "../base/due.ts";
import { formatAmount } from "../base/money.ts";
import { formatTime } from "../base/formats.ts";
import { findMailWords } from "../mails/mail-words.ts";
import { enqueueTemplate, paragraph, toLink } from "../mails/mails.ts";
import type { MailFilling } from "../mails/templates.ts";
import type { SiteSettings } from "../site/schema.ts";
import { readSite } from "../site/settings.ts";
import { openCode } from "./issue.ts";
import { giftCards } from "./records.ts";
import type { GiftCardRecord } from "./schema.ts";

const BATCH = 50;

type Shown = Pick<
  GiftCardRecord,
  "balance" | "currency" | "expiresAt" | "message" | "recipientName" | "language"
> & { readonly code: string };

/** Values for the variables of the email. */
export function toGiftFilling(
  { balance, currency, expiresAt, message = "", recipientName = "", language: wanted = "en", code }: Shown,
  { site, publicUrl }: { readonly site: SiteSettings; readonly publicUrl: string },
): MailFilling {
  const { words, language } = findMailWords(wanted);
  const amount = formatAmount(balance, currency, language);
  const rows: [string, string][] = [[words.giftAmount, amount]];
  if (expiresAt !== undefined)
    rows.push([words.giftExpires, formatTime(expiresAt, { language, timeZone: site.timeZone })]);
  return {
    values: { shopName: site.name, amount, name: recipientName },
    blocks: {
      message: message === "" ? [] : [paragraph(message)],
      code: [{ kind: "goods", title: words.giftCode, values: [code] }],
      details: [{ kind: "facts", rows }],
      shopLink: toLink(words.giftUse, publicUrl === "" ? undefined : `${publicUrl}/`),
    },
  };
}

type Deps = Pick<ShopDeps, "box" | "outbox" | "publicUrl" | "clock">;

/** Queues the email of a card that waits for it; of a card that cannot pay any longer, none leaves. */
async function mailCard(tx: Tx, deps: Deps, id: string): Promise<void> {
  const { box, outbox, publicUrl, clock } = deps;
  const card = await tx.get(giftCards, id);
  const nowMs = clock.now();
  if (card?.mailAt === undefined || card.mailAt > nowMs) return;
  const { mailAt: _mailAt, ...rest } = card;
  const code = openCode(box, card);
  const { recipientEmail: to, disabledAt, balance } = card;
  if (code === undefined || to === undefined || disabledAt !== undefined || balance === 0) {
    await tx.put(giftCards, { ...rest, updatedAt: nowMs });
    return;
  }
  await tx.put(giftCards, { ...rest, mailedAt: nowMs, updatedAt: nowMs });
  const site = await readSite(tx);
  const filling = toGiftFilling({ ...card, code }, { site, publicUrl });
  const { language = "en" } = card;
  await enqueueTemplate(tx, { outbox, clock, site }, { kind: "gift_card", to, language, filling });
}

/** Creates the job: each card's email leaves once, on its day. Resolves with how many, at most 50. */
export function createGiftMails(deps: Deps & { readonly store: Store }) {
  return {
    run: () =>
      runDue(deps, { of: giftCards, index: "byMail", limit: BATCH }, (id) =>
        deps.store.transact((tx) => mailCard(tx, deps, id)),
      ),
  };
}
