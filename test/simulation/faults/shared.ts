/** Faults of several machines, and of the database and the bus that they share. */
import type { DatabaseServer } from "../postgres/server.ts";
import type { BusServer } from "../world/bus-server.ts";
import type { Machine } from "../world/machine.ts";
import { type FaultTargets, inject } from "./inject.ts";
import { type Fault, type SharedKind, pickAimed } from "./plan.ts";

export interface SharedTargets extends Omit<FaultTargets, "machine"> {
  readonly machines: readonly [Machine, ...Machine[]];
  readonly database: DatabaseServer;
  readonly bus: BusServer;
  /** Whether the machines keep something on their disks beside what is in the database. */
  readonly usesDisks?: boolean;
}

/** Begins trouble of what the nodes share; returns what ends it. */
function beginShared(
  { database, bus, machines, kernel }: SharedTargets,
  kind: SharedKind,
  strength: number,
): () => void {
  const { trouble } = database;
  const pick = (): Machine => machines[Math.floor(strength * 100) % machines.length] ?? machines[0];
  switch (kind) {
    case "database-slow":
      trouble.slowness = strength;
      return () => (trouble.slowness = 1);
    case "database-conflicts":
      trouble.conflicts = strength;
      return () => (trouble.conflicts = 0);
    case "database-drops":
      trouble.drops = strength;
      return () => (trouble.drops = 0);
    case "database-stalls":
      trouble.stalls = strength;
      return () => (trouble.stalls = 0);
    case "database-loses-answers":
      trouble.losesAnswers = strength;
      return () => (trouble.losesAnswers = 0);
    case "database-silent":
      trouble.isSilent = true;
      return () => {
        trouble.isSilent = false;
        database.wake();
      };
    case "database-parted": {
      const { name } = pick();
      trouble.parted.add(name);
      return () => {
        trouble.parted.delete(name);
        database.wake();
      };
    }
    case "database-down":
      trouble.isDown = true;
      database.endAll();
      return () => (trouble.isDown = false);
    case "bus-lossy":
      bus.trouble = { ...bus.trouble, losses: strength, repeats: strength, wayMs: 500 * strength };
      return () => bus.calm();
    case "bus-parted": {
      const { name } = pick();
      bus.trouble.parted.add(name);
      return () => bus.trouble.parted.clear();
    }
    case "bus-down":
      kernel.after(0, () => bus.goAway(), { owner: kernel.world });
      return () => (bus.trouble.isDown = false);
  }
}

/** Lets a fault happen to one of several machines, or to what they share. */
export function injectShared(scene: SharedTargets, fault: Fault): void {
  const machine = pickAimed(fault, scene.machines);
  const targets = {
    ...scene,
    machine,
    beginShared: (kind: SharedKind, strength: number) => beginShared(scene, kind, strength),
  };
  // Ends come at a statement of the database, or at an operation of the disk.
  const isOfDisk = scene.usesDisks === true && "of" in fault && fault.of !== undefined;
  if (isOfDisk) return inject(targets, fault);
  if (fault.kind === "kill") scene.database.alarmAfter(fault.operations, () => machine.kill());
  else if (fault.kind === "power") scene.database.alarmAfter(fault.operations, () => machine.cutPower(8_000));
  else return inject(targets, fault);
  return scene.kernel.trace(`fault ${fault.kind} of ${machine.name}`);
}
