import type { SeenCertificate } from "./probe.ts";

/** When a certificate, or the first of its chain, expires; epoch milliseconds. */
export function earliestEnd({ validTo, chainEnd }: Pick<SeenCertificate, "validTo" | "chainEnd">): number {
  return Math.min(validTo, chainEnd?.validTo ?? validTo);
}
