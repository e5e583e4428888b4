/** Buyers: they order, pay, change their mind, and repeat what got no answer with the same key. */
import { z } from "zod";
import { type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Bank } from "./bank.ts";
import type { History, Sale, SaleOrder } from "./history.ts";
import { COUPON, EXPIRY_MS, type Goods, MAX_PER_CUSTOMER, SHOP_PORT } from "./staff.ts";

const boughtSchema = z.object({
  accessToken: z.string().optional(),
  order: z.object({
    id: z.string(),
    number: z.string(),
    total: z.number(),
    contact: z.object({ email: z.string() }),
  }),
});

export interface BuyerParts extends ClientParts {
  readonly history: History;
  readonly bank: Bank;
  readonly goods: Goods;
  /** Mean time between two orders of one buyer. */
  readonly pauseMs: number;
}

/** Customers who order from everywhere, to have more than one customer may: their emails begin with it. */
const HOARDER = "hoarder";

export const isHoarder = (email: string): boolean => email.startsWith(HOARDER);

/** Statuses that a buyer may get instead of an order. */
const refusals = new Set([409, 422]);

export class Buyer {
  readonly #parts: BuyerParts;
  readonly #client: Client;
  readonly #name: string;
  #count = 0;

  constructor(parts: BuyerParts, number: number) {
    this.#parts = parts;
    this.#name = `buyer${number}`;
    this.#client = new Client(parts, { name: this.#name, port: SHOP_PORT, from: `10.0.0.${number}` });
  }

  async shop(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(pauseMs))) await this.#buy();
  }

  async #buy(): Promise<void> {
    const { random, goods } = this.#parts;
    const couponCode = random.chance(0.15) ? COUPON : undefined;
    if (random.chance(0.05)) return this.#hoard();
    const hoards = random.chance(0.1);
    const prints = { productId: goods.print, quantity: MAX_PER_CUSTOMER };
    const mugs = { productId: goods.mug, quantity: 1 + random.below(2) };
    const keys = { productId: goods.key, quantity: 1 };
    const items = hoards ? [prints] : random.pick([[mugs], [keys], [mugs, keys]]);
    await this.#purchase(items, { email: hoards ? `${HOARDER}@example.org` : undefined, couponCode });
  }

  /** Places two orders of which a customer may have one, and pays both at the same moment. */
  async #hoard(): Promise<void> {
    const { goods, bank } = this.#parts;
    const items = [{ productId: goods.print, quantity: MAX_PER_CUSTOMER }];
    const email = `${HOARDER}-${this.#name}-${this.#count}@example.org`;
    const placed = await Promise.all([this.#place(items, { email }), this.#place(items, { email })]);
    for (const { order } of placed)
      if (order !== undefined) bank.pay(order.id, order.total, { isPrompt: true });
  }

  /** Orders one unit of a product, and decides as always. */
  want(productId: string): Promise<void> {
    return this.#purchase([{ productId, quantity: 1 }], {});
  }

  async #purchase(
    items: readonly object[],
    more: Partial<Pick<Sale, "email" | "couponCode">>,
  ): Promise<void> {
    const sale = await this.#place(items, more);
    if (sale.order !== undefined) await this.#decide(sale, sale.order);
  }

  async #place(items: readonly object[], more: Partial<Pick<Sale, "email" | "couponCode">>): Promise<Sale> {
    this.#count += 1;
    const key = `${this.#name}-${this.#count}`;
    const { email = `${key}@example.org`, couponCode } = more;
    const sale: Sale = { key, email, couponCode };
    this.#parts.history.sales.push(sale);
    sale.order = await this.#order(sale, items);
    return sale;
  }

  /** Orders one print, of which there are always some; returns the ID of the order. */
  async probe(): Promise<string> {
    const { history, goods } = this.#parts;
    const sale: Sale = { key: this.#name, email: `${this.#name}@example.org`, couponCode: undefined };
    history.sales.push(sale);
    sale.order = await this.#order(sale, [{ productId: goods.print, quantity: 1 }]);
    if (sale.order === undefined) throw new Violation("The shop takes no order after all faults");
    return sale.order.id;
  }

  async #order(sale: Sale, items: readonly object[]): Promise<SaleOrder | undefined> {
    const { history } = this.#parts;
    const { key, email, couponCode } = sale;
    const body = {
      items,
      contact: { email },
      consents: { digitalContent: true },
      ...(couponCode === undefined ? {} : { couponCode }),
    };
    const call = { method: "POST", headers: { "idempotency-key": key }, body } as const;
    const answer = await this.#client.insist("/api/checkout", call);
    if (answer === undefined || refusals.has(answer.status)) return undefined;
    const { order, accessToken } = boughtSchema.parse(answer.json);
    history.acknowledged += 1;
    if (order.contact.email !== email)
      throw new Violation(`The key "${key}" gave the order of another buyer`);
    if (this.#parts.random.chance(0.1)) await this.#spy(call);
    return { ...order, accessToken };
  }

  /** A stranger guesses the key and repeats the request. */
  async #spy(call: Call): Promise<void> {
    const stranger = new Client(this.#parts, { name: "stranger", port: SHOP_PORT, from: "10.6.6.6" });
    const answer = await stranger.insist("/api/checkout", call, 2);
    if (answer?.status === 200 && boughtSchema.parse(answer.json).accessToken !== undefined)
      throw new Violation("A stranger who guessed a key got the access token of an order");
  }

  async #decide(sale: Sale, order: SaleOrder): Promise<void> {
    const { random, bank, kernel } = this.#parts;
    await kernel.sleep(random.wait(20_000));
    const mind = random.next();
    if (mind < 0.1) return;
    if (mind < 0.2 && order.accessToken !== undefined) {
      const call = { method: "POST", headers: { "x-order-token": order.accessToken } } as const;
      const answer = await this.#client.insist(`/api/orders/${order.id}/cancel`, call);
      if (answer?.status === 200) sale.isCanceled = true;
      return;
    }
    if (mind < 0.3) return bank.pay(order.id, order.total, { afterMs: EXPIRY_MS + random.wait(60_000) });
    // Some pay too little or too much, and some twice.
    const amount = random.chance(0.06) ? order.total + random.pick([-100, 100]) : order.total;
    bank.pay(order.id, amount);
    if (random.chance(0.03)) bank.pay(order.id, order.total);
  }
}
