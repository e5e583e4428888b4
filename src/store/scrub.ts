/** Stored data that is read through slowly and compared with its checksums, so that what rots is known while there are backups. */

/** A file, or a part of a database, that is not what was written. */
export interface DataProblem {
  readonly path: string;
  /** The problem and its remedy. */
  readonly problem: string;
}

/** After each piece: how many bytes were compared, or what is wrong. Each call starts a new pass. */
export type Scrub = () => AsyncIterable<number | DataProblem>;

/** Read at once, so that nothing waits long for the disk or the processor. */
export const SCRUB_PIECE_BYTES = 256 * 1024;
