/** Something that is wrong with a line of a file. */
export interface Fault {
  readonly line: number;
  /** The header of the column. */
  readonly column?: string | undefined;
  readonly code: string;
  readonly message: string;
}
