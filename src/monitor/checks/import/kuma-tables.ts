/** Monitors of Uptime Kuma's database (kuma.db), as rows of its tables in JSON. */
import { type Fields, toFields, toList, toText } from "./entry.ts";

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

/** Which monitors notify: rows of "monitor_notification"; undefined without that table. */
function readNotified(table: unknown): ReadonlySet<string> | undefined {
  return Array.isArray(table)
    ? new Set(
        toList(table)
          .map(toFields)
          .map((row) => toText(row["monitor_id"])),
      )
    : undefined;
}

/** The document as a backup, when it has the table "monitor"; as it is otherwise. */
export function fromTables(document: unknown): unknown {
  const { monitor, tag, monitor_tag: links, monitor_notification, proxy, ...others } = toFields(document);
  if (!Array.isArray(monitor)) return document;
  const rows = toList(monitor).map(toFields);
  const notified = readNotified(monitor_notification);
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
    ...(notified && { notificationIDList: { any: notified.has(toText(row["id"])) } }),
    tags: tags.get(toText(row["id"])) ?? [],
  }));
  return { ...others, monitorList, proxyList: toList(proxy) };
}
