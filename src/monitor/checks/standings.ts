/** PORT between those who find out how checks stand and those who alert on it and show it. */
import type { CheckRecord, CheckStanding } from "./schema.ts";

/** Every check with how it stands, in memory. */
export interface CheckDirectory {
  /** All checks, sorted by group and name. The same array as long as nothing was changed. */
  records(): readonly CheckRecord[];
  findRecord(id: string): CheckRecord | undefined;
  /** Grows with each change of a record. */
  readonly recordsRevision: number;
  /** How it stands now; a check that was never asked stands `unknown` since it was made. Undefined: no such check. */
  findStanding(id: string): CheckStanding | undefined;
  /** Called with the id when a result came, whether or not the state is another. Gives what ends that. */
  onChange(listener: (id: string) => void): () => void;
}
