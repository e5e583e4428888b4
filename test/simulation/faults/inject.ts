/** Lets the faults of a plan happen to a machine and to the world around it. */
import type { Kernel } from "../kernel/kernel.ts";
import { Violation } from "../world/client.ts";
import { ENDED } from "../world/computer.ts";
import type { Machine } from "../world/machine.ts";
import { type Outside, calmNetwork } from "../world/outside.ts";
import type { PostOffice } from "../world/post.ts";
import { type Fault, type SharedKind, type Trouble, describeFault } from "./plan.ts";

export interface FaultTargets {
  readonly kernel: Kernel;
  readonly machine: Machine;
  readonly outside: Outside;
  readonly post: PostOffice;
  /** Begins trouble of what several machines share; returns what ends it. */
  readonly beginShared?: (kind: SharedKind, strength: number) => () => void;
}

/** How long a machine is off after a power cut, and a process after a kill. */
const OFF_MS = 8_000;
const RESTART_MS = 1_000;
/** A start that fails is repeated, as by systemd. */
const AGAIN_MS = 5_000;
/** A program that hangs for longer is ended by its supervisor. */
const LONGEST_PAUSE_MS = 25_000;

/** Restores a file of which a bit has changed: the program is stopped for it. */
function restore(machine: Machine, isSudden: boolean): void {
  if (machine.disk.rotten === undefined) return;
  if (isSudden) machine.kill();
  void machine
    .stop()
    .catch(() => undefined)
    .then(() => machine.disk.repair());
}

/** Takes back all trouble. */
export function calmAll({ machine, outside, post }: FaultTargets): void {
  if (machine.disk.rotten !== undefined) machine.kill();
  machine.disk.repair();
  machine.disk.calm();
  outside.trouble = calmNetwork();
  outside.down.clear();
  post.isDown = false;
  post.refuses = 0;
  post.losesAnswer = 0;
  machine.setSkew(0);
}

/** Starts the trouble; returns what ends it. */
function begin(
  { machine, outside, post, beginShared }: FaultTargets,
  { kind, strength, forMs }: Trouble,
): () => void {
  const { trouble } = machine.disk;
  switch (kind) {
    case "disk-full":
      trouble.isFull = true;
      return () => (trouble.isFull = false);
    case "sync-fails":
      trouble.failsSync = strength;
      return () => (trouble.failsSync = 0);
    case "write-fails":
      trouble.failsWrite = strength;
      return () => (trouble.failsWrite = 0);
    case "slow-disk":
      trouble.slowness = strength;
      return () => (trouble.slowness = 1);
    case "pause":
      machine.pause(Math.min(forMs, LONGEST_PAUSE_MS));
      return () => undefined;
    case "rot": {
      const where = machine.disk.decay();
      if (where !== undefined) machine.note(`a bit of ${where} has changed`);
      return () => restore(machine, strength < 0.3);
    }
    case "network":
      outside.trouble = {
        losesRequest: strength / 2,
        losesResponse: strength / 2,
        wayMs: 20 + 2_000 * strength,
      };
      return () => (outside.trouble = calmNetwork());
    case "post-down":
      post.isDown = true;
      return () => (post.isDown = false);
    case "post-flaky":
      post.refuses = strength;
      post.losesAnswer = strength;
      return () => {
        post.refuses = 0;
        post.losesAnswer = 0;
      };
    case "outside-down":
      for (const host of outside.hosts()) outside.down.add(host);
      return () => outside.down.clear();
    case "database-slow":
    case "database-conflicts":
    case "database-drops":
    case "database-stalls":
    case "database-loses-answers":
    case "database-silent":
    case "database-down":
    case "database-parted":
    case "bus-lossy":
    case "bus-parted":
    case "bus-down":
      return beginShared?.(kind, strength) ?? (() => undefined);
  }
}

/** A start that fails because of a changed bit says in which file it is. @throws Violation */
function assertNamed({ disk: { rotten, isCalm } }: Machine, message: string): void {
  if (rotten === undefined || !isCalm || message === ENDED || message.includes(rotten.split(" ")[0] ?? ""))
    return;
  throw new Violation(`A bit of ${rotten} has changed, and the start failed with: ${message}`);
}

/** Makes sure that the program runs, for as long as the simulation does. */
export async function keepRunning({ kernel, machine }: FaultTargets, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    if (!machine.isRunning) {
      try {
        await machine.start();
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        kernel.trace(`the start failed: ${message}`);
        assertNamed(machine, message);
        await kernel.sleep(AGAIN_MS);
      }
    }
    await kernel.sleep(RESTART_MS);
  }
}

/** Lets one fault happen. */
export function inject(targets: FaultTargets, fault: Fault): void {
  const { kernel, machine } = targets;
  kernel.trace(`fault ${describeFault(fault)}`);
  if (fault.kind === "kill") machine.disk.alarmAfter(fault.operations, () => machine.kill(), fault.of);
  else if (fault.kind === "power")
    machine.disk.alarmAfter(fault.operations, () => machine.cutPower(OFF_MS), fault.of);
  else if (fault.kind === "restart") void machine.stop().catch(() => undefined);
  else if (fault.kind === "clock") machine.setSkew(fault.skewMs, fault.driftMs);
  else if ("strength" in fault) kernel.after(fault.forMs, begin(targets, fault), { owner: kernel.world });
}
