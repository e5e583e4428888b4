/** PORT between what has parents and those who know all that it can depend on. */
import type { Tx } from "../../store/store.ts";

/** Something that depends on others. */
export interface Dependent {
  readonly id: string;
  readonly name: string;
  readonly dependsOn?: readonly string[] | undefined;
}

/** Both run in the caller's transaction. */
export interface Parents {
  /** @throws AppError `invalid` for parents that do not exist, and for a circle */
  assert(tx: Tx, child: Dependent): Promise<void>;
  /** Removes deleted checks and servers from whatever depends on them. */
  drop(tx: Tx, ids: ReadonlySet<string>): Promise<void>;
}
