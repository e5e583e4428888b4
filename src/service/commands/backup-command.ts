/** `trivet backup`: a consistent copy of everything in the data folder, also while the services run. */
import { join, resolve } from "node:path";
import { type Command, UsageError, readArguments } from "./command.ts";
import { list } from "../../kit/text/variables.ts";
import { createBackup } from "../backup/backup.ts";
import { SEALED } from "../backup/sealed-name.ts";
import { toBackupName } from "../backup/manifest.ts";

export const backupCommand: Command = {
  usage: `Usage: trivet backup [--data FOLDER] [--to FOLDER] [--keys | --seal RECIPIENT]      (in a clone: npm run backup -- …)
  --data  the data folder to back up (default: DATA_DIR, otherwise data)
  --to    a folder that does not exist yet (default: trivet-<time> in BACKUP_DIR, otherwise in backups)
  --keys  includes the sealing keys (*-secret.json), as with BACKUP_KEYS=1: anyone with the backup can read all data
  --seal  an age recipient (age1…; repeatable; default: BACKUP_RECIPIENTS): the backup is one file, …${SEALED}, with the
          sealing keys, that only the identity of a recipient opens
The services can keep running. With PostgreSQL, also use pg_dump: the records are in the database.`,
  failure: "Backup failed",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      data: { type: "string" },
      to: { type: "string" },
      keys: { type: "boolean", default: env.variables["BACKUP_KEYS"] === "1" },
      seal: { type: "string", multiple: true, default: list(env.variables["BACKUP_RECIPIENTS"] ?? "") },
    });
    if (positionals.length > 0)
      throw new UsageError(`"${positionals.join(" ")}" is not an option. Set folders with --data and --to`);
    const now = Date.now();
    const data = resolve(values.data ?? env.DATA_DIR ?? "data");
    const to = resolve(values.to ?? join(env.BACKUP_DIR ?? "backups", toBackupName(now)));
    const recipients = values.seal;
    const sealed = to.endsWith(SEALED) ? to : to + SEALED;
    const {
      files,
      stores,
      withoutKeys = [],
    } = recipients.length === 0
      ? await createBackup({ data, to, now, withKeys: values.keys })
      : await (await import("../backup/sealed.ts")).createSealedBackup({ data, to: sealed, now, recipients });
    for (const { name, lsn, collections } of stores) {
      const counts = Object.entries(collections)
        .filter(([, { count }]) => count > 0)
        .map(([collection, { count }]) => `${collection} ${count}`);
      console.log(`${name}: ${counts.join(", ") || "no records"} (transaction ${lsn})`);
    }
    if (recipients.length > 0)
      console.log(`Backed up, verified and sealed ${files.length} files in "${sealed}"`);
    else console.log(`Backed up and verified ${files.length} files in "${to}"`);
    if (withoutKeys.length > 0)
      console.log(
        `Not included: ${withoutKeys.join(", ")}. Keep copies of these files separate from the backups: sealed data cannot be read without them. Use --keys to include them`,
      );
  },
};
