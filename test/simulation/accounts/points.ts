/** People who check in on several devices at the same moment, around midnight, and staff who take their points. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { AUTH_PORT } from "./people.ts";

const REWARD = 10;
/** For each second day in a row. */
const BONUS = 5;
const BONUS_DAYS = 2;
const DAY_MS = 86_400_000;
/** Mean time between two rushes, as a multiple of that between two actions of a person. */
const PAUSES = 3;

interface CheckIn {
  readonly day: string;
  readonly reward: number;
  readonly bonus: number;
  readonly streak: number;
}

interface Account {
  readonly points: number;
  readonly last?: CheckIn | undefined;
}

type Call =
  /** Days that it can be, by a clock that may be wrong. */
  | { readonly does: "check in"; readonly days: readonly string[] }
  | { readonly does: "change"; readonly by: number }
  | { readonly does: "read" };
type Reply =
  | { readonly checkIn: CheckIn; readonly points: number; readonly isRepeated: boolean }
  | { readonly points: number }
  /** There are too few. */
  | "no";

const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function checkInOn(account: Account, day: string): Account {
  const { points, last } = account;
  const isNext = last !== undefined && toDay(Date.parse(last.day) + DAY_MS) === day;
  const streak = isNext ? last.streak + 1 : 1;
  const bonus = streak % BONUS_DAYS === 0 ? BONUS : 0;
  return { points: points + REWARD + bonus, last: { day, reward: REWARD, bonus, streak } };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const model: Model<Account, Call, Reply> = {
  start: { points: 0 },
  step: (account, call, reply) => {
    const { points, last } = account;
    if (call.does === "change") {
      const left = points + call.by;
      if (reply === "no") return left < 0 ? [account] : [];
      return left >= 0 && (reply === undefined || reply.points === left)
        ? [{ ...account, points: left }]
        : [];
    }
    if (reply === "no") return [];
    if (call.does === "read") return reply?.points === points ? [account] : [];
    // A clock that was ahead has counted for a day to come.
    const open = call.days.filter((day) => last === undefined || day > last.day);
    const made = open.map((day) => checkInOn(account, day));
    if (reply === undefined) return made;
    if (!("checkIn" in reply)) return [];
    if (reply.isRepeated)
      return isSame({ points, last }, { points: reply.points, last: reply.checkIn }) ? [account] : [];
    return made.filter((then) => isSame(then, { points: reply.points, last: reply.checkIn }));
  },
};

const checkInSchema = z.object({ day: z.string(), reward: z.int(), bonus: z.int(), streak: z.int() });
const pointsSchema = z.object({ points: z.int() });
const openedSchema = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) });

/** Someone with two devices. */
interface Owner {
  readonly name: string;
  readonly client: Client;
  readonly account: OneByOne<Account, Call, Reply>;
  id: string;
  token: string;
}

export class Points implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #staff: Client;
  readonly #owners: readonly Owner[];

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#staff = new Client(parts, { name: "cashier", port: AUTH_PORT, from: "10.9.9.6" });
    this.#owners = [0, 1].map((number) => {
      const name = `collector${number}`;
      const client = new Client(parts, { name, port: AUTH_PORT, from: `10.5.6.${number}` });
      const account = new OneByOne(parts.kernel, `The points of ${name}`, model);
      return { name, client, account, id: "", token: "" };
    });
  }

  get acknowledged(): number {
    return this.#owners.reduce((sum, { account }) => sum + account.acknowledged, 0);
  }

  async prepare(): Promise<void> {
    const streakBonuses = [{ days: BONUS_DAYS, bonus: BONUS, every: true }];
    const body = { rewardMin: REWARD, rewardMax: REWARD, streakBonuses, requireVerifiedEmail: false };
    const headers = { "x-admin-token": ADMIN_TOKEN };
    await this.#staff.insist("/api/admin/settings/checkin", { method: "PATCH", headers, body });
    for (const owner of this.#owners) {
      const { name: username } = owner;
      const password = this.#toPassword(owner);
      const account = { username, email: `${username}@example.org`, password };
      await this.#open(owner, "register", account);
      if (owner.token === "") throw new Violation(`${username} could not register`);
    }
  }

  work(day: WorkingDay): Promise<void>[] {
    return this.#owners.map((owner) => this.#live(owner, day));
  }

  #toPassword({ name }: Owner): string {
    return `a long sentence of ${name}`;
  }

  async #open(owner: Owner, path: "register" | "login", body: object): Promise<void> {
    const answer = await owner.client.insist(`/api/auth/${path}`, { method: "POST", body });
    const opened = openedSchema.safeParse(answer?.json).data;
    if (opened === undefined) return;
    owner.token = opened.accessToken;
    owner.id = opened.user.id;
  }

  async #live(owner: Owner, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(PAUSES * pauseMs))) {
      const taken = random.chance(0.5) ? [this.#change(owner, -REWARD), this.#change(owner, -REWARD)] : [];
      await Promise.all([this.#checkIn(owner), this.#checkIn(owner), ...taken]);
      if (random.chance(0.3)) await this.#read(owner, 2);
    }
  }

  async #checkIn(owner: Owner): Promise<void> {
    const { kernel } = this.#parts;
    const nowMs = kernel.startMs + kernel.nowMs;
    const days = [...new Set([-1, 0, 1].map((days) => toDay(nowMs + days * 12 * 3_600_000)))];
    let isOver = false;
    await owner.account.note(owner.name, { does: "check in", days }, async () => {
      const headers = { authorization: `Bearer ${owner.token}` };
      const answer = await owner.client.insist("/api/auth/checkin", { method: "POST", headers }, 1);
      isOver = answer?.status === 401;
      if (answer === undefined || isOver) return undefined;
      if (answer.status !== 200 && answer.status !== 201)
        throw new Violation(`${owner.name}: ${JSON.stringify(answer)}`);
      const { day, reward, bonus, streak } = checkInSchema.parse(answer.json);
      const { points } = pointsSchema.parse(answer.json);
      return { checkIn: { day, reward, bonus, streak }, points, isRepeated: answer.status === 200 };
    });
    if (!isOver) return;
    await this.#open(owner, "login", { identifier: owner.name, password: this.#toPassword(owner) });
  }

  async #change(owner: Owner, by: number): Promise<void> {
    await owner.account.note("cashier", { does: "change", by }, async () => {
      const headers = { "x-admin-token": ADMIN_TOKEN };
      const body = { delta: by, reason: "Spent" };
      const path = `/api/admin/users/${owner.id}/points`;
      const answer = await this.#staff.insist(path, { method: "POST", headers, body }, 1);
      if (answer === undefined) return undefined;
      if (answer.status === 200) return pointsSchema.parse(answer.json);
      if (answer.status === 409) return "no";
      throw new Violation(`cashier: ${JSON.stringify(answer)}`);
    });
  }

  async #read(owner: Owner, tries: number): Promise<void> {
    await owner.account.note("cashier", { does: "read" }, async () => {
      const headers = { "x-admin-token": ADMIN_TOKEN };
      const answer = await this.#staff.insist(`/api/admin/users/${owner.id}`, { headers }, tries);
      return answer === undefined ? undefined : pointsSchema.parse(answer.json);
    });
  }

  async check(): Promise<void> {
    for (const owner of this.#owners) {
      await this.#read(owner, 20);
      owner.account.check();
    }
  }
}
