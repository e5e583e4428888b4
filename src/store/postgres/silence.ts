/**
 * Notices a server that holds its connections and answers nothing: suspended, or behind a network that swallows. Each
 * call would wait for its own time limit, and hold a connection meanwhile; so all of them are refused at once.
 */

/** A server of which nothing has been heard for this long while a statement waits is suspect. */
const SUSPECT_MS = 500;
/** A suspect that does not answer a new connection in this time is silent. */
const PROBE_MS = 1_300;
/** A probe that took so many times its limit says nothing. */
const LATE = 1.1;
/** From one probe to the next; also how often waiting statements are looked at. */
const EVERY_MS = 100;

export interface SilenceOptions {
  /** Resolves when the server answers on a new connection, or refuses it: a refusal is an answer too. */
  readonly probe: (limitMs: number) => Promise<void>;
  /** Called when the server has fallen silent, and when it answers again. */
  readonly onChange: (error: Error | undefined) => void;
}

interface Waiting {
  readonly startMs: number;
  readonly refuse: (error: Error) => void;
}

export class SilenceWatch {
  readonly #options: SilenceOptions;
  /** In the order in which they began. */
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: Error | undefined;
  /** When anything was answered last: a server that is slow, or has no processor, is not silent. */
  #heardMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** The last error; undefined while the server responds. */
  get silence(): Error | undefined {
    return this.#silence;
  }

  /**
   * Resolves with the answer, unless the server falls silent first: then rejects with a timeout. `isHeard` is
   * false for an answer that may not come from the server, such as an idle connection.
   */
  follow<T>(answer: Promise<T>, { isHeard = true } = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting = { startMs: performance.now(), refuse: reject };
      this.#waiting.add(waiting);
      this.#look();
      answer
        .then((given) => {
          if (isHeard) this.#heardMs = performance.now();
          resolve(given);
        }, reject)
        .finally(() => this.#waiting.delete(waiting));
    });
  }

  /** Ends the probes. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      void this.#check().then(() => {
        this.#timer = undefined;
        if (this.#waiting.size > 0 || this.#silence !== undefined) this.#look();
      });
    }, EVERY_MS);
    // A process that has nothing else to do may end.
    this.#timer.unref();
  }

  async #check(): Promise<void> {
    const [oldest] = this.#waiting;
    const isSuspect =
      oldest !== undefined && performance.now() - Math.max(oldest.startMs, this.#heardMs) >= SUSPECT_MS;
    if (this.#silence === undefined && !isSuspect) return;
    const beganMs = performance.now();
    const error = await this.#options.probe(PROBE_MS).then(
      () => undefined,
      (cause: unknown) => new Error("timeout: the server does not respond", { cause }),
    );
    // This process had no processor: the answer may have waited for it, and not it for the answer.
    if (error !== undefined && performance.now() - beganMs > LATE * PROBE_MS) return;
    if (error !== undefined && this.#heardMs > beganMs) return;
    if (this.#isClosed || (error === undefined) === (this.#silence === undefined)) return;
    this.#silence = error;
    this.#options.onChange(error);
    if (error === undefined) return;
    for (const { refuse } of this.#waiting) refuse(error);
    this.#waiting.clear();
  }
}
