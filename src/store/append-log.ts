/**
 * Group commit: many waiting appends, one write and one fdatasync. Used by the journal and by the
 * sample log. After a failed write or sync the log is dead and says so; it never retries and guesses.
 */
import type { AppendFile } from "./file-layer.ts";
import { StoreError } from "./store.ts";

export interface AppendLog {
  /** Takes bytes to be written in order; resolves when they are durable. Throws `store_unavailable` after a failure. */
  append(bytes: Uint8Array): Promise<void>;
  /** Resolves when everything appended so far is durable. */
  flush(): Promise<void>;
  /** Flushes, then goes on in another file; resolves when the switch is done. The old file is closed. */
  rotate(open: () => Promise<AppendFile>): Promise<void>;
  /** Bytes in the current file, durable or not yet. */
  readonly sizeBytes: number;
  /** Why the log is dead, or undefined while it lives. */
  readonly failure: Error | undefined;
  /** Flushes and closes the file. */
  close(): Promise<void>;
}

interface Batch {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function createBatch(): Batch {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const done = new Promise<void>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  done.catch(() => undefined); // a batch that nobody waits for must not end the process
  return { done, resolve, reject };
}

function joinBytes(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const whole = new Uint8Array(sizeBytes);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/** Opens a log on `file`, which already holds `sizeBytes` bytes (0 unless told). */
export function createAppendLog(file: AppendFile, options: { sizeBytes?: number } = {}): AppendLog {
  let current = file;
  let sizeBytes = options.sizeBytes ?? 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let nextBatch = createBatch();
  let failure: StoreError | undefined;
  let running: Promise<void> | undefined;
  let closed = false;

  function fail(cause: unknown): void {
    const text = cause instanceof Error ? cause.message : String(cause);
    failure = new StoreError("store_unavailable", `Writing "${current.path}" failed: ${text}`, { cause });
    waiting = [];
    waitingBytes = 0;
    nextBatch.reject(failure);
  }

  async function run(): Promise<void> {
    while (waiting.length > 0 && failure === undefined) {
      const parts = waiting;
      const bytes = waitingBytes;
      const batch = nextBatch;
      waiting = [];
      waitingBytes = 0;
      nextBatch = createBatch();
      try {
        await current.append(joinBytes(parts, bytes));
        await current.datasync();
        batch.resolve();
      } catch (error) {
        fail(error);
        if (failure !== undefined) batch.reject(failure);
      }
    }
    running = undefined;
  }

  async function settle(): Promise<void> {
    while (running !== undefined) await running;
    if (failure !== undefined) throw failure;
  }

  return {
    append(bytes) {
      if (failure !== undefined) return Promise.reject(failure);
      if (closed) return Promise.reject(new StoreError("store_unavailable", `"${current.path}" is closed`));
      waiting.push(bytes);
      waitingBytes += bytes.byteLength;
      sizeBytes += bytes.byteLength;
      const { done } = nextBatch;
      // Starting in a microtask lets every append of this turn join the first batch.
      running ??= Promise.resolve().then(run);
      return done;
    },
    flush: settle,
    async rotate(open) {
      // No await between seeing an idle log and claiming it, or an append could start a second run.
      while (running !== undefined) await running;
      if (failure !== undefined) throw failure;
      const old = current;
      const pause = (async () => {
        try {
          current = await open();
          sizeBytes = waitingBytes;
        } catch (error) {
          fail(error);
        }
        await run();
      })();
      running = pause;
      await pause;
      if (failure !== undefined) throw failure;
      await old.close();
    },
    get sizeBytes() {
      return sizeBytes;
    },
    get failure() {
      return failure;
    },
    async close() {
      closed = true;
      try {
        await settle();
      } finally {
        await current.close();
      }
    },
  };
}
