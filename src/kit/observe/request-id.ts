/** Ids that tie a request to its log lines, and the ids that callers give to theirs. */
import { takeRandomBytes } from "../secrets/random-pool.ts";

export type RequestIds = () => string;

/** Ids are unique among processes by a random start and within this one by a count: they need no secret. */
export function createRequestIds(): RequestIds {
  const start = takeRandomBytes(8).toString("hex");
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

/** The caller's own id for the log, when it is harmless there; never ours, or requests could pass for others. */
export function toCorrelationId(incoming: string | null): string | undefined {
  return incoming !== null && /^[A-Za-z0-9._-]{1,64}$/u.test(incoming) ? incoming : undefined;
}
