/** Clients that want the same at the same moment, from different nodes. */
import { z } from "zod";
import { AUTH_PORT } from "../accounts/people.ts";
import { type Goods, SHOP_PORT } from "../shop/staff.ts";
import { type Answer, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";

const productSchema = z.object({ version: z.number(), price: z.number() });
const tokensSchema = z.object({ refreshToken: z.string() });
const orderSchema = z.object({ order: z.object({ id: z.string() }) });

/** Beside the price: no other client writes it. */
const FIRST_PRICE = 1_200;

/**
 * Several people raise one price by one, each after having read it: a register that must never lose an increment,
 * whichever node they ask.
 */
export class Editors {
  readonly #parts: ClientParts;
  readonly #goods: Goods;
  /** Increments that were acknowledged, and such of which there was no answer. */
  acknowledged = 0;
  unknown = 0;

  constructor(parts: ClientParts, goods: Goods) {
    this.#parts = parts;
    this.#goods = goods;
  }

  #call(client: Client, body?: object): Promise<Answer | undefined> {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const path = `/api/admin/products/${this.#goods.mug}`;
    return client.insist(path, body === undefined ? { headers } : { method: "PATCH", headers, body }, 1);
  }

  async edit(number: number, isOver: () => boolean): Promise<void> {
    const { kernel, random } = this.#parts;
    const client = new Client(this.#parts, {
      name: `editor${number}`,
      port: SHOP_PORT,
      from: `10.5.0.${number}`,
    });
    while (!isOver()) {
      await kernel.sleep(random.wait(20_000));
      const read = await this.#call(client);
      if (read?.status !== 200 || isOver()) continue;
      const { version, price } = productSchema.parse(read.json);
      await kernel.sleep(random.wait(50));
      const answer = await this.#call(client, { price: price + 1, version });
      if (answer?.status === 200) this.acknowledged += 1;
      else if (answer === undefined) this.unknown += 1;
      else if (answer.status !== 409) throw new Violation(`A change of a price: ${JSON.stringify(answer)}`);
    }
  }

  /** @throws Violation when an increment was lost, or happened without a request */
  check(price: number): void {
    const raised = price - FIRST_PRICE;
    if (raised < this.acknowledged || raised > this.acknowledged + this.unknown)
      throw new Violation(
        `The price was raised ${raised} times; ${this.acknowledged} increments were acknowledged, and ${this.unknown} may have happened`,
      );
  }
}

/** Buyers who send one order twice at once, to any two nodes. */
export async function buyTwice(parts: ClientParts, goods: Goods, isOver: () => boolean): Promise<void> {
  const { kernel, random } = parts;
  const client = new Client(parts, { name: "impatient", port: SHOP_PORT, from: "10.5.1.1" });
  for (let count = 0; !isOver(); count += 1) {
    await kernel.sleep(random.wait(60_000));
    const key = `twice-${count}`;
    const body = {
      items: [{ productId: goods.mug, quantity: 1 }],
      contact: { email: `${key}@example.org` },
      consents: { digitalContent: true },
    };
    const call = { method: "POST", headers: { "idempotency-key": key }, body } as const;
    const answers = await Promise.all([
      client.insist("/api/checkout", call),
      client.insist("/api/checkout", call),
    ]);
    const ids = answers.flatMap((answer) => {
      const parsed = orderSchema.safeParse(answer?.json);
      return parsed.success ? [parsed.data.order.id] : [];
    });
    if (new Set(ids).size > 1) throw new Violation(`The key "${key}" gave the orders ${ids.join(" and ")}`);
  }
}

/** Two people want one user name at the same moment: one of them at most gets it. */
export async function registerTwins(parts: ClientParts, isOver: () => boolean): Promise<void> {
  const { kernel, random } = parts;
  for (let count = 0; !isOver(); count += 1) {
    await kernel.sleep(random.wait(120_000));
    const username = `twin${count}`;
    const answers = await Promise.all(
      ["a", "b"].map((name) => {
        const client = new Client(parts, {
          name: `twin ${name}`,
          port: AUTH_PORT,
          from: `10.5.2.${count % 200}`,
        });
        const body = {
          username,
          email: `${username}.${name}@example.org`,
          password: `a long sentence of ${name}`,
        };
        return client.insist("/api/auth/register", { method: "POST", body }, 1);
      }),
    );
    if (answers.filter((answer) => answer?.status === 201).length > 1)
      throw new Violation(`Two people got the user name "${username}"`);
  }
}

/** A person whose refresh token is sent twice at once: it has one successor. */
export async function renewTwice(parts: ClientParts, isOver: () => boolean): Promise<void> {
  const { kernel, random } = parts;
  const client = new Client(parts, { name: "renewer", port: AUTH_PORT, from: "10.5.3.1" });
  const post = (path: string, body: object): Promise<Answer | undefined> =>
    client.insist(`/api/auth/${path}`, { method: "POST", body }, 1);
  for (let count = 0; !isOver(); count += 1) {
    await kernel.sleep(random.wait(60_000));
    const username = `renewer${count}`;
    const body = { username, email: `${username}@example.org`, password: `a long sentence of ${username}` };
    const registered = await post("register", body);
    if (registered?.status !== 201) continue;
    const { refreshToken } = tokensSchema.parse(registered.json);
    const answers = await Promise.all([post("refresh", { refreshToken }), post("refresh", { refreshToken })]);
    const given = answers.flatMap((answer) => tokensSchema.safeParse(answer?.json).data?.refreshToken ?? []);
    // A repeat within seconds is answered as before: its answer may have been lost.
    if (new Set(given).size > 1) throw new Violation(`A refresh token of "${username}" was spent twice`);
  }
}
