/** Imported customers as rows in memory, which the list of customers walks over; read when the list is, and then what changed. */
import { coalesce } from "../../kit/limits/coalesce.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { customerProfiles } from "./records.ts";
import type { CustomerProfile } from "./profile-schema.ts";

/** Longer than a transaction of another process may take to commit what it has dated. */
const OVERLAP_MS = 30_000;

/** The part of a profile that lists show. */
export type ProfileRow = Pick<CustomerProfile, "id" | "version" | "emailLower" | "account" | "createdAt"> & {
  readonly name: string;
};

function toRow({ id, version, emailLower, account, createdAt, name, company }: CustomerProfile): ProfileRow {
  return { id, version, emailLower, account, createdAt, name: name ?? company ?? "" };
}

export type ProfileRows = ReturnType<typeof createProfileRows>;

/** Creates the rows, with none read yet. */
export function createProfileRows({ store, clock }: Pick<ShopDeps, "store" | "clock">) {
  const byId = new Map<string, ProfileRow>();
  /** Until when changes were read. */
  let followedMs = 0;
  let revision = 0;

  async function readSince(tx: ReadTx, fromMs: number): Promise<void> {
    const walk = { index: "byUpdated", range: { from: [fromMs] } } as const;
    for await (const page of pagesOf(tx, customerProfiles, walk))
      for (const profile of page) {
        if (byId.get(profile.id)?.version === profile.version) continue;
        byId.set(profile.id, toRow(profile));
        revision += 1;
      }
  }

  const refresh = coalesce(() =>
    store.read(async (tx) => {
      const nowMs = clock.now();
      await readSince(tx, Math.max(0, followedMs - OVERLAP_MS));
      followedMs = nowMs;
      if ((await tx.count(customerProfiles)) === byId.size) return;
      // Some were removed.
      byId.clear();
      revision += 1;
      await readSince(tx, 0);
    }),
  );

  return {
    read: async (): Promise<ReadonlyMap<string, ProfileRow>> => {
      await refresh();
      return byId;
    },
    /** Grows with each change of a row. */
    revision: (): number => revision,
  };
}
