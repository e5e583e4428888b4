/**
 * Buyers and a payment provider that record the responses, against a shop that may be killed at any moment; and what
 * it owes them afterward.
 */
import { noOrderLimits } from "./goods.ts";
import assert from "node:assert/strict";
import { z } from "zod";

export const ADMIN_TOKEN = "a-token-for-this-suite";
const SECRET = "a secret of the payment service";

const orderSchema = z.object({
  id: z.string(),
  status: z.string(),
  amountPaid: z.number(),
  total: z.number(),
  contact: z.object({ email: z.string() }),
  lines: z.array(z.object({ delivered: z.array(z.string()).optional() })),
});
type OrderView = z.infer<typeof orderSchema>;
const boughtSchema = z.object({ order: orderSchema });
const outcomeSchema = z.object({ result: z.string() });

export interface KillLoad {
  /** Creates the product with its keys, and the settings; once, in the first life. */
  prepare(url: string): Promise<void>;
  /** Orders and pays, by some buyers at once, and calls `kill` when so many answers of 2xx came; resolves when the last request failed or was answered. */
  run(url: string, until: { readonly answers: number; readonly kill: () => void }): Promise<void>;
  /** Orders and pays until `isOver`; what is refused with 503 or 429, or gets no answer, is left for `verify`. Gives how often that was. */
  go(url: string, isOver: () => boolean): Promise<number>;
  /** Throws unless everything that was acknowledged is there once. */
  verify(url: string): Promise<void>;
  /** Orders that were answered with 201 or 200, and notices that were answered with 2xx. */
  counts(): { readonly orders: number; readonly notices: number };
}

/** The responses to one buyer. */
interface Sale {
  readonly key: string;
  order?: OrderView;
  isPaid?: boolean;
  /** Written by staff. */
  readonly isDraft?: boolean;
  draft?: Draft;
  /** One unit of its line is given back in part. */
  readonly isRefunded?: boolean;
  /** Pays {@link CARD} of it. */
  readonly giftCard?: string | undefined;
}

const draftSchema = z.object({
  id: z.string(),
  version: z.number(),
  orderId: z.string().optional(),
  quoted: z.object({ total: z.number() }),
});
type Draft = z.infer<typeof draftSchema>;
/** Of a line, in minor units. */
const REFUND = 100;

/** Sales with a gift card at most. */
const MOST_CARDS = 60;
/** Of a gift card, in minor units. */
const CARD = 200;

/** Of staff: every third sale is a draft, and every second is refunded in part; others have a gift card. */
function createSale(number: number, hasStaff: boolean, cards: readonly string[]): Sale {
  const key = `${BUYER}-${number}`;
  if (!hasStaff) return { key };
  const isDraft = number % 3 === 0;
  return { key, isDraft, isRefunded: number % 2 === 0, giftCard: isDraft ? undefined : cards[number] };
}

const codeSchema = z.object({ code: z.string() });

/** Issues gift cards of staff; gives their codes. */
async function issueCards(url: string, count: number): Promise<string[]> {
  const path = "/api/admin/gift-cards";
  const codes: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const made = await expect(send(url, path, { headers: admin, body: { amount: CARD, note: "load" } }), 201);
    const { id } = z.object({ id: z.string() }).parse(made);
    const shown = send(url, `${path}/${id}/code`, { method: "GET", headers: admin });
    codes.push(codeSchema.parse(await expect(shown, 200)).code);
  }
  return codes;
}

/** What the payment service collects for a sale. */
function toRest(order: OrderView, { giftCard }: Sale): Pick<OrderView, "id" | "total"> {
  return { id: order.id, total: order.total - (giftCard === undefined ? 0 : CARD) };
}

/** Places a sale by a draft that was paid in cash; what was done before the shop died is not done again. */
async function placeDraft(url: string, productId: string, sale: Sale): Promise<OrderView> {
  const path = "/api/admin/draft-orders";
  const address = { name: sale.key, line1: "Street 1", city: "Berlin", postalCode: "10115", country: "DE" };
  const content = {
    email: `${sale.key}@example.org`,
    billingAddress: address,
    items: [{ productId, quantity: 1 }],
  };
  sale.draft ??= draftSchema.parse(await expect(send(url, path, { headers: admin, body: content }), 201));
  const { id, version, quoted } = sale.draft;
  const body = { version, expectedTotal: quoted.total, method: "cash", reference: sale.key };
  await expect(send(url, `${path}/${id}/mark-paid`, { headers: admin, body }), 201, 409);
  const placed = draftSchema.parse(
    await expect(send(url, `${path}/${id}`, { method: "GET", headers: admin }), 200),
  );
  const asked = send(url, `/api/admin/orders/${placed.orderId ?? ""}`, { method: "GET", headers: admin });
  return orderSchema.parse(await expect(asked, 200));
}

/** Corrects the billing address, so that its invoice is replaced, and refunds a part of the line; each once. */
async function correct(url: string, { key, order, isRefunded = false }: Sale): Promise<void> {
  assert.ok(order !== undefined);
  const path = `/api/admin/orders/${order.id}`;
  const read = async (): Promise<z.infer<typeof correctedSchema>> =>
    correctedSchema.parse(await expect(send(url, path, { method: "GET", headers: admin }), 200));
  const { version, billingAddress } = await read();
  const address = { name: key, line1: "Street 2", city: "Berlin", postalCode: "10115", country: "DE" };
  const body = { version, billingAddress: address, mail: false };
  if (billingAddress?.line1 !== address.line1)
    await expect(send(url, `${path}/edit`, { headers: admin, body }), 200);
  const { amountRefunded, lines } = await read();
  if (!isRefunded || amountRefunded > 0) return;
  const refund = { lines: [{ lineId: lines[0]?.id, amount: REFUND }], reference: `back-${key}` };
  await expect(send(url, `${path}/refund`, { headers: admin, body: refund }), 200);
}

const correctedSchema = z.object({
  version: z.number(),
  amountRefunded: z.number(),
  billingAddress: z.object({ line1: z.string() }).optional(),
  lines: z.array(z.object({ id: z.string() })),
});

/** Sends one request; the body of the answer is JSON. */
export async function send(
  url: string,
  path: string,
  given: { headers?: object; body?: unknown; method?: string },
) {
  const { method = "POST", headers, body } = given;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as unknown };
}

/** The shop cannot take it now, and says so. */
export class NotNow extends Error {
  override readonly name = "NotNow";
}

/** As long as a buyer waits before the next try. */
const PAUSE_MS = 40;
/** How these buyers' keys and addresses begin. */
const BUYER = "sale";

/** The answer's body when it is of this status. @throws NotNow for 503 and 429, AssertionError for any other */
export async function expect(answer: ReturnType<typeof send>, ...statuses: number[]): Promise<unknown> {
  const { status, json } = await answer;
  if (status === 503 || status === 429) throw new NotNow(`${status} ${JSON.stringify(json)}`);
  assert.ok(statuses.includes(status), `${status} ${JSON.stringify(json)}`);
  return json;
}

/** An address of a private network for each number in a key. */
function toAddress(key: string): string {
  const n = Number(/\d+/u.exec(key)?.[0] ?? 0);
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** The headers of the administrator. */
export const admin = { "x-admin-token": ADMIN_TOKEN };

/** Creates a product of 5.00 with its keys, and sets the site with these fields as well; returns its ID. */
export async function makeProduct(
  url: string,
  { keyCount, site: more }: { readonly keyCount: number; readonly site: object },
): Promise<string> {
  const site = {
    maxPending: { user: 1_000_000, address: 1_000_000, email: 1_000_000 },
    orderLimits: noOrderLimits,
    orderExpiryMinutes: 1_440,
    // Numbers without a gap, whenever it dies.
    seller: { name: "Shop", line1: "Street 1", city: "Berlin", country: "DE" },
    tax: { enabled: true },
    invoices: { enabled: true },
    ...more,
  };
  await expect(send(url, "/api/admin/site", { method: "PATCH", headers: admin, body: site }), 200);
  const body = { title: "Key", price: 500, status: "published", deliveryType: "auto_secret" };
  const made = await expect(send(url, "/api/admin/products", { headers: admin, body }), 201);
  const { id } = z.object({ id: z.string() }).parse(made);
  const keys = Array.from({ length: keyCount }, (_, n) => `KEY-${String(n).padStart(6, "0")}`);
  await expect(send(url, `/api/admin/products/${id}/secrets`, { headers: admin, body: keys }), 200, 201);
  return id;
}

const pageSchema = z.object({
  items: z.array(z.object({ contact: z.object({ email: z.string() }) })),
  nextCursor: z.string().optional(),
});

/** Throws unless there are so many orders of these buyers; others may be there beside. */
async function assertOrders(url: string, count: number): Promise<void> {
  let found = 0;
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const path = `/api/admin/orders?limit=200${cursor === "" ? "" : `&cursor=${cursor}`}`;
    const asked = send(url, path, { method: "GET", headers: admin });
    const page = pageSchema.parse(await expect(asked, 200));
    found += page.items.filter(({ contact }) => contact.email.startsWith(`${BUYER}-`)).length;
    cursor = page.nextCursor;
  }
  assert.equal(found, count, "orders of one sale");
}

/** The notice of the payment service "generic" that all of an order was paid; gives what the shop made of it. */
export async function payGeneric(
  url: string,
  { id, total }: Pick<OrderView, "id" | "total">,
): Promise<string> {
  const sent = send(url, "/api/webhooks/generic-pay", {
    headers: { "x-webhook-secret": SECRET },
    body: {
      type: "payment.arrived",
      data: { id: `ref-${id}`, orderId: id, amount: total, currency: "EUR", status: "succeeded" },
    },
  });
  return outcomeSchema.parse(await expect(sent, 200)).result;
}

/**
 * Creates a load of `buyers` concurrent buyers, with license keys for `most` sales; `stepMs` between two attempts of
 * one.
 */
export function createKillLoad({
  buyers,
  most,
  stepMs = PAUSE_MS,
  hasStaff = false,
}: {
  buyers: number;
  most: number;
  stepMs?: number;
  /** Some sales are drafts of staff, and some orders are edited and refunded by line. */
  hasStaff?: boolean;
}): KillLoad {
  const sales: Sale[] = [];
  let productId = "";
  let cards: string[] = [];

  const buy = (url: string, { key, giftCard }: Sale) =>
    send(url, "/api/checkout", {
      // With TRUSTED_PROXIES each buyer has an address of its own.
      headers: { "idempotency-key": key, "x-forwarded-for": toAddress(key) },
      body: {
        items: [{ productId, quantity: 1 }],
        contact: { email: `${key}@example.org` },
        consents: { digitalContent: true },
        giftCardCodes: giftCard === undefined ? undefined : [giftCard],
      },
    });

  async function sell(url: string, onAnswer: () => void): Promise<void> {
    const sale = createSale(sales.length, hasStaff, cards);
    sales.push(sale);
    if (sale.isDraft === true) {
      sale.order = await placeDraft(url, productId, sale);
      onAnswer();
      await correct(url, sale);
      onAnswer();
      return;
    }
    const { order } = boughtSchema.parse(await expect(buy(url, sale), 201));
    sale.order = order;
    onAnswer();
    assert.equal(await payGeneric(url, toRest(order, sale)), "applied");
    sale.isPaid = true;
    onAnswer();
    if (!hasStaff) return;
    await correct(url, sale);
    onAnswer();
  }

  /** Does again what got no answer, as buyers and payment services do, and pays what is still to be paid. */
  async function finish(url: string, sale: Sale): Promise<OrderView> {
    if (sale.isDraft === true) {
      const placed = await placeDraft(url, productId, sale);
      if (sale.order !== undefined)
        assert.equal(placed.id, sale.order.id, "an acknowledged draft was placed twice");
      sale.order = placed;
      await correct(url, sale);
      return placed;
    }
    const { order } = boughtSchema.parse(await expect(buy(url, sale), 200, 201));
    if (sale.order !== undefined) assert.equal(order.id, sale.order.id, "an acknowledged order was lost");
    sale.order = order;
    const result = await payGeneric(url, toRest(order, sale));
    if (sale.isPaid === true) assert.equal(result, "duplicate", "an acknowledged notice was lost");
    sale.isPaid = true;
    if (hasStaff) await correct(url, sale);
    return order;
  }

  async function settle(url: string, sale: Sale): Promise<OrderView> {
    const { id } = await finish(url, sale);
    const asked = send(url, `/api/admin/orders/${id}`, { method: "GET", headers: admin });
    return orderSchema.parse(await expect(asked, 200));
  }

  return {
    prepare: async (url) => {
      const generic = { word: "generic", title: "Transfer", secret: SECRET, instructions: "Transfer it" };
      const paymentProviders = [generic];
      productId = await makeProduct(url, { keyCount: most, site: { paymentProviders } });
      if (hasStaff) cards = await issueCards(url, Math.min(most, MOST_CARDS));
    },
    run: async (url, { answers, kill }) => {
      let left = answers;
      let isKilled = false;
      const onAnswer = (): void => {
        left -= 1;
        if (left > 0 || isKilled) return;
        isKilled = true;
        kill();
      };
      const buyer = async (): Promise<void> => {
        while (!isKilled && sales.length < most) {
          await sell(url, onAnswer).catch((error: unknown) => {
            // Only a dead shop may leave a request without its answer.
            const isLater = hasStaff && error instanceof NotNow;
            if ((!isKilled && !isLater) || error instanceof assert.AssertionError) throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: buyers }, buyer));
      assert.ok(isKilled, "There were too few keys for this load");
    },
    go: async (url, isOver) => {
      let refused = 0;
      const buyer = async (): Promise<void> => {
        let open: Sale | undefined;
        while (!isOver() && sales.length < most) {
          // It is to go on for long, and each sale is looked at afterwards.
          await new Promise((resolve) => setTimeout(resolve, stepMs));
          if (open === undefined) {
            open = createSale(sales.length, hasStaff, cards);
            sales.push(open);
          }
          try {
            await finish(url, open);
            open = undefined;
          } catch (error) {
            // What fetch throws for a broken connection, or a limit of time.
            const hasNoAnswer = error instanceof TypeError || error instanceof DOMException;
            if (!(error instanceof NotNow) && !hasNoAnswer) throw error;
            refused += 1;
          }
        }
      };
      await Promise.all(Array.from({ length: buyers }, buyer));
      return refused;
    },
    verify: async (url) => {
      const given = new Set<string>();
      const queue = [...sales];
      const check = async (): Promise<void> => {
        for (let sale = queue.pop(); sale !== undefined; sale = queue.pop()) {
          const { id, status, amountPaid, total, lines } = await settle(url, sale);
          const refunded = sale.isRefunded === true ? REFUND : 0;
          assert.deepEqual([id, status, amountPaid], [id, "delivered", total - refunded]);
          const keys = lines.flatMap(({ delivered = [] }) => delivered);
          assert.equal(keys.length, 1);
          for (const key of keys) {
            assert.ok(!given.has(key), `"${key}" was given twice`);
            given.add(key);
          }
        }
      };
      await Promise.all(Array.from({ length: buyers }, check));
      await assertOrders(url, sales.length);
    },
    counts: () => ({
      orders: sales.filter(({ order }) => order !== undefined).length,
      notices: sales.filter(({ isPaid }) => isPaid === true).length,
    }),
  };
}
