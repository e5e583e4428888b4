/** Fills a shop with the demo's goods, orders and conversations, through its API. */
import type { Api } from "./api.ts";
import { stockUp } from "./stock-up.ts";
import { talk, trade } from "./trade.ts";

export interface FillOptions {
  /** Fill it although it has products or orders: its settings stay as they are. */
  readonly isAdding?: boolean;
  readonly say: (text: string) => void;
  /** Headers of a signed-in user; without it there are no conversations. */
  readonly signIn?: (name: string) => Promise<Readonly<Record<string, string>>>;
}

interface Found {
  readonly items: readonly unknown[];
}

/** @throws Error when the shop is not empty, or would send mails */
async function assertMayFill(api: Api, isAdding: boolean): Promise<void> {
  const { enabled } = await api.admin<{ enabled: boolean }>("GET", "/api/admin/smtp");
  if (enabled)
    throw new Error(
      "This shop sends mails, and the demo's customers have none to read them: switch SMTP off first",
    );
  if (isAdding) {
    const { currency } = await api.admin<{ currency: string }>("GET", "/api/admin/site");
    if (currency !== "EUR") throw new Error(`The demo's prices are in EUR; this shop sells in ${currency}`);
    return;
  }
  for (const what of ["products", "orders"]) {
    const { items } = await api.admin<Found>("GET", `/api/admin/${what}?limit=1`);
    if (items.length > 0)
      throw new Error(
        `This shop has ${what} already. Start an empty one, or add --add to fill it all the same`,
      );
  }
}

/** Switches the demo payment on unless it is on; resolves with what leaves it as it was. */
async function openDemoPayment(api: Api): Promise<() => Promise<void>> {
  const { items } = await api.ask<{ items: readonly { word: string }[] }>("GET", "/api/site/payment-methods");
  if (items.some(({ word }) => word === "demo")) return () => Promise.resolve();
  const change = (enabled: boolean): Promise<void> =>
    api.admin("PATCH", "/api/admin/site/providers/demo", { json: { enabled } });
  await change(true);
  return () => change(false);
}

/** Does it all. @throws Error in words for people */
export async function fillShop(api: Api, { isAdding = false, say, signIn }: FillOptions): Promise<void> {
  await assertMayFill(api, isAdding);
  // First, since a shop that people reach by https refuses it.
  const close = await openDemoPayment(api);
  try {
    const stocked = await stockUp(api, { isNew: !isAdding, say });
    say(`${await trade(api, stocked)} orders of seven customers, in all states that a day has`);
    if (signIn === undefined) return;
    await talk(api, stocked, signIn);
    say("Two conversations in the chat");
  } finally {
    await close();
  }
}
