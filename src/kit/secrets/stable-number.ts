/** Numbers in place of ids, for programs that expect integers of 32 bits. */
import { createHash } from "node:crypto";

/** The same number for the same id, 1 to 2³¹ − 1. */
export function toStableNumber(id: string): number {
  return createHash("sha256").update(id).digest().readUInt32BE(0) >>> 1 || 1;
}
