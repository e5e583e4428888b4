/**
 * What may happen to a fleet, and the notifications that people must get, written from the specification and not from
 * the code: it reads the messages as a person would.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { IncidentRecord } from "../../../src/monitor/alerts/schema.ts";
import { type AlertsBench, type Told, createAlertsBench } from "./alerts-bench.ts";

/** More than 10, so that all at once are a mass. */
export const FLEET: readonly string[] = Array.from({ length: 14 }, (_, index) => `s${index}`);

/** One thing that happens. */
export type Happening =
  | { readonly type: "down" | "up"; readonly servers: readonly string[] }
  | { readonly type: "pass"; readonly seconds: number }
  | { readonly type: "restart" }
  | { readonly type: "mute"; readonly server: string; readonly minutes: number | undefined }
  | { readonly type: "unmute" | "disable" | "enable" | "remove" | "add"; readonly server: string }
  | { readonly type: "quiet"; readonly minutes: number }
  | { readonly type: "loud" }
  | { readonly type: "rule"; readonly grace: number; readonly enabled: boolean }
  | { readonly type: "broken disk"; readonly seconds: number };

const server = fc.constantFrom(...FLEET);
const some = fc.oneof(
  { weight: 3, arbitrary: fc.array(server, { minLength: 1, maxLength: 3 }) },
  fc.subarray([...FLEET], { minLength: 1 }),
);

/** Anything that may happen; time passing and servers failing are the most common. */
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("down" as const), servers: some }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("up" as const), servers: some }) },
  {
    weight: 10,
    arbitrary: fc.record({ type: fc.constant("pass" as const), seconds: fc.integer({ min: 1, max: 120 }) }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("restart" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("mute" as const),
      server,
      minutes: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom("unmute", "disable", "enable", "remove", "add"),
      server,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("quiet" as const), minutes: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("loud" as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("rule" as const),
      grace: fc.integer({ min: 0, max: 90 }),
      enabled: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("broken disk" as const),
      seconds: fc.integer({ min: 1, max: 40 }),
    }),
  },
);

/** Which servers a message tells of, in the order of time: "down", "up" or both. */
export function readMessage({
  kind,
  title,
  text,
}: Told): readonly (readonly [serverId: string, what: "down" | "up"])[] {
  const nameOf = (line: string): string =>
    /^(?:\S+ )?(s\d+)\b/u.exec(line)?.[1] ?? assert.fail(`No server in "${line}"`);
  const lines = text.split("\n");
  if (!lines.some((line) => line.startsWith("- "))) {
    if (kind === "resolved") return [[nameOf(title), "up"]];
    const isOver = lines.some((line) => line.startsWith("From "));
    const down: [string, "down"] = [nameOf(title), "down"];
    return isOver ? [down, [down[0], "up"]] : [down];
  }
  const sections = new Map<string, string[]>();
  let heading = "";
  for (const line of lines) {
    if (line.startsWith("- ")) sections.get(heading)?.push(nameOf(line.slice(2)));
    else sections.set((heading = line), []);
  }
  // The most urgent comes first; by time the order is reversed.
  return [
    ...(sections.get("Resolved:") ?? []).map((id) => [id, "up"] as const),
    ...(sections.get("Fired and resolved:") ?? []).flatMap((id) => [
      [id, "down"] as const,
      [id, "up"] as const,
    ]),
    ...(sections.get("Still firing:") ?? []).map((id) => [id, "down"] as const),
  ];
}

/** A fleet to which things happen, and what was seen of it. */
export class Fleet {
  readonly bench: AlertsBench;
  readonly told: Told[] = [];
  /** When each server began to report again, or was deleted: an outage ends there. */
  readonly #lives = new Map<string, number[]>();
  readonly #there = new Set(FLEET);
  #grace = 60;
  #enabled = true;
  #ruleId = "";

  constructor(bench: AlertsBench) {
    this.bench = bench;
  }

  async start(): Promise<void> {
    this.bench.up(...FLEET);
    const { id } = await this.bench.rule({ kind: "offline", graceSeconds: this.#grace, severity: "warning" });
    this.#ruleId = id;
    await this.bench.rule({ kind: "offline", graceSeconds: 20, severity: "critical", channelIds: ["b"] });
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await this.bench.pass(1).catch((error: unknown) => {
        if (!this.bench.failing) throw error;
      });
    }
    this.told.push(...(await this.bench.takeTold()));
  }

  async happen(event: Happening): Promise<void> {
    const { bench } = this;
    switch (event.type) {
      case "down":
        return bench.down(...event.servers.filter((id) => this.#there.has(id)));
      case "up":
        return this.#up(event.servers.filter((id) => this.#there.has(id)));
      case "pass":
        return this.pass(event.seconds);
      case "restart":
        return bench.restart();
      case "mute": {
        const { minutes } = event;
        const until = new Date(bench.clock.now() + (minutes ?? 0) * 60_000).toISOString();
        return this.#change(event.server, { mute: minutes === undefined ? {} : { until } });
      }
      case "unmute":
        return this.#change(event.server, { mute: undefined });
      case "disable":
      case "enable":
        return this.#change(event.server, { disabled: event.type === "disable" });
      case "remove":
        if (this.#there.delete(event.server)) bench.remove(event.server);
        return this.#live(event.server);
      case "add":
        if (!this.#there.has(event.server)) bench.server(event.server);
        this.#there.add(event.server);
        return undefined;
      case "quiet":
        return bench.quietHours({
          from: new Date(bench.clock.now()).toISOString().slice(11, 16),
          to: new Date(bench.clock.now() + event.minutes * 60_000).toISOString().slice(11, 16),
        });
      case "loud":
        return bench.quietHours({ enabled: false });
      case "rule":
        this.#grace = event.grace;
        this.#enabled = event.enabled;
        return this.#setRule();
      case "broken disk":
        bench.failing = true;
        await this.pass(event.seconds);
        bench.failing = false;
        return undefined;
    }
  }

  /** Everything is up, and stays so until all notifications are sent. */
  async settle(): Promise<void> {
    for (const id of FLEET) {
      this.#there.add(id);
      this.bench.server(id, { disabled: false, mute: undefined });
    }
    await this.bench.quietHours({ enabled: false });
    this.#enabled = true;
    this.#grace = 60;
    await this.#setRule();
    this.#up([...FLEET]);
    await this.pass(100);
  }

  /** When the outage that an incident is about ended; Infinity while it lasts. Epoch milliseconds. */
  endOf({ serverId = "", since }: IncidentRecord): number {
    return this.#lives.get(serverId)?.find((at) => at > since) ?? Infinity;
  }

  #up(ids: readonly string[]): void {
    this.bench.up(...ids);
    for (const id of ids) this.#live(id);
  }

  #live(id: string): void {
    this.#lives.set(id, [...(this.#lives.get(id) ?? []), this.bench.clock.now()]);
  }

  #change(id: string, fields: Parameters<AlertsBench["server"]>[1]): void {
    if (this.#there.has(id)) this.bench.server(id, fields);
  }

  async #setRule(): Promise<void> {
    await this.bench.replaceRule(this.#ruleId, {
      kind: "offline",
      graceSeconds: this.#grace,
      enabled: this.#enabled,
      severity: "warning",
    });
  }
}

/** Creates a fleet that is up, with a rule for channel "a" and a critical one for "b". */
export async function createFleet(): Promise<Fleet> {
  const fleet = new Fleet(await createAlertsBench());
  await fleet.start();
  return fleet;
}
