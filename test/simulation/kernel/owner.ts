/** Who code belongs to: a process of the program, or the world around it. What is due for a dead one never comes. */
import type { WallClock } from "./wall-clock.ts";

export interface Owner {
  readonly name: string;
  isAlive: boolean;
  readonly wall: WallClock;
  /** It hangs until then: what is due for it waits. */
  pausedUntilMs?: number;
  /** Whether what it reaches is simulated; false for the harness itself. */
  readonly isProgram: boolean;
  /** Of the machine and of the process, as the system counts them. */
  readonly boot: number;
  readonly startTicks: number;
}
