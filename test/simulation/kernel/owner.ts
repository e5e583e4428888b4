/** Who code belongs to: a process of the program, or the world around it. What is due for a dead one never comes. */
export interface Owner {
  readonly name: string;
  isAlive: boolean;
  /** Milliseconds by which its wall clock is ahead. */
  skewMs: number;
  /** Whether what it reaches is simulated; false for the harness itself. */
  readonly isProgram: boolean;
  /** Of the machine and of the process, as the system counts them. */
  readonly boot: number;
  readonly startTicks: number;
}
