/** Groups of Uptime Kuma: monitors that others name as their `parent`, and that are down while any of these is. */
import {
  EntryDraft,
  type Fields,
  type ImportEntry,
  isOn,
  toFields,
  toList,
  toNumber,
  toText,
} from "./entry.ts";

/** Deeper ones, and a circle, end here. */
const MAX_DEPTH = 8;
const MAX_GROUP = 64;

/** Monitors by their ID. */
export type ById = ReadonlyMap<string, Fields>;

export function toById(monitors: readonly Fields[]): ById {
  const byId = new Map(monitors.map((monitor) => [toText(monitor["id"]), monitor]));
  // An entry without a parent is not the child of one without an ID.
  byId.delete("");
  return byId;
}

/** The monitor, and the groups around it from the innermost on. */
function listAround(monitor: Fields, byId: ById): readonly Fields[] {
  const found: Fields[] = [];
  let one: Fields | undefined = monitor;
  while (one !== undefined && found.length <= MAX_DEPTH) {
    found.push(one);
    one = byId.get(toText(one["parent"]));
  }
  return found;
}

/** Whether it runs: a monitor is paused with the groups around it. */
export function isActive(monitor: Fields, byId: ById): boolean {
  return listAround(monitor, byId).every(({ active }) => active === undefined || isOn(active));
}

/** Names of the groups around a monitor, the outermost first. */
export function groupOf(monitor: Fields, byId: ById): string {
  const [, ...groups] = listAround(monitor, byId);
  return groups
    .toReversed()
    .map(({ name }) => toText(name).trim())
    .join(" / ");
}

function cut(group: string): string {
  return group.slice(0, MAX_GROUP).trim();
}

/** Whether the file says that it has no notifications; files without such a list say nothing. */
function isSilent({ notificationIDList: list }: Fields): boolean {
  if (list === undefined || list === null) return false;
  return Array.isArray(list) ? toList(list).length === 0 : !Object.values(toFields(list)).some(isOn);
}

/** What a file has besides the group. */
interface Around {
  readonly byId: ById;
  readonly monitors: readonly Fields[];
  /** What the other entries became. */
  readonly entries: readonly ImportEntry[];
}

/** A check that is down while any member is; without checks among its children, the group is a name only. */
export function toGroupEntry(monitor: Fields, { byId, monitors, entries }: Around): ImportEntry {
  const around = groupOf(monitor, byId);
  const name = toText(monitor["name"]);
  const own = cut([around, name.trim()].filter((part) => part !== "").join(" / "));
  const draft = new EntryDraft(name, "group");
  const members = entries.flatMap(({ check }) => (check?.group === own ? [check] : []));
  const id = toText(monitor["id"]);
  const inner = monitors.filter(({ parent, type }) => id !== "" && type === "group" && toText(parent) === id);
  if (inner.length > 0) draft.note("inner_groups", inner.map(({ name: one }) => toText(one)).join(", "));
  if (members.length === 0) {
    draft.note("no_members");
    draft.leaveOut();
    return { ...draft.finish(), isGroup: true };
  }
  draft.note("group_members", String(members.length));
  if ((toNumber(monitor["maxretries"]) ?? 0) > 0) draft.note("no_retries");
  const { fields } = draft;
  // In the group that it judges, unless a member has its name.
  fields["group"] = members.some((member) => member.name === name.trim()) ? around : own;
  fields["target"] = { kind: "group", group: own, downWhen: "any" };
  fields["paused"] = !isActive(monitor, byId);
  fields["note"] = toText(monitor["description"]).slice(0, 4_000);
  if (isSilent(monitor)) {
    fields["mute"] = {};
    draft.note("muted");
  }
  return draft.finish();
}
