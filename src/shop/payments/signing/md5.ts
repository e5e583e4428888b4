/** MD5, with which some payment services sign. It keeps no other secret here. */
import { createHash } from "node:crypto";

/** MD5 of bytes or of a text's UTF-8, in small hex. */
export function md5Hex(content: string | Uint8Array): string {
  return createHash("md5").update(content).digest("hex");
}
