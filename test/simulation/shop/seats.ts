/** Programs that want the same few seats of a license at the same moment, and its seller, who frees what no program has. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT, type Staff } from "./staff.ts";

const SEATS = 2;
const PROGRAMS = 4;
/** Mean time between two rushes, as a multiple of that between two orders of a buyer. */
const PAUSES = 3;

type Call = { readonly does: "activate" | "deactivate" | "validate" | "list"; readonly device?: string };
/** Names of the active devices, for who asks for a list. */
type Reply = "yes" | "no" | readonly string[];

/** The names of the active devices, in the order of the alphabet. */
const model: Model<readonly string[], Call, Reply> = {
  start: [],
  step: (active, { does, device = "" }, reply) => {
    const isActive = active.includes(device);
    if (does === "list") return JSON.stringify(reply) === JSON.stringify(active) ? [active] : [];
    if (does === "validate") return (reply === "yes") === isActive ? [active] : [];
    // A repeated deactivation succeeds.
    if (does === "deactivate") return reply === "no" ? [] : [active.filter((name) => name !== device)];
    if (reply === "no") return active.length >= SEATS ? [active] : [];
    return active.length < SEATS && !isActive ? [[...active, device].toSorted()] : [];
  },
};

const idSchema = z.object({ id: z.string() });
const orderSchema = z.object({ order: idSchema });
const deliveredSchema = z.object({ lines: z.tuple([z.object({ delivered: z.tuple([z.string()]) })]) });
const licensesSchema = z.object({ items: z.tuple([idSchema]) });
const devicesSchema = z.object({ devices: z.array(z.object({ id: z.string(), name: z.string() })) });
const activationSchema = z.object({
  license_key: z.object({ activation_usage: z.int().min(1) }),
  instance: z.object({ id: z.string(), name: z.string() }),
});

/** A copy of the program on one device. */
interface Copy {
  readonly name: string;
  readonly client: Client;
  /** Where it is activated. */
  seat?: { readonly device: string; readonly id: string } | undefined;
}

export class Seats implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Staff;
  readonly #seats: OneByOne<readonly string[], Call, Reply>;
  readonly #copies: readonly Copy[];
  #key = "";
  #license = "";
  readonly #listed = new Set<string>();
  #count = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }, staff: Staff) {
    this.#parts = parts;
    this.#staff = staff;
    this.#seats = new OneByOne(parts.kernel, "The seats of a license", model);
    this.#copies = Array.from({ length: PROGRAMS }, (_, number) => {
      const name = `program${number}`;
      return { name, client: new Client(parts, { name, port: SHOP_PORT, from: `10.4.0.${number}` }) };
    });
  }

  get acknowledged(): number {
    return this.#seats.acknowledged;
  }

  /** Sells one license. */
  async prepare(): Promise<void> {
    const staff = this.#staff;
    const license = {
      keys: "generated",
      pattern: "DESK-{random:6}-{random:6}",
      maxDevices: SEATS,
      offlineDays: 30,
    };
    const sold = { status: "published", deliveryType: "auto_secret", stockMode: "unlimited" };
    const body = { title: "Photo Desk", price: 5_000, ...sold, license };
    const made = await staff.must("/api/admin/products", { method: "POST", body }, 201);
    const { id: productId } = idSchema.parse(made);
    const bought = await staff.must(
      "/api/checkout",
      {
        method: "POST",
        headers: { "idempotency-key": "license" },
        body: {
          items: [{ productId, quantity: 1 }],
          contact: { email: "desk@example.org" },
          consents: { digitalContent: true },
        },
      },
      201,
    );
    const { order } = orderSchema.parse(bought);
    const paid = await staff.must(
      `/api/admin/orders/${order.id}/mark-paid`,
      { method: "POST", body: { note: "Paid in cash" } },
      200,
    );
    this.#key = deliveredSchema.parse(paid).lines[0].delivered[0];
    const found = await staff.must(`/api/admin/licenses?orderId=${order.id}`, { method: "GET" }, 200);
    this.#license = licensesSchema.parse(found).items[0].id;
  }

  async #work(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      await Promise.all(this.#copies.map((copy) => this.#act(copy)));
      await this.#free(1);
    }
  }

  work(day: WorkingDay): Promise<void>[] {
    return [this.#work(day)];
  }

  /** Once: each request of an activation takes a seat of its own. */
  async #ask(copy: Copy, does: "activate" | "deactivate" | "validate", fields: object, device: string) {
    let json: unknown;
    const reply = await this.#seats.note(copy.name, { does, device }, async () => {
      const body = { license_key: this.#key, ...fields };
      const answer = await copy.client.insist(`/v1/licenses/${does}`, { method: "POST", body }, 1);
      json = answer?.json;
      if (answer === undefined) return undefined;
      if (answer.status === 200) return "yes";
      if (answer.status === (does === "activate" ? 400 : 404)) return "no";
      throw new Violation(`${copy.name}: ${does} → ${JSON.stringify(answer)}`);
    });
    return { reply, json };
  }

  async #act(copy: Copy): Promise<void> {
    const { random } = this.#parts;
    const { seat } = copy;
    if (seat === undefined) {
      this.#count += 1;
      const device = `device ${this.#count}`;
      const { reply, json } = await this.#ask(copy, "activate", { instance_name: device }, device);
      if (reply !== "yes") return;
      const { instance } = activationSchema.parse(json);
      if (instance.name !== device) throw new Violation(`${device} got the seat of ${instance.name}`);
      copy.seat = { device, id: instance.id };
      return;
    }
    const does = random.chance(0.6) ? "deactivate" : "validate";
    const { reply } = await this.#ask(copy, does, { instance_id: seat.id }, seat.device);
    if (does === "deactivate" && reply !== undefined) copy.seat = undefined;
  }

  /** Lists the devices, and frees the seats whose programs had no answer. */
  async #free(tries: number): Promise<void> {
    const path = `/api/admin/licenses/${this.#license}`;
    let found: z.infer<typeof devicesSchema>["devices"] = [];
    await this.#seats.note("seller", { does: "list" }, async () => {
      const answer = await this.#staff.call(path, {}, tries);
      if (answer === undefined) return undefined;
      found = devicesSchema.parse(answer.json).devices;
      for (const { name } of found) this.#listed.add(name);
      return found.map(({ name }) => name).toSorted();
    });
    for (const { id, name } of found) {
      if (this.#copies.some(({ seat }) => seat?.device === name)) continue;
      await this.#seats.note("seller", { does: "deactivate", device: name }, async () => {
        const call = { method: "POST" } as const;
        const answer = await this.#staff.call(`${path}/devices/${id}/deactivate`, call, tries);
        return answer?.status === 200 ? "yes" : undefined;
      });
    }
  }

  async check(): Promise<void> {
    await this.#free(20);
    await this.#free(20);
    // What took a seat kept it until it was listed.
    this.#seats.forget(({ does, device = "" }) => does === "activate" && !this.#listed.has(device));
    this.#seats.check();
  }
}
