/** The order in which servers are shown. */
import { AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { servers } from "./records.ts";
import type { ServerRecord } from "../base/schema.ts";

/** Reads all servers in display order inside a transaction or view. */
export function readInOrder(tx: Pick<ReadTx, "list">): Promise<ServerRecord[]> {
  return listEvery(tx, servers, { index: "byDisplayOrder" });
}

function assertSameServers(all: readonly ServerRecord[], ids: readonly string[]): void {
  const asked = new Set(ids);
  const missing = all.filter((server) => !asked.has(server.id)).length;
  const known = new Set(all.map((server) => server.id));
  const unknown = ids.filter((id) => !known.has(id)).length;
  const repeated = ids.length - asked.size;
  if (missing === 0 && unknown === 0 && repeated === 0) return;
  throw new AppError(
    "invalid",
    `"ids" must contain every server exactly once: ${missing} missing, ${unknown} unknown, ${repeated} repeated`,
    {
      errors: [{ pointer: "/ids", code: "not_a_permutation", message: "Send each server's id exactly once" }],
    },
  );
}

/**
 * Puts the servers in the order of `ids` inside the caller's transaction.
 * @throws AppError `invalid` unless `ids` names each server exactly once
 */
export async function putInOrder(tx: Tx, ids: readonly string[]): Promise<void> {
  const all = await readInOrder(tx);
  assertSameServers(all, ids);
  const byId = new Map(all.map((server) => [server.id, server]));
  for (const [index, id] of ids.entries()) {
    const server = byId.get(id);
    if (server === undefined || server.displayOrder === index + 1) continue;
    await tx.put(servers, { ...server, displayOrder: index + 1 });
  }
}
