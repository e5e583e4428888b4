/** Effects of changed servers. */
import type { PublicSnapshot } from "../fleet/snapshot.ts";
import type { Servers } from "../fleet/servers.ts";
import type { AgentRegistry } from "../ingest/agent-registry.ts";
import type { ServerRecord } from "../base/schema.ts";

/** The differences between the current records and the known ones. */
function findChanges(
  before: readonly ServerRecord[],
  now: readonly ServerRecord[],
): { readonly gone: readonly ServerRecord[]; readonly withNewKey: readonly string[] } {
  const byId = new Map(now.map((record) => [record.id, record]));
  const gone = before.filter(({ id, createdAt }) => byId.get(id)?.createdAt !== createdAt);
  const withNewKey = before.filter(({ id, keys }) => byId.get(id)?.keys[0]?.hash !== keys[0]?.hash);
  return { gone, withNewKey: withNewKey.map(({ id }) => id) };
}

/** Whatever changed a record, this process or another on the same store: all that follows is done here. */
export function takeRecords(
  records: readonly ServerRecord[],
  parts: {
    publicSnapshot: PublicSnapshot;
    registry: AgentRegistry;
    /** Forget servers that are gone. */
    dropped: readonly { drop(serverId: string, record: ServerRecord): void }[];
  },
): void {
  const { publicSnapshot, registry, dropped } = parts;
  const { gone, withNewKey } = findChanges(publicSnapshot.records(), records);
  publicSnapshot.reload(records);
  registry.review((id) => publicSnapshot.findRecord(id));
  for (const record of gone) for (const part of dropped) part.drop(record.id, record);
  // Both users of the old key are disconnected: duplicates of it say nothing about the new key.
  for (const id of withNewKey) registry.clearDuplicate(id);
}

/** Servers as agents find them, who tell of their machines. */
export function withFreshRecords(
  servers: Servers,
  {
    publicSnapshot,
    refresh,
  }: { publicSnapshot: Pick<PublicSnapshot, "findRecord">; refresh: () => Promise<void> },
): Servers {
  return {
    ...servers,
    find: async (id) => {
      const record = await servers.find(id);
      // An agent may connect with a key that another process made a moment ago.
      if (record !== undefined && publicSnapshot.findRecord(id)?.version !== record.version) await refresh();
      return record;
    },
    // Others find it by themselves: agents that all reconnect at once must not make all nodes reload everything.
    noteFacts: async (id, facts) => {
      await servers.noteFacts(id, facts);
      await refresh();
    },
  };
}
