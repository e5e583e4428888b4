/** Sales of a fixture beyond single products: licenses that renew, gift cards that are spent and given back, reviews, discounts. */
import { z } from "zod";
import { addProduct, attempt, sell } from "./attempt.ts";
import type { Urls } from "./notes.ts";

const listSchema = z.object({ items: z.array(z.looseObject({ id: z.string() })) });

async function list(url: string): Promise<readonly string[]> {
  const page = listSchema.safeParse(await attempt({ method: "GET", url }));
  return page.success ? page.data.items.map(({ id }) => id) : [];
}

/** Two subscriptions, one of which is canceled. */
async function driveSubscriptions(shop: string): Promise<void> {
  const renewal = { every: "month", count: 1, price: 900, graceDays: 5 };
  const productId = await addProduct(shop, {
    title: "Desk by the month",
    price: 2_900,
    deliveryType: "auto_secret",
    stockMode: "unlimited",
    license: { keys: "generated", pattern: "MONTH-{random:6}-{random:6}", renewal },
  });
  if (productId === undefined) return;
  for (const name of ["renews", "ends"]) await sell(shop, [{ productId, quantity: 1 }], { name });
  const [first] = await list(`${shop}/api/admin/subscriptions`);
  if (first !== undefined)
    await attempt({ method: "POST", url: `${shop}/api/admin/subscriptions/${first}/cancel`, body: {} });
}

/** Four cards: one pays in part, one is adjusted, one is disabled, and one is given back. */
async function driveGiftCards(shop: string, parcelId: string | undefined): Promise<void> {
  const cardId = await addProduct(shop, {
    title: "Gift card",
    price: 5_000,
    deliveryType: "gift_card",
    stockMode: "unlimited",
  });
  if (cardId === undefined) return;
  const sold = await sell(shop, [{ productId: cardId, quantity: 4 }], { name: "cards" });
  if (sold === undefined) return;
  const cards = `${shop}/api/admin/gift-cards`;
  const [spent = "", adjusted = "", disabled = ""] = await list(`${cards}?orderId=${sold.id}`);
  const shown = await attempt({ method: "GET", url: `${cards}/${spent}/code` });
  const code = z.object({ code: z.string() }).safeParse(shown).data?.code;
  if (code !== undefined && parcelId !== undefined)
    await sell(shop, [{ productId: parcelId, quantity: 1 }], { name: "by card", giftCardCodes: [code] });
  const adjustment = { amount: -500, reason: "phone order" };
  await attempt({ method: "POST", url: `${cards}/${adjusted}/adjust`, body: adjustment });
  await attempt({ method: "PATCH", url: `${cards}/${disabled}`, body: { disabled: true } });
  const url = `${shop}/api/admin/orders/${sold.id}`;
  const order = z
    .object({ lines: z.array(z.object({ id: z.string() })) })
    .safeParse(await attempt({ method: "GET", url }));
  const lines = [{ lineId: order.data?.lines[0]?.id, quantity: 1 }];
  if (order.success)
    await attempt({ method: "POST", url: `${url}/refund`, body: { lines, reference: "one card" } });
}

/** A review that is published and answered, and one that waits. */
async function driveReviews(shop: string): Promise<void> {
  const site = { reviews: { isOn: true, moderation: "before" } };
  await attempt({ method: "PATCH", url: `${shop}/api/admin/site`, body: site });
  for (const name of ["published", "waiting"]) {
    const productId = await addProduct(shop, {
      title: `Reviewed, ${name}`,
      price: 700,
      deliveryType: "manual",
      stockMode: "unlimited",
    });
    if (productId === undefined) return;
    const sold = await sell(shop, [{ productId, quantity: 1 }], { name });
    if (sold === undefined) return;
    await attempt({ method: "POST", url: `${shop}/api/admin/orders/${sold.id}/deliver`, body: {} });
    const body = { productId, stars: 4, title: "Good", text: "It does what it says", author: "Ann" };
    const written = await attempt({
      method: "POST",
      url: `${shop}/api/orders/${sold.id}/reviews`,
      body,
      headers: { "x-order-token": sold.token },
    });
    const review = z.object({ id: z.string() }).safeParse(written).data?.id;
    const url = `${shop}/api/admin/reviews/${review}`;
    if (review !== undefined && name === "published")
      await attempt({ method: "PATCH", url, body: { state: "published", answer: "Thank you" } });
  }
}

/** Sells in all of these ways. */
export async function driveSales({ shop }: Urls): Promise<void> {
  if (shop === undefined) return;
  const parcel = { title: "Red mug", price: 1_900, deliveryType: "manual", stockMode: "unlimited" };
  const tiers = [{ from: 10, price: 1_700 }];
  const parcelId = await addProduct(shop, { ...parcel, tierPrices: tiers });
  const discount = { automatic: true, title: "From 100", kind: "percent", value: 500, minimum: 10_000 };
  await attempt({ method: "POST", url: `${shop}/api/admin/coupons`, body: discount });
  if (parcelId !== undefined)
    await addProduct(shop, {
      ...parcel,
      title: "Two mugs",
      parts: [{ productId: parcelId, quantity: 2 }],
    });
  await driveSubscriptions(shop);
  await driveGiftCards(shop, parcelId);
  await driveReviews(shop);
}
