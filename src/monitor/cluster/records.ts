/** The collection that says which node owns what: the leader's work, and the stream of each server. */
import { z } from "zod";
import { type Tx, defineCollection } from "../../store/store.ts";

/** Id of the record about the leader. */
export const LEADER_ID = "lead";

/** Changes only with the owner. The leader's is read in every transaction that only the leader may write. */
export const owners = defineCollection({
  name: "leads",
  revision: 1,
  schema: z.object({
    id: z.string(),
    version: z.number().int(),
    /** Empty when the last owner released it. */
    node: z.string(),
    /** Grows by one with each owner. */
    term: z.number().int(),
  }),
});

/** Id of the record about a server's stream. */
export function toStreamId(serverId: string): string {
  return `server:${serverId}`;
}

/** Makes a node the owner; resolves with its term, which is higher than any before. */
export async function own(tx: Tx, id: string, node: string): Promise<number> {
  const before = await tx.get(owners, id);
  const term = (before?.term ?? 0) + 1;
  if (before === undefined) await tx.insert(owners, { id, node, term });
  else await tx.put(owners, { ...before, node, term });
  return term;
}
