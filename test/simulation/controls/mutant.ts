/** A program that is known to be broken: a change to the text of one source file. */
import type { Patch } from "../build.ts";
import type { SceneName, SimulationOptions } from "../simulate.ts";

/** What a run is like, beside its seed. */
export type RunOptions = Partial<Omit<SimulationOptions, "seed" | "scene" | "faults" | "onTrace">>;

export interface Mutant {
  /** What is simulated to find it; by default an install on one machine. */
  readonly scene?: SceneName;
  /** What its runs need beside what those of the scene have. */
  readonly run?: RunOptions;
  readonly name: string;
  /** From the project's folder. */
  readonly path: string;
  /** A part of the file that is there once. */
  readonly from: string;
  readonly to: string;
  /** Further parts, of the same file unless a path says otherwise. */
  readonly more?: readonly (readonly [from: string, to: string, path?: string])[];
}

/** The patch of a mutant. @throws Error when a file has changed */
export function toPatch({ path, from, to, more = [], name }: Mutant): Patch {
  const parts = [[from, to, path] as const, ...more];
  return (file, text) => {
    let changed = text;
    for (const [part, other, where = path] of parts) {
      if (where !== file) continue;
      if (changed.split(part).length !== 2) throw new Error(`"${name}" does not fit ${file} any longer`);
      changed = changed.replace(part, () => other);
    }
    return changed;
  };
}
