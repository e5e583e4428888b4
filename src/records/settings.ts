/** Groups of settings as records: each group's schema fills in what a stored one lacks. */
import { z } from "zod";
import type { Collection, ReadTx, StoreRecord, Tx } from "../store/store.ts";
import { type AuditActor, writeAudit } from "./audit.ts";
import { changedFields } from "../kit/text/changes.ts";
import type { Clock } from "../kit/time/clock.ts";
import { AppError } from "../kit/errors.ts";

/** A group of settings as it was stored; the id is the group's name. */
export const settingsRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  fields: z.record(z.string(), z.unknown()),
});

type SettingsRecord = StoreRecord & { readonly fields: Record<string, unknown> };

/** The fields of a group with their version, 0 until the first change. */
export interface VersionedSettings<T> {
  readonly fields: T;
  readonly version: number;
}

export interface Settings<T extends { readonly [G in keyof T]: object }> {
  read<G extends keyof T & string>(tx: ReadTx, group: G): Promise<VersionedSettings<T[G]>>;
  /** Replaces a group in the running transaction. Throws `stale_version` when `version` is given and not the stored one. */
  replace<G extends keyof T & string>(
    tx: Tx,
    change: {
      readonly group: G;
      readonly fields: T[G];
      readonly version?: number;
      readonly actor: AuditActor;
      readonly clock: Clock;
    },
  ): Promise<VersionedSettings<T[G]>>;
}

/** Declares the groups that a service keeps in a collection. */
export function defineSettings<T extends { readonly [G in keyof T]: object }>(
  collection: Collection<SettingsRecord>,
  groups: { readonly [G in keyof T]: z.ZodType<T[G]> },
): Settings<T> {
  /** Parsed groups by their stored fields, which are frozen and replaced whole; by the schema while none are stored. */
  const parsed = new WeakMap<object, unknown>();

  const read: Settings<T>["read"] = async <G extends keyof T & string>(tx: ReadTx, group: G) => {
    const record = await tx.get(collection, group);
    const key: object = record?.fields ?? groups[group];
    let fields = parsed.get(key);
    if (fields === undefined) {
      fields = groups[group].parse(record?.fields ?? {});
      parsed.set(key, fields);
    }
    // The map is only ever filled by the lines above, for a group's own schema.
    return { fields: fields as T[G], version: record?.version ?? 0 };
  };

  return {
    read,
    replace: async (tx, { group, fields, version, actor, clock }) => {
      const before = await tx.get(collection, group);
      const present = before?.version ?? 0;
      if (version !== undefined && version !== present) {
        const details = { currentVersion: present };
        throw new AppError(
          "stale_version",
          "Someone else changed these settings. Reload them and try again",
          { details },
        );
      }
      const old: object = (await read(tx, group)).fields;
      // Names only: a value may be a password.
      const changes = changedFields(old, fields);
      await writeAudit(tx, { actor, action: `settings.${group}`, target: group, changes }, clock);
      const kept = Object.fromEntries(Object.entries(fields));
      const stored =
        before === undefined
          ? await tx.insert(collection, { id: group, fields: kept })
          : await tx.put(collection, { ...before, fields: kept });
      return { fields, version: stored.version };
    },
  };
}
