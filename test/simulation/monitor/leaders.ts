/** Which node leads: as its database has it, and by what the nodes do. */
import { nodeLeases } from "../../../src/records/node-leases.ts";
import { owners } from "../../../src/monitor/base/records.ts";
import { LEADER_ID, ownerRecordSchema } from "../../../src/monitor/base/schema.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import type { DatabaseServer } from "../postgres/server.ts";
import { Violation } from "../world/client.ts";

/** A lease that is not renewed is held for 5 seconds; the rest is for what was claimed until then. */
const LEASE_MS = 10_000;
/** What was under way when a process hung goes on when it runs again. */
const RESUMED_MS = 1_000;

export class Leaders {
  readonly #kernel: Kernel;
  /** Processes by the names that they give themselves. */
  readonly #processes = new Map<string, Owner>();
  /** Until when each process led; Infinity: it does. */
  readonly #ledUntil = new Map<Owner, number>();
  terms = 0;

  constructor(kernel: Kernel, database: DatabaseServer) {
    this.#kernel = kernel;
    database.onCommit = (client, { writes }) => {
      for (const { table, id, after } of writes.values()) {
        if (after === undefined) continue;
        if (table.collection.name === nodeLeases.name) this.#processes.set(id, client);
        if (table.collection.name === owners.name && id === LEADER_ID)
          this.#follow(ownerRecordSchema.omit({ id: true, version: true }).parse(after.doc).node);
      }
    };
  }

  #follow(node: string): void {
    const next = this.#processes.get(node);
    for (const [process, untilMs] of this.#ledUntil)
      if (untilMs === Infinity && process !== next) this.#ledUntil.set(process, this.#kernel.nowMs);
    if (next === undefined) return;
    this.#ledUntil.set(next, Infinity);
    this.terms += 1;
    this.#kernel.trace(`${next.name} leads`);
  }

  /** A process does what the leader does. */
  act(process: Owner, what: string): void {
    const { nowMs } = this.#kernel;
    if (nowMs - (process.pausedUntilMs ?? -Infinity) < RESUMED_MS) return;
    const agoMs = nowMs - (this.#ledUntil.get(process) ?? -Infinity);
    if (agoMs > LEASE_MS)
      this.#kernel.fail(
        new Violation(`${process.name}: ${what}; another node has led for ${agoMs.toFixed(0)} ms`),
      );
  }
}
