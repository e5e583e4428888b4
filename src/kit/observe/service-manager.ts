/**
 * Notifications for systemd: readiness and the watchdog (sd_notify(3)). Node opens no datagram socket of Unix, so
 * systemd's own `systemd-notify` sends the message: a process of a few milliseconds, four a minute.
 */
import { execFile } from "node:child_process";
import { toError } from "../thrown.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface ServiceManager {
  /** The program serves from now on; its heartbeat begins. */
  ready(): Promise<void>;
  /** The program ends by itself: a heartbeat that stays away is no fault. */
  stopping(): Promise<void>;
}

export type RunProgram = (program: string, args: readonly string[]) => Promise<void>;

const NOTIFY_MS = 10_000;
const MICROSECONDS_PER_MS = 1_000;
/** Of the watchdog's time: two heartbeats may be late. */
const BEATS = 4;

const runProgram: RunProgram = (program, args) =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: NOTIFY_MS }, (error) => {
      if (error === null) resolve();
      else reject(toError(error));
    });
  });

/** Milliseconds between heartbeats; undefined without a watchdog for this process. */
function readBeatMs(env: Environment): number | undefined {
  const microseconds = Number(env["WATCHDOG_USEC"] ?? "");
  return microseconds > 0 ? microseconds / MICROSECONDS_PER_MS / BEATS : undefined;
}

/** Reaches the service manager that the environment names; does nothing without one. `onFault` is called once. */
export function createServiceManager(options: {
  readonly env: Environment;
  readonly onFault: (error: unknown) => void;
  readonly run?: RunProgram;
}): ServiceManager {
  const { env, onFault, run = runProgram } = options;
  const isThere = (env["NOTIFY_SOCKET"] ?? "") !== "";
  const beatMs = readBeatMs(env);
  let isTold = false;
  let timer: ReturnType<typeof setInterval> | undefined;

  async function notify(...states: readonly string[]): Promise<void> {
    if (!isThere) return;
    try {
      await run("systemd-notify", states);
    } catch (error) {
      if (!isTold) onFault(error);
      isTold = true;
    }
  }

  return {
    async ready() {
      await notify("READY=1");
      // A timer that fires shows that the event loop turns, which is what a hung program cannot.
      if (isThere && beatMs !== undefined) timer = setInterval(() => void notify("WATCHDOG=1"), beatMs);
    },
    async stopping() {
      clearInterval(timer);
      await notify("STOPPING=1");
    },
  };
}
