/** Buyers of licenses that renew each month: they pay at once, late, or not at all, cancel, and change their mind. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

const BUYERS = 3;
const PRICE = 4_900;
const RENEWAL = 900;
const GRACE_DAYS = 7;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Mean time between two looks of a buyer. */
const LOOK_MS = 16 * HOUR;
/** So long that all faults have ended. */
const UNTIL_KNOWN = 60;
/** How late a step of a subscription may be. */
const LATE_MS = 2 * DAY;

const NAME = "subscriber-";

/** Who has an order for each period. */
export const isSubscriber = (email: string): boolean => email.startsWith(NAME);

const idSchema = z.object({ id: z.string() });
const boughtSchema = z.object({ order: z.object({ id: z.string() }) });
const timeSchema = z.string().transform((text) => Date.parse(text));
const subscriptionSchema = z.object({
  id: z.string(),
  version: z.int(),
  state: z.enum(["active", "past_due", "canceled", "ended"]),
  paidUntil: timeSchema,
  renewals: z.array(
    z.object({
      number: z.int(),
      orderId: z.string(),
      total: z.int(),
      state: z.string(),
      from: timeSchema,
      until: timeSchema,
    }),
  ),
});
const listSchema = z.object({ items: z.array(subscriptionSchema) });
type Subscription = z.infer<typeof subscriptionSchema>;

export class Subscribers implements Workload {
  readonly #parts: ClientParts;
  readonly #staff: Staff;
  /** Orders of the licenses, and the renewals of each that were acknowledged as paid. */
  readonly #paid = new Map<string, Set<string>>();
  #product = "";
  acknowledged = 0;

  constructor(parts: ClientParts, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
  }

  async prepare(): Promise<void> {
    const renewal = { every: "month", count: 1, graceDays: GRACE_DAYS, price: RENEWAL };
    const license = { keys: "generated", pattern: "SUB-{random:6}-{random:6}", offlineDays: 30, renewal };
    const sold = { status: "published", deliveryType: "auto_secret", stockMode: "unlimited" };
    const body = { title: "Updates", price: PRICE, ...sold, license };
    const made = await this.#staff.must("/api/admin/products", { method: "POST", body }, 201);
    this.#product = idSchema.parse(made).id;
  }

  work(day: WorkingDay): Promise<void>[] {
    return Array.from({ length: BUYERS }, (_, number) => this.#subscribe(number, day));
  }

  async #subscribe(number: number, day: WorkingDay): Promise<void> {
    const { random } = this.#parts;
    if (!(await day.rest(random.wait(5 * DAY)))) return;
    const place = { name: `subscriber${number}`, port: SHOP_PORT, from: `10.4.3.${number}` };
    const headers = { "idempotency-key": `a-long-key-of-a-subscriber-${number}` };
    const body = {
      items: [{ productId: this.#product, quantity: 1 }],
      contact: { email: `${NAME}${number}@example.org` },
      consents: { digitalContent: true },
    };
    const client = new Client(this.#parts, place);
    const answer = await client.insist("/api/checkout", { method: "POST", headers, body }, UNTIL_KNOWN);
    const bought = boughtSchema.safeParse(answer?.json).data;
    if (bought === undefined) throw new Violation(`subscriber: checkout → ${JSON.stringify(answer)}`);
    const { id } = bought.order;
    if (!(await this.#pay(id))) return;
    this.#paid.set(id, new Set());
    while (await day.rest(random.wait(LOOK_MS))) await this.#look(id);
  }

  /** Whether it is acknowledged; the reference keeps it from being recorded twice. */
  async #pay(orderId: string): Promise<boolean> {
    const body = { note: "In cash", reference: `period-${orderId}` };
    const path = `/api/admin/orders/${orderId}/mark-paid`;
    const answer = await this.#staff.call(path, { method: "POST", body }, 6);
    const isDone = answer?.status === 200 || JSON.stringify(answer?.json ?? "").includes("already_exists");
    if (isDone) this.acknowledged += 1;
    return isDone;
  }

  async #find(orderId: string, tries: number): Promise<Subscription | undefined> {
    const path = `/api/admin/subscriptions?orderId=${orderId}`;
    const answer = await this.#staff.call(path, {}, tries);
    return answer === undefined ? undefined : listSchema.parse(answer.json).items[0];
  }

  async #look(orderId: string): Promise<void> {
    const { random } = this.#parts;
    const found = await this.#find(orderId, 2);
    if (found === undefined) return;
    const path = `/api/admin/subscriptions/${found.id}`;
    const { version, state } = found;
    if (state === "canceled" ? random.chance(0.2) : random.chance(0.01)) {
      const step = state === "canceled" ? "resume" : "cancel";
      await this.#staff.call(`${path}/${step}`, { method: "POST", body: { version } }, 1);
      return;
    }
    const due = found.renewals.find((renewal) => renewal.state === "open");
    if (due === undefined || random.chance(0.9)) return;
    if (await this.#pay(due.orderId)) this.#paid.get(orderId)?.add(due.orderId);
  }

  async check(): Promise<void> {
    const { kernel } = this.#parts;
    for (const [orderId, paid] of this.#paid) {
      const found = await this.#find(orderId, 20);
      if (found === undefined) throw new Violation(`The order ${orderId} was paid and has no subscription`);
      this.#compare(found, paid, kernel.startMs + kernel.nowMs);
    }
  }

  #compare({ id, renewals, state, paidUntil }: Subscription, paid: ReadonlySet<string>, nowMs: number): void {
    for (const orderId of paid) {
      const period = renewals.find((renewal) => renewal.orderId === orderId);
      if (period?.state !== "paid")
        throw new Violation(`${id}: a renewal was paid and is ${JSON.stringify(period)}`);
    }
    const numbers = renewals.map(({ number }) => number);
    if (numbers.some((number, index) => number !== index + 1))
      throw new Violation(`${id} has the renewals ${numbers.join()}`);
    for (const period of renewals)
      if (period.total !== RENEWAL) throw new Violation(`${id}: a renewal costs ${period.total}`);
    if (state !== "ended" && paidUntil + GRACE_DAYS * DAY + LATE_MS < nowMs)
      throw new Violation(`${id} is ${state}, and was paid until ${new Date(paidUntil).toISOString()}`);
  }
}
