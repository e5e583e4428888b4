/** The parts of heartbeats, made together. */
import type { Bus } from "../../bus/bus.ts";
import type { LimitSource } from "../../bus/shared-limit.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { AuditActor } from "../../records/audit.ts";
import type { Store } from "../../store/store.ts";
import type { CheckDirectory, CheckIntake } from "../checks/standings.ts";
import { type KeyOfCheck, changePingKey } from "./ping-keys.ts";
import { Pings } from "./pings.ts";
import { HeartbeatWatch } from "./watch.ts";

export interface HeartbeatsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly bus: Bus;
  readonly limits: LimitSource;
  readonly checkDirectory: Pick<
    CheckDirectory,
    "records" | "findRecord" | "recordsRevision" | "findStanding"
  >;
  /** Who of them leads. */
  readonly nodes: { readonly isLeader: boolean };
  /** Told by the leader alone how a heartbeat stands. */
  readonly checkIntake: Pick<CheckIntake, "judge">;
}

/** Makes them. Call `watch.load()` before pings are taken. */
export function createHeartbeats(deps: HeartbeatsDeps) {
  const watch = new HeartbeatWatch(deps);
  const pings = new Pings({ ...deps, onTaken: ({ state }) => watch.take(state) });
  return {
    pings,
    watch,
    changePingKey: (
      id: string,
      change: { pingKey?: string | undefined; actor: AuditActor },
    ): Promise<KeyOfCheck> => changePingKey(deps, id, change),
  };
}

export type Heartbeats = ReturnType<typeof createHeartbeats>;
