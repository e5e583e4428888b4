/**
 * Devices that signed in to an account before: strangers' wrong guesses lock the account, but not for them (OWASP,
 * "device cookies").
 */
import { newCodeText } from "../../kit/secrets/id.ts";
import type { SecretBox } from "../../kit/secrets/secret-box.ts";

/** Life of a device token, renewed by each sign-in. */
export const DEVICE_SECONDS = 180 * 86_400;
const PURPOSE = "device";

/** A token for the device that has just signed in to an account. */
export function newDeviceToken(box: SecretBox, owner: { userId: string; nowMs: number }): string {
  const body = `${newCodeText(16)}.${Math.floor(owner.nowMs / 1_000)}`;
  return `${body}.${box.mac(`${owner.userId}/${body}`, PURPOSE)}`;
}

/** Whether `token` was given to a device that signed in to this account. */
export function isDeviceOf(
  box: SecretBox,
  token: string | undefined,
  owner: { userId: string; nowMs: number },
): boolean {
  const parts = /^([0-9a-z]{16}\.(\d{1,12}))\.([\w-]{43})$/u.exec(token ?? "");
  const [, body, issuedSeconds, mac] = parts ?? [];
  if (body === undefined || issuedSeconds === undefined) return false;
  const ageSeconds = owner.nowMs / 1_000 - Number(issuedSeconds);
  // Compared as keyed hashes of keyed hashes: the time of a plain comparison tells nothing of use.
  const expected = box.mac(box.mac(`${owner.userId}/${body}`, PURPOSE), "compare");
  return ageSeconds < DEVICE_SECONDS && ageSeconds > -60 && box.mac(mac ?? "", "compare") === expected;
}
