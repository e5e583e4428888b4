/** When to try again after a failed write: 1 s later, then ever later up to 30 s, until rows are durable again. */
import type { Clock } from "../../../kit/time/clock.ts";
import { textOf } from "../../../kit/thrown.ts";
import { StoreError } from "../../store.ts";
import type { SampleLogEvent } from "./samples.ts";

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

export interface Backoff {
  /** Why nothing can be written, or undefined. */
  readonly failure: StoreError | undefined;
  /** Whether it is time to try again. */
  isDue(): boolean;
  /** Notes that a try begins: the next failure is a new one. */
  retry(): void;
  /** Notes a failure, once until the next try; gives the error for those who wait. */
  fail(cause: unknown): StoreError;
  /** Notes that writing may go on. */
  heal(): void;
  /** Notes that rows became durable: the next failure is the first again. */
  succeed(): void;
}

function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const text = textOf(cause);
  return new StoreError("store_unavailable", `The sample log cannot be written: ${text}`, { cause });
}

/** Makes a backoff without a failure. */
export function createBackoff(clock: Clock, onEvent: (event: SampleLogEvent) => void): Backoff {
  let failure: StoreError | undefined;
  let retryAt = 0;
  let retryMs = FIRST_RETRY_MS;
  let isTrying = false;
  return {
    get failure() {
      return failure;
    },
    isDue: () => clock.monotonic() >= retryAt,
    retry() {
      isTrying = true;
    },
    fail(cause) {
      if (failure !== undefined && !isTrying) return failure;
      isTrying = false;
      failure = toStoreError(cause);
      retryAt = clock.monotonic() + retryMs;
      onEvent({ type: "failed", error: failure, retryInMs: retryMs });
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      return failure;
    },
    heal() {
      failure = undefined;
      isTrying = false;
    },
    succeed() {
      retryMs = FIRST_RETRY_MS;
    },
  };
}
