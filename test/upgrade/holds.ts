/** Whether an answer of the present program holds what an older one had answered. */
import assert from "node:assert/strict";

/** What changes with time, the process, or the version, and is no record. */
const passing = new Set([
  "now",
  "state",
  "stateSince",
  "serverTime",
  "timestamp",
  "generatedAt",
  "uptimeSeconds",
  "connectedAt",
  "streamOpen",
  "streams",
  "online",
  "lastActiveAt",
  "lastUsedAt",
  "lastSeenAt",
  "nextCursor",
  "diskBytes",
  "bytesOnDisk",
  "usage",
  "isOutdated",
  "from",
  "to",
]);

/** Fields with new names in today's responses; the same question applies to their values. */
const renamed: Readonly<Record<string, string>> = {
  hasPassword: "passwordSet",
  hasSecret: "secretSet",
  hasSharedSecret: "sharedSecretSet",
  user: "username",
};

/** Every field and element of `expected` is in `actual`; what is new beside it is welcome. */
export function assertHolds(actual: unknown, expected: unknown, where: string): void {
  if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${where}: is no list any more`);
    assert.ok(actual.length >= expected.length, `${where}: ${actual.length} of ${expected.length} are left`);
    expected.forEach((element, index) =>
      assertHolds(findAlike(actual, element, index), element, `${where}/${index}`),
    );
    return;
  }
  if (typeof expected !== "object" || expected === null) {
    // Times were epoch milliseconds once.
    const isTime = typeof expected === "number" && typeof actual === "string" && /^\d{4}-.*T/u.test(actual);
    assert.deepEqual(isTime ? Date.parse(actual) : actual, expected, where);
    return;
  }
  assert.ok(typeof actual === "object" && actual !== null, `${where}: is gone`);
  for (const [key, value] of Object.entries(expected))
    if (counted.has(key)) assertCounted(readMember(actual, key), value, `${where}/${key}`);
    else if (!passing.has(key)) assertHolds(readMember(actual, key), value, `${where}/${key}`);
}

/** Minutes that the monitor stores with the next one: a kill loses the last. */
const counted = new Set(["upMinutes", "knownMinutes"]);

function assertCounted(actual: unknown, expected: unknown, where: string): void {
  assert.ok(Number(actual) >= Number(expected) - 1, `${where}: ${String(actual)} of ${String(expected)}`);
}

/** Lists of the monitor had names of their own once. */
const lists = new Set(["channels", "rules", "servers", "series"]);

/** Lists had a total once: that of a list of one page is the number of its items. */
function readMember(actual: object, key: string): unknown {
  const name = renamed[key];
  if (name !== undefined && !(key in actual)) return Reflect.get(actual, name);
  const items: unknown = Reflect.get(actual, "items");
  const isCounted = key === "total" && !("total" in actual) && !("nextCursor" in actual);
  if (lists.has(key) && Array.isArray(items)) return items;
  return isCounted && Array.isArray(items) ? items.length : Reflect.get(actual, key);
}

/** The element with the same ID, in any position; without IDs, the one at the same position. */
function findAlike(actual: readonly unknown[], element: unknown, index: number): unknown {
  const id = idOf(element);
  return id === undefined ? actual[index] : actual.find((other) => idOf(other) === id);
}

function idOf(element: unknown): unknown {
  return typeof element === "object" && element !== null ? Reflect.get(element, "id") : undefined;
}
