/** Parses the URLs of both families: those of healthchecks.io, and those of Uptime Kuma's push monitors. */
import { AppError } from "../../kit/errors.ts";
import type { Signal } from "./schema.ts";

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/iu;
const EXIT_STATUS = /^\d{1,9}$/u;
const MAX_EXIT_STATUS = 255;
/** Uptime Kuma takes times up to a day. */
const MAX_RUN_MS = 86_400_000;

/** Parses the suffix after the key; undefined for an unknown one. @throws AppError `bad_request` */
export function readSignal(
  part: string,
): { signal: Signal; exitStatus?: number; isMail?: boolean } | undefined {
  if (part === "") return { signal: "success" };
  if (part === "mail") return { signal: "success", isMail: true };
  if (part === "start" || part === "fail" || part === "log") return { signal: part };
  if (!EXIT_STATUS.test(part)) return undefined;
  const exitStatus = Number(part);
  if (exitStatus > MAX_EXIT_STATUS) throw new AppError("bad_request", "The exit status must be 0 to 255");
  return { signal: exitStatus === 0 ? "success" : "fail", exitStatus };
}

/** The run that `rid` names; "" for none. @throws AppError `bad_request` for what is no UUID */
export function readRunId(rid: string | undefined): string {
  if (rid === undefined) return "";
  if (!UUID.test(rid)) throw new AppError("bad_request", "rid must be a UUID");
  return rid.toLowerCase();
}

/** Uptime Kuma's `status`: everything but "up" is down there. */
export function readStatus(status: string | undefined): Signal {
  return status === undefined || status === "" || status === "up" ? "success" : "fail";
}

/** Uptime Kuma's `ping`, milliseconds. What is no time says nothing: the sign of life counts without it. */
export function readRunMs(ping: string | undefined): number | undefined {
  if (ping === undefined || ping.trim() === "") return undefined;
  const ms = Number(ping);
  return ms >= 0 && ms <= MAX_RUN_MS ? ms : undefined;
}

/** The sender's program, in one line. */
export function readUserAgent(header: string | undefined): string {
  const plain = (header ?? "").replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, " ");
  return plain.slice(0, 200);
}

/** The bytes of an encoded query parameter; a percent sign without a valid byte is kept as it is. */
export function readQueryBytes(url: string, name: string): Uint8Array {
  const at = url.indexOf("?");
  const pairs = at === -1 ? [] : (url.slice(at + 1).split("#")[0] ?? "").split("&");
  const given = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const written = new TextEncoder().encode(given.replaceAll("+", " "));
  const bytes = new Uint8Array(written.length);
  let size = 0;
  for (let from = 0; from < written.length; from += 1) {
    const byte = written[from] ?? 0;
    const digits = byte === 0x25 ? String.fromCharCode(...written.subarray(from + 1, from + 3)) : "";
    const isEncoded = /^[0-9a-f]{2}$/iu.test(digits);
    bytes[size] = isEncoded ? Number.parseInt(digits, 16) : byte;
    size += 1;
    if (isEncoded) from += 2;
  }
  return bytes.subarray(0, size);
}
