/** Reviews of verified buyers: who may write, who decides, what everyone sees, and what stays the buyer's. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { z } from "zod";
import type { CheckoutResult } from "../../../src/shop/checkout/checkout.ts";
import { ratings, reviews } from "../../../src/shop/reviews/records.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";
import { createShopBrowser } from "../pages/shop-browser.ts";

/** Without invitations. */
const settings = { invite: false, inviteDays: 7 } as const;

let app: TestShop;
let productId: string;
let placed: CheckoutResult;

const reviewSchema = z.object({
  id: z.string(),
  state: z.string(),
  stars: z.number(),
  version: z.number().optional(),
});
type Review = z.infer<typeof reviewSchema>;
const listSchema = z.object({
  items: z.array(z.object({ id: z.string(), stars: z.number(), text: z.string(), answer: z.string() })),
  rating: z.object({ average: z.number(), count: z.number() }).optional(),
});

beforeEach(async () => {
  app = await createTestShop();
  await setProvider(app);
  await app.setSite({ reviews: { ...settings, isOn: true, moderation: "before" } });
  ({ id: productId } = await addProduct(app, { keys: ["A", "B", "C"], title: "Red mug", slug: "red-mug" }));
  placed = await order(app, [{ productId }]);
});

const pay = async ({ order: { id } }: CheckoutResult): Promise<void> => {
  await read(await app.admin("POST", `/api/admin/orders/${id}/mark-paid`, { reference: `bank ${id}` }));
};
const send = (from: CheckoutResult, fields: object = {}): Promise<Response> =>
  app.send("POST", `/api/orders/${from.order.id}/reviews`, {
    body: { productId, stars: 4, text: "Pours well", author: "Ada", ...fields },
    headers: { "x-order-token": from.orderToken },
  });
const write = async (from: CheckoutResult, fields: object = {}): Promise<Review> =>
  reviewSchema.parse(await read(await send(from, fields)));
const decide = async (id: string, fields: object): Promise<Review> =>
  reviewSchema.parse(await read(await app.admin("PATCH", `/api/admin/reviews/${id}`, fields)));
const seen = async (): Promise<z.infer<typeof listSchema>> =>
  listSchema.parse(await read(await app.send("GET", "/api/products/red-mug/reviews")));
const page = async (): Promise<string> =>
  (await app.raw("/p/red-mug", { headers: { accept: "text/html", "accept-language": "en" } })).text();

describe("a review", () => {
  it("is only for who received the product, and never for a product of no order of theirs", async () => {
    assert.deepEqual(await code(await send(placed)), [409, "conflict"]);
    await pay(placed);
    assert.equal((await write(placed)).state, "pending");
    const { id } = await addProduct(app);
    assert.deepEqual(await code(await send(placed, { productId: id })), [409, "conflict"]);
    const other = await order(app, [{ productId }], { email: "bob@example.org" });
    assert.deepEqual(await code(await send(other)), [409, "conflict"]);
    const stranger = await app.send("POST", `/api/orders/${placed.order.id}/reviews`, {
      body: { productId, stars: 1 },
      headers: { "x-order-token": other.orderToken },
    });
    assert.deepEqual(await code(stranger), [404, "not_found"]);
  });

  it("is by the buyer alone: not even an administrator writes one", async () => {
    await pay(placed);
    const body = { productId, stars: 5 };
    const forged = await app.admin("POST", `/api/orders/${placed.order.id}/reviews`, body);
    assert.deepEqual(await code(forged), [403, "forbidden"]);
    const { id } = await write(placed, { stars: 1 });
    const changed = await app.admin("PATCH", `/api/admin/reviews/${id}`, { stars: 5 });
    assert.deepEqual(await code(changed), [422, "invalid"]);
  });

  it("is one for each buyer and product, also after another order", async () => {
    await pay(placed);
    await write(placed);
    const again = await order(app, [{ productId }]);
    await pay(again);
    await write(again, { stars: 2, text: "Broke" });
    const all = await app.store.read((tx) => tx.list(reviews, "byCreated", { limit: 10 }));
    assert.deepEqual(
      all.items.map(({ stars, text }) => [stars, text]),
      [[2, "Broke"]],
    );
  });

  it("is seen once an administrator published it, counted in average, and answered in public", async () => {
    await pay(placed);
    const { id } = await write(placed);
    assert.deepEqual(await seen(), { items: [] });
    assert.doesNotMatch(await page(), /Pours well|aggregateRating/u);
    await decide(id, { state: "published", answer: "Thank you" });
    const { items, rating } = await seen();
    assert.deepEqual(
      [items[0]?.text, items[0]?.answer, rating],
      ["Pours well", "Thank you", { average: 4, count: 1 }],
    );
    const html = await page();
    assert.match(html, /Pours well/u);
    assert.match(html, /Reply from/u);
    assert.match(html, /Only people who bought and received this product/u);
    assert.match(html, /"aggregateRating":\{"@type":"AggregateRating","ratingValue":4,"reviewCount":1/u);
    const listed = await read<{ items: { rating?: object }[] }>(await app.send("GET", "/api/products?q=mug"));
    assert.deepEqual(listed.items[0]?.rating, { average: 4, count: 1 });
  });

  it("waits again when its buyer edits it, and is gone from the average until then", async () => {
    await pay(placed);
    const { id } = await write(placed);
    await decide(id, { state: "published" });
    assert.equal((await write(placed, { stars: 1 })).state, "pending");
    assert.deepEqual(await seen(), { items: [] });
    await decide(id, { state: "published" });
    assert.deepEqual((await seen()).rating, { average: 1, count: 1 });
  });

  it("is published at once where the shop wants that, and an edit follows at once", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    assert.equal((await write(placed)).state, "published");
    await write(placed, { stars: 2 });
    assert.deepEqual((await seen()).rating, { average: 2, count: 1 });
    const { id } = await write(placed, { stars: 3 });
    await decide(id, { state: "rejected" });
    // A rejected one cannot publish itself.
    assert.equal((await write(placed, { stars: 5 })).state, "pending");
  });

  it("is deleted by its buyer, once more changes nothing", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    await write(placed);
    const path = `/api/orders/${placed.order.id}/reviews/${productId}/delete`;
    for (let n = 0; n < 2; n += 1)
      assert.equal(
        (await app.send("POST", path, { headers: { "x-order-token": placed.orderToken } })).status,
        204,
      );
    assert.deepEqual(await seen(), { items: [] });
    assert.equal((await app.store.read((tx) => tx.get(ratings, productId)))?.count, 0);
  });

  it("stays after a refund of the whole order, and cannot be written then", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    await write(placed, { stars: 1 });
    const again = await order(app, [{ productId }], { email: "bob@example.org" });
    await pay(again);
    for (const each of [placed, again]) {
      const { total } = each.order;
      const body = { amount: total, through: "record", note: "sent back" };
      await read(await app.admin("POST", `/api/admin/orders/${each.order.id}/refund`, body));
    }
    assert.deepEqual((await seen()).rating, { average: 1, count: 1 });
    assert.deepEqual(await code(await send(again)), [409, "conflict"]);
    assert.deepEqual(await code(await send(placed, { stars: 5 })), [409, "conflict"]);
  });

  it("is off by default, with nothing on pages and in answers", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    await write(placed);
    await app.setSite({ reviews: { ...settings, isOn: false, moderation: "after" } });
    assert.deepEqual(await seen(), { items: [] });
    assert.doesNotMatch(await page(), /Pours well|aggregateRating|id="reviews"/u);
    assert.deepEqual(await code(await send(placed)), [409, "conflict"]);
    const fresh = await createTestShop();
    const site = await read<{ reviews: object }>(await fresh.admin("GET", "/api/admin/site"));
    assert.deepEqual(site.reviews, { ...settings, isOn: false, moderation: "before" });
  });

  it("is reported once a day by an address, and a decision settles that", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    const { id } = await write(placed);
    const report = (): Promise<Response> => app.send("POST", `/api/reviews/${id}/report`);
    assert.equal((await report()).status, 204);
    assert.equal((await report()).status, 204);
    const stored = async (): Promise<number | undefined> =>
      (await app.store.read((tx) => tx.get(reviews, id)))?.reports;
    assert.equal(await stored(), 1);
    await decide(id, { state: "published" });
    assert.equal(await stored(), 0);
    for (let n = 0; n < 8; n += 1) await report();
    assert.deepEqual(await code(await report()), [429, "rate_limited"]);
  });

  it("has links and markup as plain text", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    await write(placed, { text: "Buy at https://spam.example <a href=x>now</a> [x](https://spam.example)" });
    const html = await page();
    assert.match(html, /https:\/\/spam\.example &lt;a href=x&gt;now/u);
    assert.doesNotMatch(html, /href="https:\/\/spam\.example/u);
  });

  it("is limited in an hour", async () => {
    await pay(placed);
    for (let n = 0; n < 20; n += 1) await write(placed, { stars: 1 + (n % 5) });
    assert.deepEqual(await code(await send(placed)), [429, "rate_limited"]);
  });
});

describe("reviews of a person", () => {
  it("are in the export of their data, and go with them", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    await write(placed);
    const { items } = await read<{ items: { id: string }[] }>(await app.admin("GET", "/api/admin/customers"));
    const path = `/api/admin/customers/${items[0]?.id ?? ""}`;
    const data = await read<{ reviews: { text: string }[] }>(await app.admin("GET", `${path}/export`));
    assert.deepEqual(
      data.reviews.map(({ text }) => text),
      ["Pours well"],
    );
    assert.ok((await app.admin("POST", `${path}/anonymise`, {})).status < 300);
    assert.deepEqual(await seen(), { items: [] });
    assert.equal((await app.store.read((tx) => tx.list(reviews, "byCreated", { limit: 5 }))).items.length, 0);
  });
});

describe("reviews on pages", () => {
  it("are written, edited and deleted on the page of the order", async () => {
    const browser = createShopBrowser(app);
    const path = `/orders/${placed.order.number}`;
    await browser.open(`${path}?token=${placed.orderToken}`);
    assert.doesNotMatch((await browser.open(path)).text, /Review Red mug/u);
    await pay(placed);
    assert.match((await browser.open(path)).text, /Review Red mug/u);
    const fields = { product: productId, stars: "5", reviewTitle: "Fine", reviewText: "Very", author: "" };
    assert.match((await browser.open(path)).text, /<option value="" selected="">Select</u);
    const unrated = await browser.open(`${path}/review`, { ...fields, stars: "" });
    assert.match(unrated.text, /id="field-stars-fault"[^>]*>.{0,80}This field is required/su);
    assert.match(unrated.text, /value="Fine"/u);
    const sent = await browser.open(`${path}/review`, fields);
    assert.match(sent.text, /Your review is saved/u);
    assert.match(sent.text, /waiting to be published/u);
    const wrong = await browser.open(`${path}/review`, { ...fields, stars: "9" });
    assert.equal(wrong.status, 422);
    const gone = await browser.open(`${path}/delete-review`, { product: productId });
    assert.match(gone.text, /Your review is deleted/u);
  });

  it("are reported from the page of the product", async () => {
    await app.setSite({ reviews: { ...settings, isOn: true, moderation: "after" } });
    await pay(placed);
    const { id } = await write(placed);
    const browser = createShopBrowser(app);
    await browser.open("/p/red-mug");
    const answer = await browser.open(`/reviews/${id}/report`, {});
    assert.match(answer.text, /The shop will check this review/u);
  });
});
