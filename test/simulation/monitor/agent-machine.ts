/** A machine with the real agent: its connection, its queue and its ring on a disk; only what it measures is scripted. */
import { createAgent } from "../../../src/agent/agent.ts";
import { createChoices } from "../../../src/agent/choices.ts";
import { createCollectionTimes } from "../../../src/agent/collection-times.ts";
import { createLink } from "../../../src/agent/connection/link.ts";
import { createFactReader } from "../../../src/agent/facts.ts";
import { noLists } from "../../../src/agent/name-filter.ts";
import type { Measurements } from "../../../src/agent/payload.ts";
import { type Ring, openRing } from "../../../src/agent/queue/ring.ts";
import { systemTimers } from "../../../src/agent/timers.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { createLog } from "../../../src/kit/observe/log.ts";
import { systemClock } from "../../../src/kit/time/clock.ts";
import type { AgentFault } from "../faults/plan.ts";
import type { Pending } from "../kernel/kernel.ts";
import { Violation } from "../world/client.ts";
import { type Process, Computer } from "../world/computer.ts";
import { type StreamParts, createSimulatedTransport } from "../world/streams.ts";

export const GRPC_PORT = 50_051;
const FOLDER = "/simulated/agent";
/** As the agent's own limit: a day at one a minute, and what is under way. */
const RING_LIMIT = 1_440 + 60 + 64;

/** What a report said of itself. */
export interface SentReport {
  readonly usedBytes: number;
  readonly rx: number;
  readonly tx: number;
  /** The life of the machine: its counters begin with each. */
  readonly boot: number;
  /** When it was put into the queue, in virtual milliseconds. */
  readonly takenMs: number;
}

export interface AgentMachineParts extends Pick<
  StreamParts,
  "kernel" | "outside" | "random" | "findMachine"
> {
  readonly intervalMs: number;
}

export interface AgentPlace {
  readonly id: string;
  readonly key: string;
  readonly number: number;
}

interface AgentLife extends Process {
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  ring: Ring | undefined;
}

export class AgentMachine extends Computer<AgentLife> {
  readonly #parts: AgentMachineParts;
  readonly place: AgentPlace;
  /** Every report that was put into the queue, by its time. */
  readonly reports = new Map<number, SentReport>();
  /** When its acknowledgement came, in virtual milliseconds. */
  readonly acknowledged = new Map<number, number>();
  /** Since when the machine was off, and until when, in virtual milliseconds. */
  readonly outages: { readonly from: number; to: number }[] = [];
  isHot = false;
  #restart: Pending | undefined;
  #rx = 0;
  #tx = 0;

  constructor(parts: AgentMachineParts, place: AgentPlace) {
    super(parts.kernel, place.id);
    this.#parts = parts;
    this.place = place;
  }

  /** Reports that wait for their acknowledgement; undefined while it is off. */
  get waiting(): number | undefined {
    return this.process?.ring?.size;
  }

  #measure(): Measurements {
    const { random } = this.#parts;
    this.#rx += random.below(2_000_000);
    this.#tx += random.below(500_000);
    return {
      uptimeSeconds: 1,
      cpu: { usagePercent: this.isHot ? 97 : 5 + random.below(40) },
      memory: { totalBytes: 8e9, usedBytes: 1e9 + random.below(1e9) },
      network: { rxTotalBytes: this.#rx, txTotalBytes: this.#tx },
    };
  }

  #note(at: number, payloadJson: string): void {
    // As it was sent: what #measure returned, and no more.
    const { memory, network } = JSON.parse(payloadJson) as Required<Measurements>;
    if (memory.usedBytes === undefined) return;
    if (this.reports.has(at)) throw new Violation(`${this.name} gave two reports one time`);
    const { rxTotalBytes: rx, txTotalBytes: tx } = network;
    const { nowMs: takenMs } = this.kernel;
    this.reports.set(at, { usedBytes: memory.usedBytes, rx, tx, boot: this.boots, takenMs });
  }

  /** The agent's queue, seen on its way in. */
  #watch(ring: Ring): Ring {
    return {
      next: ring.next,
      remove: ring.remove,
      thin: ring.thin,
      spill: ring.spill,
      close: ring.close,
      add: (report) => {
        this.#note(report.collectedAtUnixMs, report.payloadJson);
        ring.add(report);
      },
      get size() {
        return ring.size;
      },
      get last() {
        return ring.last;
      },
    };
  }

  /** Starts the agent, unless it runs. */
  start(): void {
    const { kernel } = this;
    if (this.isRunning) return;
    this.#restart?.cancel();
    const outage = this.outages.at(-1);
    if (outage?.to === Infinity) outage.to = kernel.nowMs;
    const owner = this.createOwner();
    const stop = new AbortController();
    const life: AgentLife = {
      owner,
      stop,
      waiting: new Set(),
      ring: undefined,
      ended: this.runAs(owner, () => this.#run(life)).catch((error: unknown) => kernel.fail(error)),
    };
    this.process = life;
  }

  async #run(life: AgentLife): Promise<void> {
    const { place } = this;
    const { kernel, outside, random, findMachine, intervalMs } = this.#parts;
    const log = createLog({ level: "error", write: (line) => kernel.note(`log ${line}`), pretty: false });
    const shared = { clock: systemClock, timers: systemTimers, log };
    const facts = createFactReader(log);
    await nodeFileLayer.makeFolder(FOLDER);
    const path = `${FOLDER}/ring-${place.id}.jsonl`;
    const ring = this.#watch(await openRing({ ...shared, files: nodeFileLayer, path, limit: RING_LIMIT }));
    life.ring = ring;
    const nothing = async (): Promise<void> => undefined;
    const agent = createAgent({
      ...shared,
      facts,
      choices: createChoices(noLists),
      source: { measure: async () => this.#measure(), host: async () => ({ os: "linux", cpuCores: 2 }) },
      details: { run: nothing, refresh: nothing, next: () => ({}) },
      checks: { run: nothing, once: nothing, next: () => undefined },
      ring,
      times: createCollectionTimes(ring.last),
      intervalMs,
      createLink: (events) =>
        createLink({
          ...shared,
          events: {
            ...events,
            onAcknowledged: (at, tookMs) => {
              this.acknowledged.set(at, kernel.nowMs);
              events.onAcknowledged?.(at, tookMs);
            },
            onRejected: (_at, reason) =>
              kernel.fail(new Violation(`A report of ${this.name} was rejected: ${reason}`)),
          },
          identity: { serverId: place.id, agentKey: place.key, hostname: place.id },
          reports: ring,
          open: createSimulatedTransport({
            kernel,
            outside,
            random,
            findMachine,
            port: GRPC_PORT,
            from: `10.2.0.${place.number}`,
            onEnd: (tell) => life.waiting.add(tell),
          }),
          random: Math.random,
        }),
    });
    await agent.run(life.stop.signal);
  }

  /** Lets a fault happen, unless the machine is off; it starts again afterwards. */
  suffer({ kind, forMs }: AgentFault): void {
    const life = this.process;
    if (life === undefined) return;
    const { kernel } = this;
    this.outages.push({ from: kernel.nowMs, to: Infinity });
    if (kind === "agent-power") {
      this.cutPower();
      this.#rx = 0;
      this.#tx = 0;
    } else if (kind === "agent-kill") this.kill();
    else {
      kernel.after(0, () => life.stop.abort(), { owner: life.owner });
      void life.ended.then(() => {
        if (this.process === life) this.end("stop");
      });
    }
    this.#restart = kernel.after(Math.max(forMs, 5_000), () => this.start(), { owner: kernel.world });
  }
}
