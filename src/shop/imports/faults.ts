import type { Said } from "./said.ts";

/** Something that is wrong with a line of a file, or that cannot be carried over. */
export interface Fault extends Said {
  readonly line: number;
  /** The header of the column. */
  readonly column?: string | undefined;
  readonly code: string;
}
