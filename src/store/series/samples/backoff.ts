/** When to try again after a failed write: 1 s later, then ever later up to 30 s, until rows are durable again. */
import type { Clock } from "../../../kit/time/clock.ts";
import { textOf } from "../../../kit/thrown.ts";
import { StoreError } from "../../store.ts";
import type { SampleLogEvent } from "./samples.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const text = textOf(cause);
  return new StoreError("store_unavailable", `The sample log cannot be written: ${text}`, { cause });
}

/** Creates a backoff without a failure. */
export function createBackoff(clock: Clock, onEvent: (event: SampleLogEvent) => void) {
  let failure: StoreError | undefined;
  let retryAt = 0;
  let retryMs = FIRST_RETRY_MS;
  let isTrying = false;
  return {
    /** Why nothing can be written, or undefined. */
    get failure(): StoreError | undefined {
      return failure;
    },
    /** Whether it is time to try again. */
    isDue: (): boolean => clock.monotonic() >= retryAt,
    /** Notes that a try begins: the next failure is a new one. */
    retry(): void {
      isTrying = true;
    },
    /** Notes a failure, once until the next try; gives the error for those who wait. */
    fail(cause: unknown): StoreError {
      if (failure !== undefined && !isTrying) return failure;
      isTrying = false;
      failure = toStoreError(cause);
      retryAt = clock.monotonic() + retryMs;
      onEvent({ type: "failed", error: failure, retryInMs: retryMs });
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      return failure;
    },
    /** Notes that writing may go on. */
    heal(): void {
      failure = undefined;
      isTrying = false;
    },
    /** Notes that rows became durable: the next failure is the first again. */
    succeed(): void {
      retryMs = FIRST_RETRY_MS;
    },
  };
}

export type Backoff = ReturnType<typeof createBackoff>;
