/** Whether a request comes from where an account was signed in to before: strangers' requests do not count against it. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx } from "../../store/store.ts";
import type { Caller } from "../base/caller.ts";
import { isDeviceOf } from "../sessions/devices.ts";
import { sessions } from "../sessions/records.ts";

/** Sessions looked at, the newest first; an account has no more. */
const SESSIONS = 50;

/** Whether a session of the account came from the caller's network; an administrator's look into it does not count. */
export async function isKnownNetwork(tx: ReadTx, userId: string, caller: Caller): Promise<boolean> {
  const page = { prefix: [userId], limit: SESSIONS, reverse: true };
  const { items } = await tx.list(sessions, "byUser", page);
  return items.some(
    ({ ipPrefix, impersonatedBy }) => ipPrefix === caller.ipPrefix && impersonatedBy === undefined,
  );
}

/**
 * The same, or a device that the account has signed in on. `userId` is "" for an unknown account, which costs as much.
 */
export async function isKnownCaller(
  tx: ReadTx,
  box: SecretBox,
  parts: { userId: string; caller: Caller; nowMs: number },
): Promise<boolean> {
  const { userId, caller, nowMs } = parts;
  const isNetwork = await isKnownNetwork(tx, userId, caller);
  return isDeviceOf(box, caller.device, { userId, nowMs }) || isNetwork;
}
