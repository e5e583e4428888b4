/** The simulation that runs in this process: what stands in for the platform asks here. */
import { type Kernel, SimulationError } from "./kernel.ts";
import type { Disk, OpenFile } from "../disk/disk.ts";
import type { DatabaseServer } from "../postgres/server.ts";
import type { BusServer } from "../world/bus-server.ts";
import type { Outside } from "../world/outside.ts";
import type { PostOffice } from "../world/post.ts";

export interface World {
  readonly kernel: Kernel;
  /** The disk of the owner that runs. */
  disk(): Disk;
  /** Files that are open at once. */
  readonly descriptors: { next: number; readonly open: Map<number, OpenFile> };
  /** Where HTTP requests of the program go. */
  readonly outside: Outside;
  /** Where mails of the program go. */
  readonly post: PostOffice;
  /** What several nodes share. */
  readonly database?: DatabaseServer | undefined;
  readonly bus?: BusServer | undefined;
}

const place: { world?: World | undefined } = {};

export function findWorld(): World | undefined {
  return place.world;
}

/** @throws SimulationError outside of a simulation */
export function getWorld(): World {
  if (place.world === undefined) throw new SimulationError("No simulation runs");
  return place.world;
}

export function setWorld(world: World | undefined): void {
  place.world = world;
}

/** Whether code of the simulated program runs, and not the harness. */
export function findProgramWorld(): World | undefined {
  const { world } = place;
  return world?.kernel.owner.isProgram === true ? world : undefined;
}
