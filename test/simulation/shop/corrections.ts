/** Two of the staff who correct the same order at the same moment, each from the version that they have read. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

const PRICE = 900;
const UNITS = 400;
const MOST = 4;
/** Mean time between two orders, as a multiple of that of a buyer. */
const PAUSES = 3;
/** So long that all faults have ended. */
const UNTIL_KNOWN = 60;

/** An order, as far as staff correct it; other events make later versions, too. */
interface Seen {
  readonly version: number;
  readonly quantity: number;
}

type Call = { readonly does: "read" } | { readonly does: "edit"; readonly from: number; readonly to: number };
/** The order after it, or that it was not done: someone else was quicker, or the order has ended. */
type Reply = Seen | "no";

const model: Model<Seen, Call, Reply> = {
  start: { version: 0, quantity: 1 },
  step: (seen, call, reply) => {
    if (reply === "no") return [seen];
    if (call.does === "read")
      return reply !== undefined && reply.version >= seen.version && reply.quantity === seen.quantity
        ? [reply]
        : [];
    if (call.from < seen.version) return [];
    const after = reply ?? { version: call.from + 1, quantity: call.to };
    return after.version > call.from && after.quantity === call.to ? [after] : [];
  },
};

const idSchema = z.object({ id: z.string() });
const boughtSchema = z.object({ accessToken: z.string(), order: z.object({ id: z.string() }) });
const orderSchema = z.object({
  version: z.int(),
  total: z.int(),
  lines: z.tuple([z.object({ id: z.string(), quantity: z.int() })]),
});

export class Corrections implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Staff;
  readonly #orders = new Map<string, OneByOne<Seen, Call, Reply>>();
  #product = "";

  constructor(parts: ClientParts & { readonly pauseMs: number }, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
  }

  get acknowledged(): number {
    return [...this.#orders.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  }

  async prepare(): Promise<void> {
    const product = { title: "Chair", price: PRICE, status: "published", deliveryType: "manual" };
    const made = await this.#staff.must("/api/admin/products", { method: "POST", body: product }, 201);
    this.#product = idSchema.parse(made).id;
    const stock = { onHand: UNITS, reason: "First delivery" };
    const path = `/api/admin/products/${this.#product}/stock`;
    await this.#staff.must(path, { method: "POST", body: stock }, 200);
  }

  work(day: WorkingDay): Promise<void>[] {
    return [this.#work(day)];
  }

  async #work(day: WorkingDay): Promise<void> {
    const { random, kernel, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      const id = await this.#order();
      if (random.chance(0.5)) await this.#pay(id);
      await Promise.all([this.#correct(id), this.#correct(id)]);
      await kernel.sleep(random.wait(60_000));
      await Promise.all([this.#correct(id), random.chance(0.3) ? this.#pay(id) : this.#correct(id)]);
    }
  }

  async #order(): Promise<string> {
    const number = this.#orders.size + 1;
    const buyer = new Client(this.#parts, { name: "chair buyer", port: SHOP_PORT, from: "10.4.2.1" });
    const body = {
      items: [{ productId: this.#product, quantity: 1 }],
      contact: { email: `chair-${number}@example.org` },
    };
    const headers = { "idempotency-key": `a-long-key-of-a-chair-${number}` };
    const answer = await buyer.insist("/api/checkout", { method: "POST", headers, body }, UNTIL_KNOWN);
    const bought = boughtSchema.safeParse(answer?.json).data;
    if (bought === undefined) throw new Violation(`chair buyer: checkout → ${JSON.stringify(answer)}`);
    const { id } = bought.order;
    this.#orders.set(id, new OneByOne(this.#parts.kernel, `The lines of ${id}`, model));
    return id;
  }

  /** Once: the reference keeps it from being recorded twice. */
  async #pay(id: string): Promise<void> {
    const body = { note: "In cash", reference: `cash-${id}` };
    await this.#staff.call(`/api/admin/orders/${id}/mark-paid`, { method: "POST", body }, 3);
  }

  #of(id: string): OneByOne<Seen, Call, Reply> {
    const found = this.#orders.get(id);
    if (found === undefined) throw new Error(`There is no order ${id}`);
    return found;
  }

  async #read(id: string, tries: number) {
    let order: z.infer<typeof orderSchema> | undefined;
    await this.#of(id).note("staff", { does: "read" }, async () => {
      const answer = await this.#staff.call(`/api/admin/orders/${id}`, {}, tries);
      if (answer === undefined) return undefined;
      order = orderSchema.parse(answer.json);
      const { version, lines } = order;
      return { version, quantity: lines[0].quantity };
    });
    return order;
  }

  async #correct(id: string): Promise<void> {
    const { kernel, random } = this.#parts;
    const order = await this.#read(id, 2);
    if (order === undefined) return;
    await kernel.sleep(random.wait(random.chance(0.5) ? 50 : 20_000));
    const { version: from, lines } = order;
    const [{ id: lineId, quantity }] = lines;
    const to = 1 + ((quantity + random.below(MOST - 1)) % MOST);
    await this.#of(id).note("staff", { does: "edit", from, to }, async () => {
      const body = { version: from, lines: [{ lineId, quantity: to }], expectedTotal: to * PRICE };
      const call = { method: "POST", body } as const;
      const answer = await this.#staff.call(`/api/admin/orders/${id}/edit`, call, 1);
      if (answer === undefined) return undefined;
      if (answer.status === 409 || answer.status === 412) return "no";
      if (answer.status !== 200) throw new Violation(`staff: edit of ${id} → ${JSON.stringify(answer)}`);
      const { version, lines: after } = orderSchema.parse(answer.json);
      return { version, quantity: after[0].quantity };
    });
  }

  async check(): Promise<void> {
    for (const [id, order] of this.#orders) {
      const found = await this.#read(id, 20);
      order.check();
      if (found === undefined) throw new Violation(`${id} is not shown`);
      const [{ quantity }] = found.lines;
      if (found.total !== quantity * PRICE) throw new Violation(`${id} costs ${found.total} for ${quantity}`);
    }
  }
}
