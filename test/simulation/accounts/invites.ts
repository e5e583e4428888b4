/** Newcomers who register with one invite at the same moment: as many as it is for get in. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { AUTH_PORT } from "./people.ts";

const NEWCOMERS = 3;
/** Mean time between two invites, as a multiple of that between two actions of a person. */
const PAUSES = 4;

type Call = { readonly does: "join"; readonly name: string } | { readonly does: "read" };
/** Who came, for who asks for that. */
type Reply = "in" | "out" | readonly string[];

/** Who came with an invite for so many, in the order of the alphabet. */
const toModel = (places: number): Model<readonly string[], Call, Reply> => ({
  start: [],
  step: (guests, call, reply) => {
    if (call.does === "read") return JSON.stringify(reply) === JSON.stringify(guests) ? [guests] : [];
    const isFull = guests.length >= places;
    if (reply === "out") return isFull ? [guests] : [];
    return isFull ? [] : [[...guests, call.name].toSorted()];
  },
});

const inviteSchema = z.object({ id: z.string(), code: z.string() });
const usesSchema = z.object({ items: z.array(z.object({ username: z.string().optional() })) });
const problemSchema = z.object({ code: z.string() });

interface Invite {
  readonly id: string;
  readonly guests: OneByOne<readonly string[], Call, Reply>;
}

export class Invites implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Client;
  readonly #invites: Invite[] = [];

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#staff = new Client(parts, { name: "host", port: AUTH_PORT, from: "10.9.9.7" });
  }

  get acknowledged(): number {
    return this.#invites.reduce((sum, { guests }) => sum + guests.acknowledged, 0);
  }

  async prepare(): Promise<void> {}

  work(day: WorkingDay): Promise<void>[] {
    return [this.#work(day)];
  }

  async #work(day: WorkingDay): Promise<void> {
    const { random, pauseMs, kernel } = this.#parts;
    const headers = { "x-admin-token": ADMIN_TOKEN };
    for (let round = 0; await day.rest(random.wait(PAUSES * pauseMs)); round += 1) {
      const places = 1 + random.below(2);
      const call = { method: "POST", headers, body: { maxUses: places } } as const;
      const answer = await this.#staff.insist("/api/admin/invites", call);
      if (answer === undefined) continue;
      const { id, code } = inviteSchema.parse(answer.json);
      const guests = new OneByOne(kernel, `An invite for ${places}`, toModel(places));
      this.#invites.push({ id, guests });
      const numbers = Array.from({ length: NEWCOMERS }, (_, number) => number);
      await Promise.all(numbers.map((number) => this.#join(guests, code, `guest${round}x${number}`)));
    }
  }

  async #join(guests: Invite["guests"], inviteCode: string, username: string): Promise<void> {
    const from = `10.5.5.${username.length + guests.acknowledged}`;
    const client = new Client(this.#parts, { name: username, port: AUTH_PORT, from });
    await guests.note(username, { does: "join", name: username }, async () => {
      const password = `a long sentence of ${username}`;
      const body = { username, email: `${username}@example.org`, password, inviteCode };
      const answer = await client.insist("/api/auth/register", { method: "POST", body });
      if (answer === undefined) return undefined;
      const { code = "" } = problemSchema.safeParse(answer.json).data ?? {};
      // An earlier request, of which there was no answer, had created the account.
      if (answer.status === 201 || code === "username_taken") return "in";
      if (code === "invite_invalid") return "out";
      throw new Violation(`${username} could not register: ${JSON.stringify(answer)}`);
    });
  }

  async check(): Promise<void> {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    for (const { id, guests } of this.#invites) {
      await guests.note("host", { does: "read" }, async () => {
        const answer = await this.#staff.insist(`/api/admin/invites/${id}/uses`, { headers }, 20);
        return usesSchema
          .parse(answer?.json)
          .items.map(({ username = "" }) => username)
          .toSorted();
      });
      guests.check();
    }
  }
}
