/** The secret part of a heartbeat's addresses: a new one, or the one that it has elsewhere already. */
import { AppError } from "../../kit/errors.ts";
import { newCodeText } from "../../kit/secrets/id.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { type Store, StoreError } from "../../store/store.ts";
import { checks } from "../checks/records.ts";
import { isHeartbeat } from "./pings.ts";

/** 130 bits. */
const KEY_CHARACTERS = 26;

export interface PingKeysDeps {
  readonly store: Store;
  readonly clock: Clock;
}

/** A check's key, and the version that the check has with it. */
export interface KeyOfCheck {
  readonly pingKey: string;
  readonly version: number;
}

/**
 * Sets the key of a heartbeat; URLs with the earlier one stop working at once.
 * @throws AppError `not_found`; `conflict` when another heartbeat has the key
 */
export async function changePingKey(
  { store, clock }: PingKeysDeps,
  id: string,
  { pingKey = newCodeText(KEY_CHARACTERS), actor }: { pingKey?: string | undefined; actor: AuditActor },
): Promise<KeyOfCheck> {
  try {
    const version = await store.transact(async (tx) => {
      const record = await tx.get(checks, id);
      if (!isHeartbeat(record)) throw new AppError("not_found", `The heartbeat "${id}" does not exist`);
      await writeAudit(tx, { actor, action: "check.rotate_ping_key", target: id }, clock);
      const kept = await tx.put(checks, { ...record, pingKey, updatedAt: clock.now() });
      return kept.version;
    });
    return { pingKey, version };
  } catch (error) {
    if (!(error instanceof StoreError) || error.details.constraint !== "pingKey") throw error;
    throw new AppError("conflict", "Another heartbeat already uses this key", { cause: error });
  }
}
