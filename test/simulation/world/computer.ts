/** A computer with a disk, on which one process at a time runs, is killed, and loses its power. */
import { Disk } from "../disk/disk.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { WallClock } from "../kernel/wall-clock.ts";

/** A connection that ended without an answer. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export const ENDED = "The process ended";

/** How a process ended: peers of one that lost its power learn it late. */
export type End = "stop" | "kill" | "power";

/** A process, from its start to its end. */
export interface Process {
  readonly owner: Owner;
  /** What runs at its end. */
  readonly waiting: Set<(how: End) => void>;
}

/** Disks by process. */
const disks = new WeakMap<Owner, Disk>();

/** The disk of a process. @throws TypeError for the world, which has none */
export function diskOf(owner: Owner): Disk {
  const disk = disks.get(owner);
  if (disk === undefined) throw new TypeError(`${owner.name} has no disk`);
  return disk;
}

/** What runs at the end of a process, by process. */
const endings = new WeakMap<Owner, Set<(how: End) => void>>();

/** Calls back when a process ends, once. */
export function onEndOf(owner: Owner, tell: (how: End) => void): void {
  const told = endings.get(owner) ?? new Set();
  endings.set(owner, told.add(tell));
}

export class Computer<P extends Process = Process> {
  readonly disk: Disk;
  readonly name: string;
  protected readonly kernel: Kernel;
  protected process: P | undefined;
  /** When no process served, in virtual milliseconds. */
  readonly gaps: { readonly from: number; to: number }[] = [];
  #boots = 1;
  #starts = 0;
  readonly #wall = new WallClock();
  #offUntilMs = 0;

  constructor(kernel: Kernel, name: string) {
    this.kernel = kernel;
    this.name = name;
    this.disk = new Disk(kernel, name);
    this.disk.makeFolder("/simulated");
    this.disk.root.sync();
  }

  /** Whether it has a process, or no power to start one. */
  get isRunning(): boolean {
    return this.process !== undefined || this.kernel.nowMs < this.#offUntilMs;
  }

  get starts(): number {
    return this.#starts;
  }

  get boots(): number {
    return this.#boots;
  }

  createOwner(): Owner {
    this.#starts += 1;
    const owner = {
      name: `${this.name}#${this.#starts}`,
      isAlive: true,
      wall: this.#wall,
      isProgram: true,
      boot: this.#boots,
      startTicks: this.#starts,
    };
    disks.set(owner, this.disk);
    return owner;
  }

  /** Runs work as a process of its own on this computer. */
  runAs<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const caller = this.kernel.owner;
    return new Promise((resolve, reject) => {
      const back = (run: () => void): void => void this.kernel.after(0, run, { owner: caller });
      this.kernel.after(
        0,
        () =>
          void work().then(
            (value) => back(() => resolve(value)),
            (error: unknown) => back(() => reject(error instanceof Error ? error : new Error(String(error)))),
          ),
        { owner },
      );
    });
  }

  /** Runs work of a process. @throws NoAnswer when the process ends before */
  protected untilEnd(process: P, work: () => Promise<void>): Promise<void> {
    const { kernel } = this;
    const end = new Promise<never>((_resolve, reject) => {
      process.waiting.add(() => {
        kernel.after(0, () => reject(new NoAnswer(ENDED)), { owner: kernel.world });
      });
    });
    return Promise.race([this.runAs(process.owner, work), end]);
  }

  protected end(how: End): void {
    const { process } = this;
    if (process === undefined) return;
    this.kernel.trace(`a ${how} ends ${process.owner.name}`);
    this.process = undefined;
    process.owner.isAlive = false;
    if (this.gaps.at(-1)?.to !== Infinity) this.gaps.push({ from: this.kernel.nowMs, to: Infinity });
    for (const tell of process.waiting) tell(how);
    for (const tell of endings.get(process.owner) ?? []) tell(how);
    endings.delete(process.owner);
    this.kernel.forget(process.owner);
  }

  /** For the trace. */
  note(text: string): void {
    this.kernel.trace(`${this.name}: ${text}`);
  }

  /** The process ends at once; what it wrote is there. */
  kill(): void {
    this.end("kill");
  }

  /** The machine ends at once and is off for a while; what was durable is there. */
  cutPower(offMs = 0): void {
    this.end("power");
    this.disk.cutPower();
    this.#boots += 1;
    this.#offUntilMs = this.kernel.nowMs + offMs;
  }

  /** The process hangs for a while, as on an overloaded machine. */
  pause(forMs: number): void {
    const { process, kernel } = this;
    if (process === undefined) return;
    kernel.trace(`${process.owner.name} hangs for ${forMs.toFixed(0)} ms`);
    process.owner.pausedUntilMs = kernel.nowMs + forMs;
    this.gaps.push({ from: kernel.nowMs, to: kernel.nowMs + forMs });
  }

  /** Sets the wall clock of the machine, at once or by a drift of so many milliseconds. */
  setSkew(skewMs: number, driftMs = 0): void {
    this.#wall.set(skewMs, { nowMs: this.kernel.nowMs, driftMs });
  }
}
