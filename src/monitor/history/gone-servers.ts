/** Rollups of servers that are gone. */
import type { Clock } from "../../kit/time/clock.ts";
import type { RollupStore } from "../../store/series/rollups/rollups.ts";
import { type KeyedServer, toKey } from "../base/server-key.ts";

/** At the first call, and then so often. */
const LOOK_MS = 3_600_000;

/** Creates what forgets servers that are gone; call it as often as you like. */
export function createForgetting(deps: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly rollups: RollupStore;
  readonly nodes?: { readonly listServers: () => Promise<readonly KeyedServer[]> };
  /** Whose a key is; default: its own. */
  readonly ownerOf?: (key: string) => string;
}): () => Promise<void> {
  const { clock, rollups, nodes, ownerOf = (key) => key } = deps;
  let lookedMs = -Infinity;
  return async () => {
    if (nodes === undefined || clock.monotonic() - lookedMs < LOOK_MS) return;
    const lookedBefore = lookedMs;
    lookedMs = clock.monotonic();
    try {
      // The keys first: so the server of each one that is in use is found.
      const keys = await rollups.keys();
      if (keys.length === 0) return;
      const known = new Set((await nodes.listServers()).map(({ id, createdAt }) => toKey(id, createdAt)));
      for (const key of keys) if (!known.has(ownerOf(key))) await rollups.drop(key);
    } catch (error) {
      lookedMs = lookedBefore;
      throw error;
    }
  };
}
