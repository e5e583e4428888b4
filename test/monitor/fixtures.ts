/** What the monitor's tests share: a store in memory, and what fills it. */
import type { Clock } from "../../src/kit/time/clock.ts";
import type { AuditActor } from "../../src/records/audit.ts";
import { createTiers } from "../../src/monitor/history/tiers.ts";
import { monitorCollections } from "../../src/monitor/app/records.ts";
import { type ServerFields, retentionSchema, serverFieldsSchema } from "../../src/monitor/base/schema.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import { createMemoryRollups } from "../../src/store/series/rollups/memory-rollups.ts";
import type { RollupStore } from "../../src/store/series/rollups/rollups.ts";
import type { Store } from "../../src/store/store.ts";
import { withTestKey } from "../support/audited-store.ts";

export function createTestStore(): Store {
  return withTestKey(createMemoryStore({ collections: monitorCollections }));
}

/** Rollups in memory, with the tiers that a new installation has. */
export function createTestRollups(clock: Pick<Clock, "now">): RollupStore {
  return createMemoryRollups({ tiers: createTiers(retentionSchema.parse({})), clock });
}

export const actor: AuditActor = { name: "token", requestId: "req-1" };

export function fields(name: string, more: Partial<ServerFields> = {}): ServerFields {
  return serverFieldsSchema.parse({ name, ...more });
}
