/** `trivet restore`: puts a backup in place of what the data folder holds, which is kept beside it. */
import { readGivenSecrets } from "../../kit/services.ts";
import { resolve } from "node:path";
import { type Command, UsageError, readArguments } from "./command.ts";
import type { RestoredKey } from "../keys/backup-keys.ts";
import { restoreBackup } from "../backup/restore.ts";

/** The result for a sealing key that the backup omits, and the remaining steps. */
function describeKey({ service, name, state }: RestoredKey, data: string): string {
  const variable = `${service.toUpperCase()}_SECRET`;
  switch (state) {
    case "kept":
      return `${name} is not in this backup. The existing file in the folder is kept`;
    case "given":
      return `${name} is not in this backup. The ${service} uses ${variable}`;
    case "missing":
      return `${name} is missing, because this backup was created without sealing keys. Before you start the ${service}, copy ${name} into "${data}" from where you keep it, or set ${variable}`;
  }
}

export const restoreCommand: Command = {
  usage: `Usage: trivet restore BACKUP [--data FOLDER] [--incomplete]      (in a clone: npm run restore -- …)
  BACKUP        a folder created by trivet backup
  --data        the target folder (default: DATA_DIR, otherwise data). Existing files are kept next to it
  --incomplete  also restores a backup with missing images or files
Stop the services first.`,
  failure: "Restore failed",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      data: { type: "string" },
      incomplete: { type: "boolean" },
    });
    const [backup] = positionals;
    if (backup === undefined || positionals.length > 1) throw new UsageError("Specify one backup");
    const data = resolve(values.data ?? env.DATA_DIR ?? "data");
    const { manifest, keptIn, keys } = await restoreBackup({
      backup: resolve(backup),
      data,
      now: Date.now(),
      takesIncomplete: values.incomplete,
      given: readGivenSecrets(env.variables),
    });
    console.log(`Restored and verified ${manifest.files.length} files of ${manifest.createdAt} in "${data}"`);
    if (keptIn !== undefined) console.log(`The previous files are in "${keptIn}"`);
    for (const key of keys) console.log(describeKey(key, data));
  },
};
