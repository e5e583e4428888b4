/** Monitors of Uptime Kuma's database (kuma.db), as rows of its tables in JSON. */
import { type Fields, isOn, toFields, toList, toText } from "./entry.ts";

/** "push_token" is "pushToken" in a backup; names that a backup leaves as they are stay, too. */
function toBackupNames(row: Fields): Record<string, unknown> {
  const others = Object.entries(row).map(([name, value]): [string, unknown] => [
    name.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return { ...row, ...Object.fromEntries(others) };
}

function parseList(text: unknown): readonly unknown[] {
  try {
    return toList(JSON.parse(toText(text)));
  } catch {
    return [];
  }
}

/** A monitor is paused with the groups around it. */
function isActive(row: Fields, byId: ReadonlyMap<string, Fields>): boolean {
  let one: Fields | undefined = row;
  for (let depth = 0; one !== undefined && depth < 8; depth += 1) {
    if (one["active"] !== undefined && !isOn(one["active"])) return false;
    one = byId.get(toText(one["parent"]));
  }
  return true;
}

/** The document as a backup, when it has the table "monitor"; as it is otherwise. */
export function fromTables(document: unknown): unknown {
  const { monitor, tag, monitor_tag: links, proxy, ...others } = toFields(document);
  if (!Array.isArray(monitor)) return document;
  const rows = toList(monitor).map(toFields);
  const byId = new Map(rows.map((row) => [toText(row["id"]), row]));
  byId.delete("");
  const names = new Map(
    toList(tag)
      .map(toFields)
      .map(({ id, name }) => [toText(id), name]),
  );
  const tags = new Map<string, Record<string, unknown>[]>();
  for (const link of toList(links).map(toFields)) {
    const id = toText(link["monitor_id"]);
    const own = tags.get(id) ?? [];
    own.push({ name: names.get(toText(link["tag_id"])), value: link["value"] });
    tags.set(id, own);
  }
  const monitorList = rows.map((row) => ({
    ...toBackupNames(row),
    accepted_statuscodes: parseList(row["accepted_statuscodes_json"]),
    active: isActive(row, byId),
    tags: tags.get(toText(row["id"])) ?? [],
  }));
  return { ...others, monitorList, proxyList: toList(proxy) };
}
