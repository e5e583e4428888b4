/** `trivet restore`: puts a backup in place of what the data folder holds, which is kept beside it. */
import { resolve } from "node:path";
import { type Command, UsageError, readArguments } from "./command.ts";
import { restoreBackup } from "../backup/restore.ts";

/** The command. */
export const restoreCommand: Command = {
  usage: `Usage: trivet restore BACKUP [--data FOLDER] [--incomplete]      (in a clone: npm run restore -- …)
  BACKUP        a folder that trivet backup made
  --data        where to put it (default: DATA_DIR, else data); what is there is kept beside it
  --incomplete  also a backup that lacks pictures or files which its records need
Stop the services first.`,
  failure: "Restore failed",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      data: { type: "string" },
      incomplete: { type: "boolean" },
    });
    const [backup] = positionals;
    if (backup === undefined || positionals.length > 1) throw new UsageError("Name one backup");
    const data = resolve(values.data ?? env.DATA_DIR ?? "data");
    const { manifest, keptIn } = await restoreBackup({
      backup: resolve(backup),
      data,
      now: Date.now(),
      takesIncomplete: values.incomplete,
    });
    console.log(
      `Restored ${manifest.files.length} files of ${manifest.createdAt} to "${data}" and read them back`,
    );
    if (keptIn !== undefined) console.log(`What was there before is in "${keptIn}"`);
  },
};
