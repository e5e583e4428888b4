/** The staff of a shop: they set it up, add units, and give money back. */
import { z } from "zod";
import { type Answer, type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import { RECEIVER } from "./receiver.ts";
import type { History, Sale } from "./history.ts";

export const SHOP_PORT = 8_081;
export const BANK_SECRET = "a secret of the payment service";
export const COUPON = "LAST";
export const MAX_PER_CUSTOMER = 2;
/** How long an order waits for its payment. */
export const EXPIRY_MS = 5 * 60_000;
const ANY = 1_000_000;

const idSchema = z.object({ id: z.string() });

const site = {
  maxPending: { user: ANY, address: ANY, email: ANY },
  orderLimits: { addressPerHour: ANY, emailPerHour: ANY, mailedPerDay: ANY, guestUnits: ANY, userUnits: ANY },
  orderExpiryMinutes: EXPIRY_MS / 60_000,
  seller: { name: "Shop", line1: "Street 1", city: "Berlin", country: "DE" },
  tax: { enabled: true },
  invoices: { enabled: true },
  paymentProviders: [
    {
      word: "bank",
      title: "Transfer",
      secret: BANK_SECRET,
      instructions: "Transfer it",
      requireWebhookSecret: true,
    },
  ],
};

export interface Goods {
  /** Tracked units, delivered by staff. */
  readonly mug: string;
  /** License keys, delivered at once. */
  readonly key: string;
  /** At most {@link MAX_PER_CUSTOMER} for one email address. */
  readonly print: string;
  /** Of which there are only as many as staff add, one at a time. */
  readonly last: string;
}

export class Staff {
  readonly #client: Client;
  readonly #parts: ClientParts;
  readonly #history: History;

  constructor(parts: ClientParts, history: History) {
    this.#parts = parts;
    this.#history = history;
    this.#client = new Client(parts, { name: "staff", port: SHOP_PORT, from: "10.9.9.9" });
  }

  call(path: string, call: Call = {}, tries?: number): Promise<Answer | undefined> {
    const headers = { ...call.headers, "x-admin-token": ADMIN_TOKEN };
    return this.#client.insist(path, { ...call, headers }, tries);
  }

  /** @throws Violation unless it is answered with one of these statuses */
  async must(path: string, call: Call, ...statuses: number[]): Promise<unknown> {
    const answer = await this.call(path, call, 20);
    if (answer === undefined || !statuses.includes(answer.status))
      throw new Violation(
        `staff: ${call.method} ${path} → ${answer?.status} ${JSON.stringify(answer?.json)}`,
      );
    return answer.json;
  }

  /** Sets the shop up, before there is any trouble. */
  async prepare(): Promise<Goods> {
    await this.must("/api/admin/site", { method: "PATCH", body: site }, 200);
    const add = async (body: object, units: number): Promise<string> => {
      const made = await this.must("/api/admin/products", { method: "POST", body }, 201);
      const { id } = idSchema.parse(made);
      this.#history.units.set(id, units);
      return id;
    };
    const mug = await add({ title: "Mug", price: 1_200, status: "published", deliveryType: "manual" }, 40);
    await this.must(
      `/api/admin/products/${mug}/stock`,
      { method: "POST", body: { onHand: 40, reason: "First delivery" } },
      200,
    );
    const limited = { maxPerCustomer: MAX_PER_CUSTOMER, deliveryType: "manual" };
    const print = await add({ title: "Print", price: 900, status: "published", ...limited }, 500);
    await this.must(
      `/api/admin/products/${print}/stock`,
      { method: "POST", body: { onHand: 500, reason: "First delivery" } },
      200,
    );
    const last = await add({ title: "Poster", price: 3_000, status: "published", deliveryType: "manual" }, 0);
    const keys = Array.from({ length: 60 }, (_, n) => `KEY-${String(n).padStart(6, "0")}`);
    const key = await add(
      { title: "Key", price: 500, status: "published", deliveryType: "auto_secret" },
      keys.length,
    );
    await this.must(`/api/admin/products/${key}/secrets`, { method: "POST", body: keys }, 200, 201);
    const coupon = { code: COUPON, kind: "percent", value: 1_000, maxUses: 6 };
    await this.must("/api/admin/coupons", { method: "POST", body: coupon }, 201);
    const endpoint = {
      url: `https://${RECEIVER}/events`,
      types: ["order.placed", "order.paid", "order.expired"],
    };
    await this.must("/api/admin/webhooks", { method: "POST", body: endpoint }, 201);
    return { mug, key, print, last };
  }

  /** Whether the shop takes a change. */
  async canWrite(): Promise<boolean> {
    const { seller } = site;
    const answer = await this.call("/api/admin/site", { method: "PATCH", body: { seller } }, 1);
    return answer?.status === 200;
  }

  /** Adds units; without an answer it is not known whether they were added. */
  async restock(productId: string, units: number): Promise<void> {
    const restock: History["restocks"][number] = { productId, units };
    this.#history.restocks.push(restock);
    const body = { change: units, reason: "Delivery" };
    // Not repeated: a second one would add them twice.
    const answer = await this.call(`/api/admin/products/${productId}/stock`, { method: "POST", body }, 1);
    if (answer !== undefined) restock.isDone = answer.status === 200;
  }

  /** Gives the money of an order back in part; the reference keeps it from being done twice. */
  async refund(sale: Sale): Promise<void> {
    if (sale.order === undefined || sale.refund !== undefined) return;
    const refund = { reference: `back-${sale.key}`, amount: 100 };
    const path = `/api/admin/orders/${sale.order.id}/refund`;
    const call = { method: "POST", body: refund } as const;
    const answer = await this.call(path, call);
    if (answer?.status === 200 || JSON.stringify(answer?.json ?? "").includes("already_exists"))
      sale.refund = refund;
    // Someone clicks twice.
    if (sale.refund === undefined || !this.#parts.random.chance(0.3)) return;
    const again = await this.call(path, call, 2);
    if (again?.status === 200) throw new Violation(`The refund ${refund.reference} was recorded twice`);
  }

  /** Works until it is over. */
  async work(goods: Goods, day: WorkingDay, pauseMs: number): Promise<void> {
    const { random } = this.#parts;
    while (await day.rest(random.wait(2 * pauseMs))) {
      const { sales } = this.#history;
      const sale = sales[random.below(sales.length)];
      if (random.chance(0.4)) await this.restock(goods.mug, 5);
      else if (sale !== undefined) await this.refund(sale);
    }
  }
}
