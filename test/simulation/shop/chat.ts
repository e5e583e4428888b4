/** A user who writes to the shop from two devices, staff who answer, and a reader who asks for what is new. */
import { z } from "zod";
import { AUTH_PORT } from "../accounts/people.ts";
import { type Answer, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import type { WorkingDay } from "../world/working-day.ts";
import type { Workload } from "../world/workload.ts";
import { SHOP_PORT } from "./staff.ts";

const NAME = "chatter";
const PASSWORD = `a long sentence of ${NAME}`;
/** Mean time between two messages of a device, as a multiple of that between two orders of a buyer. */
const PAUSES = 2;
const PAGE = 3;

const messageSchema = z.object({ seq: z.int(), body: z.string(), clientId: z.string() });
const pageSchema = z.object({ items: z.array(messageSchema) });
const openedSchema = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) });
type Message = z.infer<typeof messageSchema>;

export class Chat implements Workload {
  readonly #parts: ClientParts & { readonly pauseMs: number };
  readonly #person: Client;
  readonly #devices: readonly Client[];
  /** By who wrote it and the sender's own ID: the number that was acknowledged. */
  readonly #acknowledged = new Map<string, number>();
  readonly #sent = new Set<string>();
  /** What the reader has seen, in its order. */
  readonly #read: Message[] = [];
  #user = "";
  #token = "";

  constructor(parts: ClientParts & { readonly pauseMs: number }) {
    this.#parts = parts;
    this.#person = new Client(parts, { name: NAME, port: AUTH_PORT, from: "10.7.0.1" });
    this.#devices = ["phone", "laptop", "desk"].map(
      (name, number) => new Client(parts, { name, port: SHOP_PORT, from: `10.7.1.${number}` }),
    );
  }

  get acknowledged(): number {
    return this.#acknowledged.size + this.#read.length;
  }

  async prepare(): Promise<void> {
    const body = { username: NAME, email: `${NAME}@example.org`, password: PASSWORD };
    await this.#open("register", body);
  }

  async #open(path: "register" | "login", body: object): Promise<void> {
    const answer = await this.#person.insist(`/api/auth/${path}`, { method: "POST", body });
    const opened = openedSchema.safeParse(answer?.json).data;
    if (opened === undefined) return;
    this.#token = opened.accessToken;
    this.#user = opened.user.id;
  }

  work(day: WorkingDay): Promise<void>[] {
    return [...this.#devices.map((device, number) => this.#write(device, number, day)), this.#follow(day)];
  }

  async #ask(device: Client, path: string, body?: object): Promise<Answer | undefined> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await device.insist(
      path,
      body === undefined ? { headers } : { method: "POST", headers, body },
    );
    if (answer?.status !== 401) return answer;
    await this.#open("login", { identifier: NAME, password: PASSWORD });
    return undefined;
  }

  #reply(device: Client, body: object): Promise<Answer | undefined> {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const path = `/api/admin/chat/conversations/${this.#user}/messages`;
    return device.insist(path, { method: "POST", headers, body });
  }

  /** Each device sends one message after another; the last one is the shop's. */
  async #write(device: Client, number: number, day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    const isShop = number === this.#devices.length - 1;
    let before = -1;
    for (let count = 0; await day.rest(random.wait(PAUSES * pauseMs)); count += 1) {
      const clientId = `m-${number}-${count}`;
      const message = { body: `Message ${count} of ${number}`, clientId };
      this.#sent.add(clientId);
      const answer = await (isShop
        ? this.#reply(device, message)
        : this.#ask(device, "/api/chat/messages", message));
      // There is no conversation before the user has begun it.
      if (answer === undefined || (isShop && answer.status === 404)) continue;
      const posted = messageSchema.parse(answer.json);
      if (posted.body !== message.body) throw new Violation(`The message ${clientId} became another one`);
      if (posted.seq <= before)
        throw new Violation(`The message ${clientId} was sorted before an earlier one`);
      before = posted.seq;
      this.#acknowledged.set(clientId, posted.seq);
    }
  }

  /** Asks for what came after the last message that it has seen. */
  async #follow(day: WorkingDay): Promise<void> {
    const { random, pauseMs } = this.#parts;
    while (await day.rest(random.wait(pauseMs))) await this.#readOn();
  }

  async #readOn(): Promise<boolean> {
    const [device] = this.#devices;
    const path = `/api/chat/messages?limit=${PAGE}&after=${this.#read.at(-1)?.seq ?? 0}`;
    const answer = device && (await this.#ask(device, path));
    if (answer?.status !== 200) return false;
    const { items } = pageSchema.parse(answer.json);
    this.#read.push(...items);
    return items.length === 0;
  }

  async check(): Promise<void> {
    for (let tries = 0; tries < 1_000 && !(await this.#readOn()); tries += 1);
    const seen = new Map<string, number>();
    let before = -1;
    for (const { clientId, seq } of this.#read) {
      if (seen.has(clientId)) throw new Violation(`The message ${clientId} is there twice`);
      if (!this.#sent.has(clientId)) throw new Violation(`Nobody sent the message ${clientId}`);
      if (seq <= before) throw new Violation(`The message ${clientId} came out of order`);
      seen.set(clientId, seq);
      before = seq;
    }
    for (const [clientId, seq] of this.#acknowledged)
      if (seen.get(clientId) !== seq)
        throw new Violation(`The message ${clientId} was acknowledged and is lost`);
  }
}
