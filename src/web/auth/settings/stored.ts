/** A group of settings between the API and its form: what has a form of its own there is made one here. */
import { adminRequest } from "../../ui/console/session.ts";
import type { Edited } from "../../ui/forms/parsed.ts";
import {
  type Fields,
  type FieldSpec,
  type Form,
  editFields,
  nestFields,
  pickFields,
} from "../../ui/settings/setting-specs.ts";
import type { SettingsTab } from "./groups.ts";

interface Bonus {
  readonly days: number;
  readonly bonus: number;
  readonly every: boolean;
}
interface Accent {
  readonly light: string;
  readonly dark: string;
}

/** A group as the API gives it. */
export interface StoredGroup {
  readonly version: number;
  readonly accent?: Accent;
  readonly streakBonuses?: readonly Bonus[];
  readonly passwordSet?: boolean;
  readonly [name: string]: unknown;
}

/** Where a group is. */
export function toPath(group: SettingsTab["group"]): string {
  return `/api/admin/settings/${group}`;
}

/** "7: 20" once, "7: 20 *" each time. */
function toBonusWord({ days, bonus, every }: Bonus): string {
  return `${days}: ${bonus}${every ? " *" : ""}`;
}

/** The bonus that a word means; what is none goes to the service as it is, which says so. */
function parseBonus(word: string): object {
  const parts = /^(\d{1,4})\s*:\s*(\d{1,7})\s*(\*?)$/u.exec(word.trim());
  return { days: Number(parts?.[1] ?? 0), bonus: Number(parts?.[2] ?? 0), every: parts?.[3] === "*" };
}

function pick(specs: readonly FieldSpec[], stored: StoredGroup): Fields {
  const flat: Record<string, unknown> = {
    ...stored,
    password: "",
    accentLight: stored.accent?.light,
    accentDark: stored.accent?.dark,
    streakBonuses: stored.streakBonuses?.map(toBonusWord),
  };
  return pickFields(specs, flat);
}

function toBody({ accentLight, accentDark, streakBonuses, password, ...rest }: Fields): object {
  return {
    ...nestFields(rest),
    ...(accentLight === undefined ? {} : { accent: { light: accentLight, dark: accentDark } }),
    ...(Array.isArray(streakBonuses) ? { streakBonuses: streakBonuses.map(parseBonus) } : {}),
    ...(password === undefined || password === "" ? {} : { password }),
  };
}

/** How the group of a tab is edited. */
export function toEdited(
  group: SettingsTab["group"],
  specs: readonly FieldSpec[],
): Edited<StoredGroup, Form, Fields> {
  const path = toPath(group);
  return {
    ...editFields(specs),
    pick: (stored) => pick(specs, stored),
    send: ({ version }, fields) =>
      adminRequest<StoredGroup>(path, { method: "PATCH", body: { ...toBody(fields), version } }),
    reload: () => adminRequest<StoredGroup>(path),
  };
}
