/** Builds the simulation, and loads it into this process. */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "../support/process.ts";
import { type Patch, buildSimulation } from "./build.ts";
import type { simulate } from "./entry.ts";

/** Where bundles are built: packages with native code are found from there. */
const parent = join(projectFolder, "node_modules", ".simulation");

/** The simulation, of the program as it is or with changes to its text. */
export async function loadSimulation(patch?: Patch): Promise<{ readonly simulate: typeof simulate }> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "run-"));
  try {
    const file = join(folder, "simulation.mjs");
    await buildSimulation(file, patch);
    return (await import(pathToFileURL(file).href)) as { simulate: typeof simulate }; // what build.ts bundles
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
