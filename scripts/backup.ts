/** `npm run backup`: a consistent copy of everything in the data folder, also while the services run. */
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../src/kit/thrown.ts";
import { createBackup } from "../src/service/backup/backup.ts";

const USAGE = `Usage: npm run backup -- [--data FOLDER] [--to FOLDER]
  --data  what to copy (default: data)
  --to    a folder that does not exist yet (default: backups/trivet-<time>)`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: "string", default: "data" },
      to: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const now = Date.now();
  const to = resolve(
    values.to ?? join("backups", `trivet-${new Date(now).toISOString().replaceAll(/[:.]/gu, "-")}`),
  );
  const { files, stores } = await createBackup({ data: resolve(values.data), to, now });
  for (const { name, lsn, collections } of stores) {
    const counts = Object.entries(collections).map(([collection, { count }]) => `${collection} ${count}`);
    console.log(`${name}: ${counts.join(", ")} (transaction ${lsn})`);
  }
  console.log(`Backed up and read back ${files.length} files in "${to}"`);
}

await main().catch((error: unknown) => {
  console.error(`Backup failed: ${textOf(error)}`);
  process.exitCode = 1;
});
