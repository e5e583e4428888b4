/** What the monitor's tests share: a store in memory, and what fills it. */
import type { Actor } from "../../src/monitor/audit.ts";
import { monitorCollections } from "../../src/monitor/records.ts";
import type { ServerFields } from "../../src/monitor/schema.ts";
import { serverFieldsSchema } from "../../src/monitor/schema.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";

export function createTestStore(): Store {
  return createMemoryStore({ collections: monitorCollections });
}

export const actor: Actor = { name: "token", requestId: "req-1" };

export function fields(name: string, more: Partial<ServerFields> = {}): ServerFields {
  return serverFieldsSchema.parse({ name, ...more });
}
