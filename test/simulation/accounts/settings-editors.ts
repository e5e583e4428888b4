/** Administrators who change the same settings at the same moment, each with the version that they have read. */
import { z } from "zod";
import { Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import { type Model, OneByOne } from "../world/one-by-one.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { AUTH_PORT } from "./people.ts";

const EDITORS = 3;
/** Mean time between two changes of an editor, as a multiple of that between two actions of a person. */
const PAUSES = 2;
const PATH = "/api/admin/settings/branding";

/** The settings: a text, and their version. */
interface Settings {
  readonly version: number;
  readonly text: string;
}

type Call =
  | { readonly does: "read" }
  | { readonly does: "write"; readonly from: number; readonly text: string };
/** The settings as they are then, or that someone else has changed them. */
type Reply = Settings | "stale";

const isSame = (a: Settings, b: Settings): boolean => a.version === b.version && a.text === b.text;

const model: Model<Settings, Call, Reply> = {
  start: { version: 0, text: "" },
  step: (settings, call, reply) => {
    if (call.does === "read") return typeof reply === "object" && isSame(reply, settings) ? [settings] : [];
    const isCurrent = call.from === settings.version;
    if (reply === "stale") return isCurrent ? [] : [settings];
    const next = { version: settings.version + 1, text: call.text };
    return isCurrent && (reply === undefined || isSame(reply, next)) ? [next] : [];
  },
};

const settingsSchema = z.object({ version: z.int(), imprintUrl: z.string() });

const toSettings = (json: unknown): Settings => {
  const { version, imprintUrl: text } = settingsSchema.parse(json);
  return { version, text };
};

export class SettingsEditors implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #settings: OneByOne<Settings, Call, Reply>;

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#settings = new OneByOne(parts.kernel, "Settings with If-Match", model);
  }

  get acknowledged(): number {
    return this.#settings.acknowledged;
  }

  async prepare(): Promise<void> {}

  work(day: WorkingDay): Promise<void>[] {
    return Array.from({ length: EDITORS }, (_, number) => this.#edit(number, day));
  }

  #open(number: number): Client {
    const place = { name: `settings${number}`, port: AUTH_PORT, from: `10.5.4.${number}` };
    return new Client(this.#parts, place);
  }

  async #edit(number: number, day: WorkingDay): Promise<void> {
    const { kernel, random, pauseMs } = this.#parts;
    const client = this.#open(number);
    for (let count = 0; await day.rest(random.wait(PAUSES * pauseMs)); count += 1) {
      const read = await this.#read(client, `settings${number}`, 2);
      if (read === undefined) continue;
      await kernel.sleep(random.wait(random.chance(0.5) ? 50 : pauseMs));
      await this.#write(client, { number, count, from: read.version });
    }
  }

  async #read(client: Client, name: string, tries: number): Promise<Settings | undefined> {
    const reply = await this.#settings.note(name, { does: "read" }, async () => {
      const answer = await client.insist(PATH, { headers: { "x-admin-token": ADMIN_TOKEN } }, tries);
      return answer === undefined ? undefined : toSettings(answer.json);
    });
    return reply;
  }

  async #write(
    client: Client,
    { number, count, from }: { readonly number: number; readonly count: number; readonly from: number },
  ): Promise<void> {
    const text = `https://example.org/${number}/${count}`;
    await this.#settings.note(`settings${number}`, { does: "write", from, text }, async () => {
      const headers = { "x-admin-token": ADMIN_TOKEN, "if-match": `"${from}"` };
      const answer = await client.insist(PATH, { method: "PATCH", headers, body: { imprintUrl: text } }, 1);
      if (answer === undefined) return undefined;
      if (answer.status === 412) return "stale";
      if (answer.status === 200) return toSettings(answer.json);
      throw new Violation(`settings${number}: ${JSON.stringify(answer)}`);
    });
  }

  async check(): Promise<void> {
    await this.#read(this.#open(EDITORS), "the last look", 20);
    this.#settings.check();
  }
}
