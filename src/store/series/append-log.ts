/**
 * Group commit: many waiting appends, one write that is synced. Used by the sample log. After a failed write or sync
 * the log is dead and says so; it never retries and guesses.
 */
import { textOf } from "../../kit/thrown.ts";
import type { AppendFile } from "../../kit/files/file-layer.ts";
import { StoreError } from "../store.ts";

function createBatch() {
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const done = new Promise<void>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  done.catch(() => undefined); // An unawaited batch must not end the process.
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

/** A change of files that waits for its turn; resolves with the file before, or undefined when the log died. */
interface Switch {
  readonly open: () => Promise<AppendFile>;
  readonly resolve: (old: AppendFile | undefined) => void;
}

export class AppendLog {
  #file: AppendFile;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #nextBatch = createBatch();
  #running: Promise<void> | undefined;
  #closed = false;
  readonly #switches: Switch[] = [];
  /** Bytes in the current file, durable or not yet. */
  sizeBytes: number;
  /** Why the log is dead, or undefined while it lives. */
  failure: StoreError | undefined;

  constructor(file: AppendFile, sizeBytes: number) {
    this.#file = file;
    this.sizeBytes = sizeBytes;
  }

  /** Appends bytes in order; resolves when they are durable. Throws `store_unavailable` after a failure. */
  append(bytes: Uint8Array): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    if (this.#closed)
      return Promise.reject(new StoreError("store_unavailable", `"${this.#file.path}" is closed`));
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.byteLength;
    this.sizeBytes += bytes.byteLength;
    const { done } = this.#nextBatch;
    this.#start();
    return done;
  }

  /** Resolves when everything appended so far is durable. */
  async flush(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    if (this.failure !== undefined) throw this.failure;
  }

  /** Flushes, then goes on in another file; resolves when the switch is done. The old file is closed. */
  async rotate(open: () => Promise<AppendFile>): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    // Queued between two batches, so that steady appends cannot delay it.
    const old = await new Promise<AppendFile | undefined>((resolve) => {
      this.#switches.push({ open, resolve });
      this.#start();
    });
    if (old === undefined) throw this.failure ?? new StoreError("store_unavailable", "The log has ended");
    await old.close();
  }

  /** Flushes and closes the file. */
  async close(): Promise<void> {
    this.#closed = true;
    try {
      await this.flush();
    } finally {
      await this.#file.close();
    }
  }

  #start(): void {
    // Starting in a microtask lets every append of this turn join the first batch.
    this.#running ??= Promise.resolve().then(() => this.#run());
  }

  async #run(): Promise<void> {
    while (this.failure === undefined && (this.#waiting.length > 0 || this.#switches.length > 0)) {
      await this.#writeBatch();
      await this.#switchFile();
    }
    for (const { resolve } of this.#switches.splice(0)) resolve(undefined);
    this.#running = undefined;
  }

  async #writeBatch(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const bytes = joinBytes(this.#waiting, this.#waitingBytes);
    const batch = this.#nextBatch;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#nextBatch = createBatch();
    try {
      await this.#file.appendDurably(bytes);
      batch.resolve();
    } catch (error) {
      batch.reject(this.#fail(error));
    }
  }

  async #switchFile(): Promise<void> {
    const next = this.failure === undefined ? this.#switches.shift() : undefined;
    if (next === undefined) return;
    try {
      const old = this.#file;
      this.#file = await next.open();
      this.sizeBytes = this.#waitingBytes;
      next.resolve(old);
    } catch (error) {
      this.#fail(error);
      next.resolve(undefined);
    }
  }

  #fail(cause: unknown): StoreError {
    const text = textOf(cause);
    const failure = new StoreError("store_unavailable", `Writing "${this.#file.path}" failed: ${text}`, {
      cause,
    });
    this.failure = failure;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#nextBatch.reject(failure);
    return failure;
  }
}

/** Opens a log on `file`, which already holds `sizeBytes` bytes (default 0). */
export function createAppendLog(file: AppendFile, options: { sizeBytes?: number } = {}): AppendLog {
  return new AppendLog(file, options.sizeBytes ?? 0);
}
