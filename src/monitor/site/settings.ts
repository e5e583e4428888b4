/** The monitor's settings: one record, with defaults until someone changes it. */
import { describeChanges } from "../../kit/text/changes.ts";
import type { Clock } from "../../kit/time/clock.ts";
import { AppError } from "../../kit/errors.ts";
import { type SettingsPatch, applyPatch } from "../../records/settings-patch.ts";
import type { Store } from "../../store/store.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { assertLogoChange } from "../../kit/brand/logo-change.ts";
import { settings } from "./records.ts";
import { type SettingsRecord, settingsFieldsSchema, settingsRecordSchema } from "../base/schema.ts";

const ID = "settings";
/** Stored settings without what is not set by people. */
const fieldsSchema = settingsFieldsSchema.strip();

export interface Settings {
  /** The current settings; version 0 if they were never changed. */
  read(): Promise<SettingsRecord>;
  /** Changes some. Throws `invalid`, and `version_conflict` when `version` is given and is not the stored one. */
  change(change: {
    patch: SettingsPatch;
    version?: number | undefined;
    actor: AuditActor;
  }): Promise<SettingsRecord>;
}

export function toTimeZone({
  timeZone,
  quietHours,
}: Pick<SettingsRecord, "timeZone" | "quietHours">): string {
  return timeZone === "" ? quietHours.timeZone : timeZone;
}

/** Creates the settings' logic on a store. */
export function createSettings(deps: { store: Store; clock: Clock }): Settings {
  const { store, clock } = deps;
  const defaults: SettingsRecord = { ...settingsFieldsSchema.parse({}), id: ID, version: 0 };
  return {
    read: async () => {
      const stored = await store.read((tx) => tx.get(settings, ID));
      // Through the schema: what was stored before a setting existed gets its default.
      return stored === undefined ? defaults : settingsRecordSchema.parse(stored);
    },
    change: ({ patch, version, actor }) =>
      store.transact(async (tx) => {
        const before = await tx.get(settings, ID);
        const present = before?.version ?? 0;
        if (version !== undefined && version !== present) {
          throw new AppError(
            "version_conflict",
            "Someone else changed the settings. Reload them and try again",
            {
              details: { currentVersion: present },
            },
          );
        }
        // The schema drops id and version.
        const fields = applyPatch(fieldsSchema, before ?? defaults, patch);
        assertLogoChange((before ?? defaults).logo, fields.logo, "/logo");
        await writeAudit(
          tx,
          {
            actor,
            action: "settings.replace",
            target: ID,
            // A setting that did not exist when it was stored has its default, and did not change.
            changes: describeChanges(
              before === undefined ? defaults : settingsRecordSchema.parse(before),
              fields,
            ),
          },
          clock,
        );
        return before === undefined
          ? tx.insert(settings, { ...fields, id: ID })
          : tx.put(settings, { ...fields, id: ID, version: before.version });
      }),
  };
}
