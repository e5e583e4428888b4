/** Holders of one gift card who spend it at the same moment, down to the last cent, and staff who top it up and refund. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

const HOLDERS = 3;
const PRICE = 700;
const FIRST_BALANCE = 2_000;
const TOP_UP = 1_000;
/** Mean time between two rushes, as a multiple of that between two orders of a buyer. */
const PAUSES = 3;
/** So long that an order has expired, and all faults have ended. */
const UNTIL_KNOWN = 60;

type Call = { readonly does: "spend" | "read" } | { readonly does: "return"; readonly amount: number };
/** What the card paid, or has; "no" from an empty card. */
type Reply = number | "no" | "yes";

/** The balance. */
const model: Model<number, Call, Reply> = {
  start: FIRST_BALANCE,
  step: (balance, call, reply) => {
    if (call.does === "return") return [balance + call.amount];
    if (call.does === "read") return reply === balance ? [balance] : [];
    if (reply === "no") return balance === 0 ? [0] : [];
    const share = Math.min(balance, PRICE);
    return share > 0 && (reply === undefined || reply === share) ? [balance - share] : [];
  },
};

const idSchema = z.object({ id: z.string() });
const codeSchema = z.object({ code: z.string() });
const balanceSchema = z.object({ balance: z.int().min(0) });
const boughtSchema = z.object({
  accessToken: z.string(),
  order: z.object({ id: z.string(), giftCards: z.tuple([z.object({ amount: z.int().min(1) })]) }),
});
const emptySchema = z.object({ code: z.literal("gift_card_invalid"), reason: z.literal("empty") });
const bookSchema = z.object({
  balance: z.int(),
  entries: z.array(z.object({ kind: z.string(), amount: z.int(), orderId: z.string().optional() })),
});

export class GiftCards implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Staff;
  readonly #balance: OneByOne<number, Call, Reply>;
  readonly #holders: readonly Client[];
  #product = "";
  #card = "";
  #code = "";
  #count = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
    this.#balance = new OneByOne(parts.kernel, "The balance of a gift card", model);
    this.#holders = Array.from(
      { length: HOLDERS },
      (_, number) =>
        new Client(parts, { name: `holder${number}`, port: SHOP_PORT, from: `10.4.1.${number}` }),
    );
  }

  get acknowledged(): number {
    return this.#balance.acknowledged;
  }

  async prepare(): Promise<void> {
    const staff = this.#staff;
    const body = {
      title: "Postcards",
      price: PRICE,
      status: "published",
      deliveryType: "manual",
      stockMode: "unlimited",
    };
    const product = await staff.must("/api/admin/products", { method: "POST", body }, 201);
    this.#product = idSchema.parse(product).id;
    const given = { amount: FIRST_BALANCE, note: "Given away" };
    const card = await staff.must("/api/admin/gift-cards", { method: "POST", body: given }, 201);
    this.#card = idSchema.parse(card).id;
    const shown = await staff.must(`/api/admin/gift-cards/${this.#card}/code`, { method: "GET" }, 200);
    this.#code = codeSchema.parse(shown).code;
  }

  work(day: WorkingDay): Promise<void>[] {
    return [this.#work(day)];
  }

  async #work(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      const others = random.chance(0.3) ? [this.#topUp()] : [];
      await Promise.all([...this.#holders.map((holder, number) => this.#spend(holder, number)), ...others]);
      await this.#read();
    }
  }

  async #spend(holder: Client, number: number): Promise<void> {
    this.#count += 1;
    const key = `a-long-key-of-gift-card-order-${this.#count}`;
    const name = `holder${number}`;
    let bought: z.infer<typeof boughtSchema> | undefined;
    const paid = await this.#balance.note(name, { does: "spend" }, async () => {
      const body = {
        items: [{ productId: this.#product, quantity: 1 }],
        contact: { email: `card-${this.#count}@example.org` },
        consents: { digitalContent: true },
        giftCardCodes: [this.#code],
      };
      const call = { method: "POST", headers: { "idempotency-key": key }, body } as const;
      const answer = await holder.insist("/api/checkout", call, UNTIL_KNOWN);
      if (emptySchema.safeParse(answer?.json).success) return "no";
      bought = boughtSchema.safeParse(answer?.json).data;
      if (bought === undefined) throw new Violation(`${name}: checkout → ${JSON.stringify(answer)}`);
      return bought.order.giftCards[0].amount;
    });
    if (bought === undefined || typeof paid !== "number") return;
    if (paid < PRICE) await this.#cancel(holder, name, { ...bought, paid });
    else if (this.#parts.random.chance(0.4)) await this.#refund(bought.order.id);
  }

  /** The rest is more than the holder wants to pay. */
  async #cancel(
    holder: Client,
    name: string,
    { order, accessToken, paid }: z.infer<typeof boughtSchema> & { readonly paid: number },
  ): Promise<void> {
    await this.#balance.note(name, { does: "return", amount: paid }, async () => {
      const call = { method: "POST", headers: { "x-order-token": accessToken } } as const;
      const answer = await holder.insist(`/api/orders/${order.id}/cancel`, call, UNTIL_KNOWN);
      // It may have been canceled by a request without an answer, or have expired.
      if (answer?.status === 200 || answer?.status === 409) return "yes";
      throw new Violation(`${name}: cancel → ${JSON.stringify(answer)}`);
    });
  }

  async #refund(orderId: string): Promise<void> {
    const amount = 100 + this.#parts.random.below(PRICE - 100);
    await this.#balance.note("staff", { does: "return", amount }, async () => {
      const body = { amount, reference: `card-${orderId}` };
      const call = { method: "POST", body } as const;
      const answer = await this.#staff.call(`/api/admin/orders/${orderId}/refund`, call, UNTIL_KNOWN);
      if (answer?.status === 200 || JSON.stringify(answer?.json ?? "").includes("already_exists"))
        return "yes";
      throw new Violation(`staff: refund of a gift card → ${JSON.stringify(answer)}`);
    });
  }

  /** Not repeated: a second one would add it twice. */
  async #topUp(): Promise<void> {
    await this.#balance.note("staff", { does: "return", amount: TOP_UP }, async () => {
      const body = { amount: TOP_UP, reason: "Birthday" };
      const path = `/api/admin/gift-cards/${this.#card}/adjust`;
      const answer = await this.#staff.call(path, { method: "POST", body }, 1);
      return answer?.status === 200 ? "yes" : undefined;
    });
  }

  async #read(): Promise<void> {
    const [holder] = this.#holders;
    await this.#balance.note("holder0", { does: "read" }, async () => {
      const body = { code: this.#code };
      const answer = await holder?.insist("/api/gift-cards/balance", { method: "POST", body });
      return answer === undefined ? undefined : balanceSchema.parse(answer.json).balance;
    });
  }

  async check(): Promise<void> {
    const path = `/api/admin/gift-cards/${this.#card}`;
    const entries: z.infer<typeof bookSchema>["entries"] = [];
    await this.#balance.note("staff", { does: "read" }, async () => {
      const found = bookSchema.parse(await this.#staff.must(path, { method: "GET" }, 200));
      entries.push(...found.entries);
      return found.balance;
    });
    this.#balance.check();
    const spent = entries.flatMap(({ kind, orderId }) => (kind === "redeemed" ? (orderId ?? "") : []));
    if (new Set(spent).size < spent.length) throw new Violation("A gift card paid twice for one order");
  }
}
