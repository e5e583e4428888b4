/**
 * Whether some account has a password hash that takes another time to check than those made here. Imports note it;
 * a search finds out when the last one went, and what stores of older releases hold.
 */
import type { ReadTx, Tx } from "../../store/store.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { StateRecord } from "../base/ledger-schema.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { changeState } from "../base/state.ts";

/** Accounts that a step looks at. */
const STEP = 500;

/** Whether such a hash may exist: also true while that is unknown. */
export async function mayHaveForeignHashes(tx: ReadTx): Promise<boolean> {
  return (await tx.get(state, "state"))?.foreignHashes !== false;
}

/** Notes in the running transaction that such a hash is stored. Always a change, so that a search starts again. */
export async function noteForeignHash(tx: Tx): Promise<void> {
  await changeState(tx, { foreignHashes: true });
}

/**
 * Creates the search, which goes over all accounts once for each cost of our hashes, and then while such a hash may
 * exist: not at each start, which would read every account from the disk.
 */
export function createForeignHashSearch({ store, hasher }: Pick<AuthDeps, "store" | "hasher">) {
  /** Accounts before the cursor had none while the state had this version. */
  let walk: { version: number; cursor?: string } = { version: -1 };
  const isSettled = (record: StateRecord | undefined): boolean =>
    record?.foreignHashes === false && record.hashesSearched === hasher.ownCost;

  /** Writes what was found, unless the state changed since; resolves with its version then. */
  function settle(version: number, foreignHashes: boolean): Promise<number> {
    return store.transact(async (tx) => {
      const record = await tx.get(state, "state");
      if ((record?.version ?? 0) !== version) return -1;
      if (foreignHashes ? record?.foreignHashes === true : isSettled(record)) return version;
      const hashesSearched = foreignHashes ? record?.hashesSearched : hasher.ownCost;
      return (await changeState(tx, { foreignHashes, hashesSearched })).version;
    });
  }

  return {
    /** Checks the next accounts; resolves with their number if more should be checked soon, otherwise with 0. */
    step: async (): Promise<number> => {
      const seen = await store.read(async (tx) => {
        const record = await tx.get(state, "state");
        if (isSettled(record)) return undefined;
        const version = record?.version ?? 0;
        const cursor = walk.version === version ? walk.cursor : undefined;
        const options = { limit: STEP, cursor };
        return { version, cursor, page: await tx.list(users, "id", options) };
      });
      if (seen === undefined) return 0;
      const { version, cursor, page } = seen;
      const hasForeign = page.items.some(
        ({ passwordHash }) => passwordHash !== undefined && !hasher.isOwnCost(passwordHash),
      );
      if (!hasForeign && page.nextCursor !== undefined) {
        walk = { version, cursor: page.nextCursor };
        return page.items.length;
      }
      walk = { version: await settle(version, hasForeign), cursor };
      return 0;
    },
  };
}
