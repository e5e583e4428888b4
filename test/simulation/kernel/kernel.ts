/**
 * The scheduler of a simulation. Everything that waits is an event in one queue; after each event all code that can run
 * has run before the next one, so that an event and what follows from it belong to one owner.
 */
import { setImmediate as realTurn } from "node:timers";
import type { Owner } from "./owner.ts";
import { EventQueue, type SimulatedEvent } from "./event-queue.ts";
import { type Random, createRandom, hashText } from "./random.ts";
import { WallClock } from "./wall-clock.ts";

/** The simulation itself is at fault, and not the program. */
export class SimulationError extends Error {
  override readonly name = "SimulationError";
}

/** Midnight, 2030-01-01 UTC: wall clocks begin there, unless the run says otherwise. */
export const START_MS = 1_893_456_000_000;

export interface KernelOptions {
  readonly seed: number;
  /** To what short intervals of the program are stretched. */
  readonly paceMs?: number | undefined;
  /** What wall clocks show at the beginning. */
  readonly startMs?: number | undefined;
  /** Called for each line of the trace. */
  readonly onTrace?: ((line: string) => void) | undefined;
}

/** A timer of the program, as `setTimeout` returns it. */
export interface Pending {
  cancel(): void;
}

export class Kernel {
  readonly seed: number;
  readonly paceMs: number;
  readonly startMs: number;
  readonly world: Owner = {
    name: "world",
    isAlive: true,
    wall: new WallClock(),
    isProgram: false,
    boot: 0,
    startTicks: 0,
  };
  /** Of what the program draws. */
  readonly programRandom: Random;
  /** Of how long things take. */
  readonly paceRandom: Random;
  readonly #queue = new EventQueue();
  readonly #onTrace: ((line: string) => void) | undefined;
  readonly #native = new Set<Promise<unknown>>();
  /** By owner and delay: timers of one delay fire in the order in which they were set. */
  readonly #lastTimer = new WeakMap<Owner, Map<number, number>>();
  #order = 0;
  #hash = 0x811c9dc5;
  #count = 0;
  #failure: unknown;
  nowMs = 0;
  owner: Owner = this.world;

  constructor({ seed, paceMs = 0, startMs = START_MS, onTrace }: KernelOptions) {
    this.seed = seed;
    this.paceMs = paceMs;
    this.startMs = startMs;
    this.#onTrace = onTrace;
    this.programRandom = createRandom(seed, "program");
    this.paceRandom = createRandom(seed, "pace");
  }

  /** What the owner that runs reads from its wall clock. */
  wallMs(): number {
    return Math.floor(this.startMs + this.nowMs + this.owner.wall.skewAt(this.nowMs));
  }

  get hash(): string {
    return `${this.#hash.toString(16).padStart(8, "0")}-${this.#count}`;
  }

  get eventCount(): number {
    return this.#order;
  }

  /** Notes what happened; part of the hash. */
  trace(text: string): void {
    const line = `${this.nowMs.toFixed(3)} ${this.owner.name} ${text}`;
    this.#count += 1;
    this.#hash = hashText(line, this.#hash);
    this.#onTrace?.(line);
  }

  /** Tells the story without being part of the hash. */
  note(text: string): void {
    this.#onTrace?.(`${this.nowMs.toFixed(3)} ${this.owner.name} ${text}`);
  }

  /** Calls back after virtual milliseconds, for the owner that runs, or for another one. */
  after(delayMs: number, run: () => void, { label = "", owner = this.owner } = {}): Pending {
    this.#order += 1;
    const event: SimulatedEvent = { at: this.nowMs + delayMs, order: this.#order, owner, run, label };
    this.#queue.add(event);
    return { cancel: () => (event.run = undefined) };
  }

  /** Forgets what would have come for a process that has ended. */
  forget(owner: Owner): void {
    this.#queue.drop(owner);
  }

  /** A timer of the program: never early, late by up to a millisecond. */
  timer(delayMs: number, run: () => void): Pending {
    const delay = Math.max(1, Math.floor(delayMs) || 1);
    let times = this.#lastTimer.get(this.owner);
    if (times === undefined) this.#lastTimer.set(this.owner, (times = new Map<number, number>()));
    const at = Math.max(this.nowMs + delay + this.paceRandom.next(), times.get(delay) ?? 0);
    times.set(delay, at);
    return this.after(at - this.nowMs, run);
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => void this.after(delayMs, resolve));
  }

  /**
   * What only the runtime can do, such as an asymmetric signature: a step of the queue that waits for it, so that its
   * real length changes nothing.
   */
  async native<T>(label: string, work: () => Promise<T>): Promise<T> {
    const outcome = await new Promise<{ value: T } | { error: unknown }>((resolve) => {
      this.after(
        0.05,
        () => {
          const run = work().then(
            (value) => resolve({ value }),
            (error: unknown) => resolve({ error }),
          );
          this.#native.add(run);
          void run.finally(() => this.#native.delete(run));
        },
        { label },
      );
    });
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Ends the run with this error. */
  fail(error: unknown): void {
    this.#failure ??= error;
  }

  /** Runs events until `until` is settled. @throws what it was rejected with, or what {@link fail} was given */
  async run(until: Promise<unknown>): Promise<void> {
    let isOver = false;
    let failure: { error: unknown } | undefined;
    until.then(
      () => (isOver = true),
      (error: unknown) => {
        isOver = true;
        failure = { error };
      },
    );
    await this.#settle();
    while (!isOver && this.#failure === undefined) {
      const event = this.#queue.take();
      if (event === undefined)
        throw new SimulationError("Nothing is left to happen, and the run is not over");
      if (event.run === undefined || !event.owner.isAlive) continue;
      const { pausedUntilMs = 0 } = event.owner;
      if (pausedUntilMs > event.at) {
        event.at = pausedUntilMs;
        this.#queue.add(event);
        continue;
      }
      this.nowMs = Math.max(this.nowMs, event.at);
      this.owner = event.owner;
      if (event.label !== "") this.trace(event.label);
      event.run();
      await this.#settle();
      this.owner = this.world;
    }
    if (this.#failure !== undefined) throw this.#failure;
    if (failure !== undefined) throw failure.error;
  }

  /** Resolves when no code can run on without an event. */
  async #settle(): Promise<void> {
    await new Promise<void>((resolve) => void realTurn(resolve));
    while (this.#native.size > 0) {
      await Promise.all(this.#native);
      await new Promise<void>((resolve) => void realTurn(resolve));
    }
  }
}
