/**
 * The control of kills and power cuts: counts in a file as many programs keep their data, and prints each number once
 * it calls it stored. What is careless about it is the first argument; the second is the folder.
 *   no-wait  plain lowdb, acknowledged before the write has ended
 *   no-sync  plain lowdb as it comes: a temporary file and a rename, without a sync
 *   no-look  plain lowdb, acknowledged also when the write failed
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { JSONFilePreset } from "lowdb/node";

const [, , habit = "no-sync", folder = ""] = process.argv;
const db = await JSONFilePreset(join(folder, "careless.json"), { value: 0, padding: "" });
// A file of a size that takes a while, as files have; longer than the pause below where that is what is shown.
db.data.padding = "x".repeat(habit === "no-wait" ? 4_000_000 : 200_000);

for (;;) {
  db.data.value += 1;
  const written = db.write();
  if (habit === "no-wait") written.catch(() => undefined);
  else if (habit === "no-look") await written.catch(() => undefined);
  else await written;
  writeSync(1, `${db.data.value}\n`);
  if (habit !== "no-sync") await pause(1);
}
