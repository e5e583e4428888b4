/** The parts of heartbeats, made together. */
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { AuditActor } from "../../records/audit.ts";
import { type KeyOfCheck, changePingKey } from "./ping-keys.ts";
import { PingSlugs, type PingSlugsDeps } from "./ping-slugs.ts";
import { Pings } from "./pings.ts";
import { HeartbeatWatch, type WatchDeps } from "./watch.ts";

export interface HeartbeatsDeps extends WatchDeps, Pick<PingSlugsDeps, "pingKey" | "checks"> {
  readonly limits: LimitSource;
}

/** Creates them. Call `watch.load()` before pings are taken. */
export function createHeartbeats(deps: HeartbeatsDeps) {
  const watch = new HeartbeatWatch(deps);
  const pings = new Pings({ ...deps, onTaken: ({ state }) => watch.take(state) });
  return {
    pings,
    slugs: new PingSlugs(deps, pings),
    watch,
    changePingKey: (
      id: string,
      change: { pingKey?: string | undefined; actor: AuditActor },
    ): Promise<KeyOfCheck> => changePingKey(deps, id, change),
  };
}

export type Heartbeats = ReturnType<typeof createHeartbeats>;
