/** A program that is known to be broken: a change to the text of one source file. */
import type { Patch } from "../build.ts";
import type { SceneName } from "../simulate.ts";

export interface Mutant {
  /** What is simulated to find it; by default an install on one machine. */
  readonly scene?: SceneName;
  readonly name: string;
  /** From the project's folder. */
  readonly path: string;
  /** A part of the file that is there once. */
  readonly from: string;
  readonly to: string;
}

/** The patch of a mutant. @throws Error when the file has changed */
export function toPatch({ path, from, to, name }: Mutant): Patch {
  return (file, text) => {
    if (file !== path) return text;
    if (text.split(from).length !== 2) throw new Error(`"${name}" does not fit ${path} any longer`);
    return text.replace(from, () => to);
  };
}
