/** Check results of this machine that no report contains yet. */
import type { CheckResult } from "../payload.ts";
import type { Report } from "../queue/report-queue.ts";

/** The maximum for a report; the oldest results are dropped. */
const LIMIT = 2_000;
const CERTIFICATE_EVERY_MS = 3_600_000;
const encoder = new TextEncoder();

function sizeOf(result: CheckResult): number {
  return encoder.encode(JSON.stringify(result)).byteLength + 1;
}

function isResult(value: unknown): value is CheckResult {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "at" in value &&
    typeof value.at === "number"
  );
}

/** The results in a report that was made here. */
function readResults({ payloadJson }: Report): CheckResult[] {
  if (!payloadJson.includes('"checks":')) return [];
  const payload: unknown = JSON.parse(payloadJson);
  if (typeof payload !== "object" || payload === null || !("checks" in payload)) return [];
  const { checks } = payload;
  if (typeof checks !== "object" || checks === null || !("results" in checks)) return [];
  return Array.isArray(checks.results) ? checks.results.filter(isResult) : [];
}

/** Starts with none. */
export function createPendingResults(limit = LIMIT) {
  let waiting: CheckResult[] = [];
  const certificates = new Map<string, { readonly text: string; readonly at: number }>();

  /** Without a certificate that was reported before. */
  function spare(result: CheckResult): CheckResult {
    const { certificate, ...rest } = result;
    if (certificate === undefined) return result;
    const text = JSON.stringify(certificate);
    const told = certificates.get(result.id);
    if (told?.text === text && Math.abs(result.at - told.at) < CERTIFICATE_EVERY_MS) return rest;
    certificates.set(result.id, { text, at: result.at });
    return result;
  }

  return {
    add(result: CheckResult): void {
      waiting.push(spare(result));
      if (waiting.length > limit) waiting.shift();
    },
    /** The oldest results that take `bytes` at most as JSON; they are the caller's now. */
    take(bytes: number): CheckResult[] {
      let left = bytes;
      let count = 0;
      for (const result of waiting) {
        left -= sizeOf(result);
        if (left < 0) break;
        count += 1;
      }
      const [first] = waiting;
      // One that finds no room at all must not hold up the others.
      if (count === 0 && first?.certificate !== undefined) waiting[0] = { ...first, certificate: undefined };
      const taken = waiting.slice(0, count);
      waiting = waiting.slice(count);
      return taken;
    },
    /** Reports that will not be delivered: their check results go into another report. */
    takeBack(reports: readonly Report[]): void {
      const found = reports.flatMap(readResults);
      if (found.length === 0) return;
      waiting = [...found, ...waiting].toSorted((a, b) => a.at - b.at).slice(-limit);
    },
    get size(): number {
      return waiting.length;
    },
  };
}

export type PendingResults = ReturnType<typeof createPendingResults>;
