/** Clients that want the same at the same moment, from different nodes. */
import { z } from "zod";
import { AUTH_PORT } from "../accounts/people.ts";
import { type Goods, SHOP_PORT } from "../shop/staff.ts";
import { type Answer, type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";

const productSchema = z.object({ version: z.number(), price: z.number() });
const tokensSchema = z.object({ refreshToken: z.string() });
const signedInSchema = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) });
type SignedIn = z.infer<typeof signedInSchema>;
const usersSchema = z.object({ items: z.array(z.object({ id: z.string(), status: z.string() })) });
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

/** People who have just registered, and staff of the auth center, who send what may be done once alone. */
class Accounts {
  readonly #client: Client;

  constructor(parts: ClientParts, from: string) {
    this.#client = new Client(parts, { name: "accounts", port: AUTH_PORT, from });
  }

  post(path: string, body: object): Promise<Answer | undefined> {
    return this.#client.insist(`/api/auth/${path}`, { method: "POST", body }, 1);
  }

  administer(path: string, call: Call): Promise<Answer | undefined> {
    return this.#client.insist(
      `/api/admin/${path}`,
      { ...call, headers: { "x-admin-token": ADMIN_TOKEN } },
      1,
    );
  }

  leave({ accessToken }: SignedIn): Promise<Answer | undefined> {
    const headers = { authorization: `Bearer ${accessToken}` };
    return this.#client.insist("/api/auth/me", { method: "DELETE", headers }, 1);
  }

  async register(username: string, email = `${username}@example.org`): Promise<SignedIn | undefined> {
    const answer = await this.post("register", {
      username,
      email,
      password: `a long sentence of ${username}`,
    });
    return answer?.status === 201 ? signedInSchema.parse(answer.json) : undefined;
  }

  async signIn(username: string): Promise<SignedIn | undefined> {
    const answer = await this.post("login", {
      identifier: username,
      password: `a long sentence of ${username}`,
    });
    return answer?.status === 200 ? signedInSchema.parse(answer.json) : undefined;
  }
}

/**
 * A newcomer registers with an email address while staff add it to another account. The two are stored in different
 * tables: each transaction writes nothing that the other one writes.
 */
export async function claimTwice(parts: ClientParts, isOver: () => boolean): Promise<void> {
  const { kernel, random } = parts;
  const accounts = new Accounts(parts, "10.5.4.1");
  for (let count = 0; !isOver(); count += 1) {
    await kernel.sleep(random.wait(60_000));
    const holder = await accounts.register(`holder${count}`);
    if (holder === undefined) continue;
    const email = `claimed${count}@example.org`;
    const body = { address: email, verified: true };
    const [newcomer, added] = await Promise.all([
      accounts.register(`newcomer${count}`, email),
      accounts.administer(`users/${holder.user.id}/emails`, { method: "POST", body }),
    ]);
    if (newcomer !== undefined && added?.status === 201)
      throw new Violation(`Two accounts got the email address "${email}"`);
  }
}

/** The two administrators there are delete their own accounts at the same moment: one of them has to stay. */
export async function leaveTogether(parts: ClientParts, isOver: () => boolean): Promise<void> {
  const { kernel, random } = parts;
  const accounts = new Accounts(parts, "10.5.5.1");
  const promote = async (username: string): Promise<boolean> => {
    const person = await accounts.register(username);
    if (person === undefined) return false;
    const call = { method: "PATCH", body: { role: "admin" } } as const;
    return (await accounts.administer(`users/${person.user.id}`, call))?.status === 200;
  };
  for (let count = 0; !isOver(); count += 1) {
    await kernel.sleep(random.wait(60_000));
    const names = [`first${count}`, `second${count}`];
    const promoted = await Promise.all(names.map(promote));
    // A new role ends the sessions of before.
    const pair = await Promise.all(names.map((name) => accounts.signIn(name)));
    await Promise.all(pair.filter((person) => person !== undefined).map((person) => accounts.leave(person)));
    const answer = await accounts.administer("users?role=admin&limit=100", {});
    if (answer?.status !== 200) continue;
    const { items } = usersSchema.parse(answer.json);
    if (promoted.every(Boolean) && items.every(({ status }) => status === "deleted"))
      throw new Violation(`The last two administrators left: ${names.join(" and ")}`);
    // Only the token may remove the last one, for the next two to be the only ones.
    for (const { id } of items) await accounts.administer(`users/${id}?purge=true`, { method: "DELETE" });
  }
}
