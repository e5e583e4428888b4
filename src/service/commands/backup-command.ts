/** `trivet backup`: a consistent copy of everything in the data folder, also while the services run. */
import { join, resolve } from "node:path";
import { type Command, UsageError, readArguments } from "./command.ts";
import { createBackup } from "../backup/backup.ts";
import { toBackupName } from "../backup/manifest.ts";

/** The command. */
export const backupCommand: Command = {
  usage: `Usage: trivet backup [--data FOLDER] [--to FOLDER]      (in a clone: npm run backup -- …)
  --data  what to copy (default: DATA_DIR, else data)
  --to    a folder that does not exist yet (default: trivet-<time> in BACKUP_DIR, else in backups)
The services may run meanwhile. With PostgreSQL take pg_dump as well: the records are there.`,
  failure: "Backup failed",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      data: { type: "string" },
      to: { type: "string" },
    });
    if (positionals.length > 0)
      throw new UsageError(
        `"${positionals.join(" ")}" belongs to no option: name folders with --data and --to`,
      );
    const now = Date.now();
    const data = resolve(values.data ?? env.DATA_DIR ?? "data");
    const to = resolve(values.to ?? join(env.BACKUP_DIR ?? "backups", toBackupName(now)));
    const { files, stores } = await createBackup({ data, to, now });
    for (const { name, lsn, collections } of stores) {
      const counts = Object.entries(collections)
        .filter(([, { count }]) => count > 0)
        .map(([collection, { count }]) => `${collection} ${count}`);
      console.log(`${name}: ${counts.join(", ") || "no records"} (transaction ${lsn})`);
    }
    console.log(`Backed up and read back ${files.length} files in "${to}"`);
  },
};
