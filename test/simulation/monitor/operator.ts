/** The administrator of a monitor: sets it up, changes settings and rules, and remembers what was acknowledged. */
import { z } from "zod";
import { type Answer, type Call, Client, type ClientParts, Violation } from "../world/client.ts";
import { ADMIN_TOKEN } from "../world/machine.ts";
import { HOOKS, HOOK_BODY } from "./hooks.ts";
import {
  FAILURES,
  type PortName,
  type TargetName,
  hostOf,
  ports,
  rules,
  targets,
  toPortTarget,
} from "./targets.ts";

export const MONITOR_PORT = 8_080;
/** How long a server may be silent before it counts as an outage. */
export const GRACE_SECONDS = 120;
const HEARTBEAT_SECONDS = 60;

const idSchema = z.object({ id: z.string() });
const serverSchema = z.object({ id: z.string(), agentKey: z.string() });
const heartbeatSchema = z.object({ id: z.string(), pingKey: z.string() });
const fleetSchema = z.object({ items: z.array(z.object({ id: z.string(), state: z.string() })) });
const eventsSchema = z.object({ items: z.array(z.object({ state: z.string() })) });
const checkSchema = z.object({ standing: z.object({ state: z.string() }) });
const noteSchema = z.object({ note: z.string() });
const namesSchema = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })) });
const ruleSchema = z.object({ threshold: z.number() });

/** A value that is changed again and again. */
interface Changed {
  /** The last that was acknowledged. */
  known: string | number;
  /** Later ones, of which there was no answer. */
  perhaps: (string | number)[];
}

export interface AgentKey {
  readonly id: string;
  readonly key: string;
}

export interface Setup {
  readonly agents: readonly AgentKey[];
  /** A server whose reports are wrong. */
  readonly confused: AgentKey;
  readonly checks: ReadonlyMap<TargetName | PortName, string>;
  readonly heartbeats: readonly { readonly id: string; readonly pingKey: string }[];
}

export class Operator {
  readonly #client: Client;
  readonly #parts: ClientParts;
  readonly #notes = new Map<string, Changed>();
  #threshold: Changed = { known: 90, perhaps: [] };
  #hotRule = "";
  #count = 0;
  acknowledged = 0;

  constructor(parts: ClientParts) {
    this.#parts = parts;
    this.#client = new Client(parts, { name: "operator", port: MONITOR_PORT, from: "10.9.9.9" });
  }

  call(path: string, call: Call = {}, tries?: number): Promise<Answer | undefined> {
    const headers = { ...call.headers, "x-admin-token": ADMIN_TOKEN };
    return this.#client.insist(path, { ...call, headers }, tries);
  }

  /** @throws Violation unless it is answered with one of these statuses */
  async must(path: string, call: Call, ...statuses: number[]): Promise<unknown> {
    const answer = await this.call(path, call, 20);
    if (answer === undefined || !statuses.includes(answer.status))
      throw new Violation(
        `operator: ${call.method} ${path} → ${answer?.status} ${JSON.stringify(answer?.json)}`,
      );
    return answer.json;
  }

  async #add(path: string, body: object): Promise<string> {
    return idSchema.parse(await this.must(path, { method: "POST", body }, 201)).id;
  }

  /** Sets the monitor up, before there is any trouble. */
  async prepare(count: number): Promise<Setup> {
    await this.#add("/api/admin/channels", {
      type: "http",
      name: "Hooks",
      url: `https://${HOOKS}/alerts`,
      body: HOOK_BODY,
      perAlert: true,
    });
    await this.#add("/api/admin/channels", { type: "email", name: "Mail", to: ["duty@example.org"] });
    const rule = (name: string, more: object): Promise<string> =>
      this.#add("/api/admin/alert-rules", { name, allChannels: true, ...more });
    await rule("Outage", { kind: "offline", graceSeconds: GRACE_SECONDS, severity: "critical" });
    await rule("Down", { kind: "check" });
    this.#hotRule = await rule("Hot", {
      kind: "metric",
      metric: "cpu.usagePercent",
      op: ">",
      threshold: 90,
      forSeconds: 60,
    });
    const agents: AgentKey[] = [];
    for (let number = 0; number < count; number += 1)
      agents.push(await this.#addServer(`Server ${number}`, `server-${number}`));
    const checks = new Map<TargetName | PortName, string>();
    for (const name of targets)
      checks.set(
        name,
        await this.#addCheck(name, { kind: "http", url: `http://${hostOf(name)}/`, ...rules[name] }),
      );
    for (const name of ports) checks.set(name, await this.#addCheck(name, toPortTarget(name)));
    await this.#addPage(checks);
    return {
      agents,
      confused: await this.#addServer("Confused", "confused"),
      checks,
      heartbeats: [await this.#addHeartbeat("Job 0"), await this.#addHeartbeat("Job 1")],
    };
  }

  async #addServer(name: string, wantedId: string): Promise<AgentKey> {
    const made = await this.must("/api/admin/servers", { method: "POST", body: { name, id: wantedId } }, 201);
    const { id, agentKey: key } = serverSchema.parse(made);
    this.#notes.set(id, { known: "", perhaps: [] });
    return { id, key };
  }

  #addCheck(name: string, target: object): Promise<string> {
    return this.#add("/api/admin/checks", {
      name,
      target,
      intervalSeconds: 30,
      retrySeconds: 10,
      failures: FAILURES,
      public: true,
    });
  }

  async #addHeartbeat(name: string): Promise<{ id: string; pingKey: string }> {
    const schedule = { type: "period", seconds: HEARTBEAT_SECONDS };
    const body = { name, target: { kind: "heartbeat", schedule, graceSeconds: 3 * HEARTBEAT_SECONDS } };
    return heartbeatSchema.parse(await this.must("/api/admin/checks", { method: "POST", body }, 201));
  }

  #addPage(checks: ReadonlyMap<string, string>): Promise<string> {
    const components = [...checks].map(([name, checkId]) => ({ name, source: { type: "check", checkId } }));
    return this.#add("/api/admin/status-pages", { slug: "status", title: "Status", components });
  }

  /** Works until it is over. */
  async work(isOver: () => boolean): Promise<void> {
    const { kernel, random } = this.#parts;
    while (!isOver()) {
      await kernel.sleep(random.wait(90_000));
      if (isOver()) return;
      if (random.chance(0.3)) await this.#changeRule();
      else await this.#changeNote();
    }
  }

  async #change(changed: Changed, value: string | number, path: string, body: object): Promise<void> {
    changed.perhaps.push(value);
    // Not repeated: a later change would be undone.
    const answer = await this.call(path, { method: "PATCH", body }, 1);
    if (answer?.status !== 200) return;
    changed.known = value;
    changed.perhaps = [];
    this.acknowledged += 1;
  }

  async #changeNote(): Promise<void> {
    const { random } = this.#parts;
    const [id, changed] = [...this.#notes][random.below(this.#notes.size)] ?? [];
    if (id === undefined || changed === undefined) return;
    this.#count += 1;
    const note = `Note ${this.#count}`;
    const name = `${id.replace("s", "S").replace("-", " ")} (${note})`;
    await this.#change(changed, note, `/api/admin/servers/${id}`, { note, name });
  }

  async #changeRule(): Promise<void> {
    const threshold = 90 + this.#parts.random.below(5);
    await this.#change(this.#threshold, threshold, `/api/admin/alert-rules/${this.#hotRule}`, { threshold });
  }

  /** Whether every check of the health page passes and every agent is online. */
  async isWell(): Promise<boolean> {
    const health = await this.call("/api/health", {}, 1);
    if (health?.status !== 200 || !JSON.stringify(health.json).includes('"status":"ok"')) return false;
    const fleet = await this.call("/api/admin/servers", {}, 1);
    if (fleet?.status !== 200) return false;
    return fleetSchema.parse(fleet.json).items.every(({ state }) => state === "online");
  }

  async countWaiting(): Promise<number> {
    const answer = await this.call("/api/admin/notifications?state=waiting&limit=100", {}, 1);
    const page = z.object({ items: z.array(z.unknown()) }).safeParse(answer?.json);
    return answer?.status === 200 && page.success ? page.data.items.length : Infinity;
  }

  async findState(checkId: string): Promise<string> {
    const json = await this.must(`/api/admin/checks/${checkId}`, { method: "GET" }, 200);
    return checkSchema.parse(json).standing.state;
  }

  /** How often a check went down. */
  async countFalls(checkId: string): Promise<number> {
    const json = await this.must(`/api/admin/checks/${checkId}/events?limit=100`, { method: "GET" }, 200);
    return eventsSchema.parse(json).items.filter(({ state }) => state === "down").length;
  }

  /** A page that everyone sees has the names that were acknowledged. @throws Violation */
  async checkNames(witness: Operator, where: string): Promise<void> {
    const { items } = namesSchema.parse(await witness.must("/api/servers", { method: "GET" }, 200));
    const names = new Map(items.map(({ id, name }) => [id, name]));
    for (const [id, { known, perhaps }] of this.#notes) {
      const name = names.get(id) ?? "";
      const notes = [known, ...perhaps].filter((note) => note !== "");
      if (known !== "" && !notes.some((note) => name.endsWith(`(${note})`)))
        throw new Violation(`${where} shows ${id} as "${name}", and its last note is "${known}"`);
    }
  }

  /** Adds a rule that every agent breaks. */
  addLastRule(): Promise<string> {
    const breaks = { metric: "memory.usedBytes", op: ">", threshold: 1, forSeconds: 0 };
    return this.#add("/api/admin/alert-rules", {
      name: "Last",
      kind: "metric",
      allChannels: true,
      ...breaks,
    });
  }

  /** What was acknowledged is there. @throws Violation */
  async check(): Promise<void> {
    const isAs = (changed: Changed, found: string | number): boolean =>
      found === changed.known || changed.perhaps.includes(found);
    for (const [id, changed] of this.#notes) {
      const { note } = noteSchema.parse(await this.must(`/api/admin/servers/${id}`, { method: "GET" }, 200));
      if (!isAs(changed, note)) throw new Violation(`The note of ${id} is "${note}", not "${changed.known}"`);
    }
    const rule = await this.must(`/api/admin/alert-rules/${this.#hotRule}`, { method: "GET" }, 200);
    const { threshold } = ruleSchema.parse(rule);
    if (!isAs(this.#threshold, threshold))
      throw new Violation(`The threshold is ${threshold}, not ${this.#threshold.known}`);
  }
}
