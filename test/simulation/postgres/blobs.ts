/** Tables of bytes under their hashes: single statements, none of which waits for another. */
import type { DatabaseServer, ServerAnswer } from "./server.ts";

/** Undefined for a statement about something else. */
export function runBlobStatement(
  { blobs }: DatabaseServer,
  text: string,
  values: readonly unknown[],
): ServerAnswer | undefined {
  const say = (rows: ServerAnswer["rows"]): ServerAnswer => ({
    rows,
    rowCount: rows.length,
    command: "SELECT",
  });
  const [, created, inserted, removed, read] =
    /^(?:CREATE TABLE IF NOT EXISTS (\w+) \(hash|INSERT INTO (\w+) \(hash|DELETE FROM (\w+) WHERE hash|SELECT (?:bytes|hash) FROM (\w+) )/u.exec(
      text,
    ) ?? [];
  const name = created ?? inserted ?? removed ?? read;
  if (name === undefined) return undefined;
  const table = blobs.get(name) ?? new Map<string, Uint8Array>();
  blobs.set(name, table);
  const [first, second] = values;
  if (inserted !== undefined && second instanceof Uint8Array) table.set(String(first), second);
  if (removed !== undefined) table.delete(String(first));
  if (read === undefined) return say([]);
  if (text.startsWith("SELECT bytes")) {
    const bytes = table.get(String(first));
    return say(bytes === undefined ? [] : [{ bytes }]);
  }
  const all = [...table.keys()].toSorted();
  const wanted = Array.isArray(first)
    ? all.filter((hash) => first.includes(hash))
    : all.filter((hash) => hash > String(first)).slice(0, 1_000);
  return say(wanted.map((hash) => ({ hash })));
}
