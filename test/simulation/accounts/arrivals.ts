/** People who come by another provider, some in two browsers at once: each has one account, and no lie opens one. */
import { z } from "zod";
import { Browser } from "../world/browser.ts";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { CLIENT_ID, ISSUER, IdentityProvider } from "./identity-provider.ts";
import { AUTH_PORT } from "./people.ts";

const PEOPLE = 3;
/** Mean time between two sign-ins of a person, as a multiple of that between two actions of others. */
const PAUSES = 3;
const BEGIN = "/sign-in/with/other";

const usersSchema = z.object({ items: z.array(z.object({ username: z.string() })) });

interface Arrival {
  readonly subject: string;
  /** Whether the account of the person was acknowledged. */
  hasJoined: boolean;
}

export class Arrivals implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #provider: IdentityProvider;
  readonly #staff: Client;
  readonly #people: readonly Arrival[];
  #count = 0;
  acknowledged = 0;

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#provider = new IdentityProvider(parts);
    this.#staff = new Client(parts, { name: "doorman", port: AUTH_PORT, from: "10.9.9.4" });
    this.#people = Array.from({ length: PEOPLE }, (_, number) => ({
      subject: `arrival${number}`,
      hasJoined: false,
    }));
  }

  async prepare(): Promise<void> {
    const body = {
      id: "other",
      title: "Other",
      clientId: CLIENT_ID,
      issuer: ISSUER,
      secret: "a secret of the provider",
      emailAuthoritative: true,
    };
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const answer = await this.#staff.insist("/api/admin/upstreams", { method: "POST", headers, body }, 20);
    if (answer?.status !== 201 && answer?.status !== 409)
      throw new Violation(`The provider was refused: ${JSON.stringify(answer)}`);
  }

  work(day: WorkingDay): Promise<void>[] {
    return this.#people.map((person) => this.#live(person, day));
  }

  async #live(person: Arrival, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      const times = random.chance(0.4) ? 2 : 1;
      await Promise.all(Array.from({ length: times }, () => this.#come(person)));
    }
  }

  #open(): Browser {
    this.#count += 1;
    const from = `10.5.6.${this.#count % 250}`;
    return new Browser(this.#parts, { name: `arrival browser ${this.#count}`, port: AUTH_PORT, from });
  }

  async #come(person: Arrival): Promise<void> {
    const hadJoined = person.hasJoined;
    const browser = this.#open();
    const gone = await browser.get(BEGIN);
    const location = gone?.headers.get("location") ?? "";
    if (gone?.status !== 302 || !location.startsWith(ISSUER)) return;
    const { query, isLie } = this.#provider.authorize(new URL(location), person.subject);
    const path = `${BEGIN}/callback?${query}`;
    if (this.#parts.random.chance(0.1)) await this.#steal(path);
    const back = await browser.get(path);
    if (isLie) return this.#assertOut(browser, "a false ID token");
    const next = back?.headers.get("location") ?? "";
    if (next === "/sign-in/identity" && hadJoined)
      throw new Violation(`${person.subject} has an account, and comes as a newcomer`);
    if (next === "/sign-in/identity") await this.#join(person, browser);
    else if (next === "/account") await this.#assertIn(person, browser);
  }

  async #join(person: Arrival, browser: Browser): Promise<void> {
    this.#count += 1;
    const { subject } = person;
    const form = { username: `${subject}x${this.#count}`, email: `${subject}@example.org`, displayName: "" };
    const answer = await browser.post("/sign-in/identity", form);
    if (answer?.headers.get("location") === "/account") await this.#assertIn(person, browser);
  }

  async #assertIn(person: Arrival, browser: Browser): Promise<void> {
    person.hasJoined = true;
    this.acknowledged += 1;
    const page = await browser.get("/account");
    if (page !== undefined && page.status !== 200)
      throw new Violation(`${person.subject} signed in, and gets ${page.status}`);
  }

  /** Someone else opens the link back first. */
  async #steal(path: string): Promise<void> {
    const thief = this.#open();
    await thief.get(path);
    await this.#assertOut(thief, "a link of another browser");
  }

  async #assertOut(browser: Browser, by: string): Promise<void> {
    const page = await browser.get("/account");
    if (page?.status === 200) throw new Violation(`Someone signed in by ${by}`);
  }

  async check(): Promise<void> {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    for (const { subject, hasJoined } of this.#people) {
      const answer = await this.#staff.insist(`/api/admin/users?q=${subject}x&limit=100`, { headers }, 20);
      const found = usersSchema
        .parse(answer?.json)
        .items.filter(({ username }) => username.startsWith(`${subject}x`));
      if (found.length > 1 || (hasJoined && found.length === 0))
        throw new Violation(`${subject} has the accounts ${JSON.stringify(found)}`);
    }
  }
}
