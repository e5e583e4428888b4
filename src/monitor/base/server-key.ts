/** Names a server so that one that was made again under its id has another name; no clock decides which is which. */

/** A server, told from one that was made again under its id. */
export interface KeyedServer {
  readonly id: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** The name of a server in rollups and in the sample log. Ids have no dot. */
export function toKey(serverId: string, createdAt: number): string {
  return `${serverId}.${createdAt.toString(36)}`;
}

/** Reads {@link toKey}; programs before it put the bare id into the sample log, which has no `createdAt`. */
export function parseKey(key: string): { readonly id: string; readonly createdAt?: number } {
  const dot = key.indexOf(".");
  return dot < 0
    ? { id: key }
    : { id: key.slice(0, dot), createdAt: Number.parseInt(key.slice(dot + 1), 36) };
}

/**
 * The server that a stored row belongs to, or why it belongs to none: its server was deleted, or another was created
 * under its ID.
 */
export type RowOwner = { readonly id: string } | { readonly gone: "deleted" | "replaced" };

/** Creates what finds the owner of rows of the sample log, whose keys come again and again. */
export function createOwnerFinder(
  findRecord: (id: string) => { readonly createdAt: number } | undefined,
): (row: { readonly key: string; readonly receivedAt: number }) => RowOwner {
  const parsed = new Map<string, ReturnType<typeof parseKey>>();
  return ({ key, receivedAt }) => {
    const named = parsed.get(key) ?? parseKey(key);
    parsed.set(key, named);
    const { id, createdAt } = named;
    const record = findRecord(id);
    if (record === undefined) return { gone: "deleted" };
    // Rows that do not name their server have nothing but the time to tell by.
    const isOwner = createdAt === undefined ? receivedAt >= record.createdAt : createdAt === record.createdAt;
    return isOwner ? { id } : { gone: "replaced" };
  };
}
