/** Changes that say which version of a record they were made from. */
import { AppError } from "../kit/errors.ts";
import type { AuditActor } from "./audit.ts";

/** The version that a change was made from; either, both or none. */
export interface ExpectedVersion {
  /** From the body; a stale one is `version_conflict`. */
  readonly version?: number | undefined;
  /** From If-Match; a stale one is `stale_version`. */
  readonly ifMatch?: number | undefined;
}

/** The actor of a change, and the version that it is based on. */
export interface ChangedBy extends ExpectedVersion {
  readonly actor: AuditActor;
}

/** Throws `stale_version` or `version_conflict` unless what was expected is the current version. */
export function assertVersion(current: number, { version, ifMatch }: ExpectedVersion, noun = "record"): void {
  const message = `Someone else changed the ${noun}. Reload it and try again`;
  const details = { currentVersion: current };
  if (ifMatch !== undefined && ifMatch !== current) throw new AppError("stale_version", message, { details });
  if (version !== undefined && version !== current)
    throw new AppError("version_conflict", message, { details });
}
