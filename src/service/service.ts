/** The interface between `main.ts` and a service's composition; the same for each service. */
import type { Bus } from "../bus/bus.ts";
import type { Config } from "../config.ts";
import type { ServiceName } from "../kit/services.ts";
import type { Clock } from "../kit/time/clock.ts";
import type { Log } from "../kit/observe/log.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { Backups } from "./backup/backups.ts";
import type { Gateway } from "./gateway.ts";
import type { Updates } from "./updates.ts";

export interface ServiceContext {
  /** The listener that the services of this process share. */
  readonly gateway?: Gateway | undefined;
  readonly config: Config;
  /** All that this process runs. */
  readonly services: readonly ServiceName[];
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly log: Log;
  /** Joins the processes of this service; closed by who made it, after the service's stop. */
  readonly bus: Bus;
  /** SHA-256 of the administrator tokens that count, hex. */
  readonly tokenHashes: readonly string[];
  /** The backups of the data folder, where there is a place for them. */
  readonly backups?: Backups | undefined;
  /** Newer versions, if the check is enabled. */
  readonly updates?: Pick<Updates, "newer"> | undefined;
  /** Called when a right token came for the first time since the start. */
  readonly onTokenUse?: () => void;
}

export interface RunningService {
  /** Lines for people: where it listens. */
  readonly addresses: readonly string[];
  /** Stops taking work, finishes what runs within `graceMs`, and closes the store. */
  stop(options: { graceMs: number }): Promise<void>;
}

export type StartService = (context: ServiceContext) => Promise<RunningService>;
