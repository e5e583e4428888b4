/** `npm run restore`: puts a backup in place of what the data folder holds, which is kept beside it. */
import { resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../src/kit/thrown.ts";
import { restoreBackup } from "../src/service/backup/restore.ts";

const USAGE = `Usage: npm run restore -- BACKUP [--data FOLDER]
  BACKUP  a folder that npm run backup made
  --data  where to put it (default: data); what is there is kept beside it`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      data: { type: "string", default: "data" },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const [backup] = positionals;
  if (backup === undefined || positionals.length > 1) throw new Error(`Name one backup\n${USAGE}`);
  const data = resolve(values.data);
  const { manifest, keptIn } = await restoreBackup({ backup: resolve(backup), data, now: Date.now() });
  console.log(
    `Restored ${manifest.files.length} files of ${manifest.createdAt} to "${data}" and read them back`,
  );
  if (keptIn !== undefined) console.log(`What was there before is in "${keptIn}"`);
}

await main().catch((error: unknown) => {
  console.error(`Restore failed: ${textOf(error)}`);
  process.exitCode = 1;
});
