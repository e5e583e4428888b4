/** The groups of settings in the store. Hidden here: defaults, parsing once a version, and the sealed SMTP password. */
import { changedFields } from "../kit/changes.ts";
import type { Clock } from "../kit/clock.ts";
import { AppError } from "../kit/errors.ts";
import type { z } from "zod";
import type { ReadTx, Store, Tx } from "../store/store.ts";
import { writeAudit } from "./audit.ts";
import type { Actor } from "./caller.ts";
import { settings } from "./records.ts";
import {
  checkInSettingsSchema,
  inviteSettingsSchema,
  mailSettingsSchema,
  registrationSettingsSchema,
} from "./settings-schema.ts";

const groups = {
  registration: registrationSettingsSchema,
  checkin: checkInSettingsSchema,
  invites: inviteSettingsSchema,
  mail: mailSettingsSchema,
} as const;

export type SettingsGroup = keyof typeof groups;
export type SettingsOf<G extends SettingsGroup> = z.infer<(typeof groups)[G]>;

/** Parsed groups by name; a record's version tells whether one is still right. Not shared between stores. */
const parsed = new WeakMap<object, unknown>();

/** A group with its version, 0 while nobody changed it. Records are frozen and replaced whole, so each is parsed once. */
export async function readSettings<G extends SettingsGroup>(
  tx: ReadTx,
  group: G,
): Promise<{ fields: SettingsOf<G>; version: number }> {
  const record = await tx.get(settings, group);
  const key: object = record?.fields ?? groups[group];
  let fields = parsed.get(key);
  if (fields === undefined) {
    fields = groups[group].parse(record?.fields ?? {});
    parsed.set(key, fields);
  }
  // The map is only ever filled by the line above, for a group's own schema.
  return { fields: fields as SettingsOf<G>, version: record?.version ?? 0 };
}

/** Replaces a group in the running transaction. Throws `version_conflict` when `version` is given and not the stored one. */
export async function replaceSettings<G extends SettingsGroup>(
  tx: Tx,
  change: { group: G; fields: SettingsOf<G>; version?: number | undefined; actor: Actor; clock: Clock },
): Promise<{ fields: SettingsOf<G>; version: number }> {
  const { group, fields, version, actor, clock } = change;
  const before = await tx.get(settings, group);
  const present = before?.version ?? 0;
  if (version !== undefined && version !== present) {
    throw new AppError("stale_version", "Someone changed these settings in the meantime; read them again", {
      details: { currentVersion: present },
    });
  }
  const old: object = (await readSettings(tx, group)).fields;
  // Names only: a value may be a password.
  await writeAudit(
    tx,
    { actor, action: `settings.${group}`, target: group, changes: changedFields(old, fields) },
    clock,
  );
  const stored =
    before === undefined
      ? await tx.insert(settings, { id: group, fields })
      : await tx.put(settings, { ...before, fields });
  return { fields, version: stored.version };
}

/** Reads a group on a view of its own. */
export async function loadSettings<G extends SettingsGroup>(store: Store, group: G): Promise<SettingsOf<G>> {
  return (await store.read((tx) => readSettings(tx, group))).fields;
}
