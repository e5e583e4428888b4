/** `trivet restore`: puts a backup in place of what the data folder holds, which is kept beside it. */
import { readGivenSecrets } from "../../kit/services.ts";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Command, UsageError, readArguments } from "./command.ts";
import type { RestoredKey } from "../keys/backup-keys.ts";
import { SEALED } from "../backup/sealed-name.ts";
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

/** Opens a sealed backup on the disk of the data, where its content is to be, for as long as `work` takes. */
async function withOpened<T>(
  options: { file: string; identity: string | undefined; data: string; now: number },
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const { file, identity, data, now } = options;
  if (identity === undefined)
    throw new UsageError(`"${file}" is sealed. Set the file with your age identity with --identity FILE`);
  const { openSealed } = await import("../backup/sealed.ts");
  const identities = await readFile(identity === "-" ? "/dev/stdin" : resolve(identity), "utf8");
  const folder = join(data, `.opening-${now}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await work(await openSealed(file, identities, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const restoreCommand: Command = {
  usage: `Usage: trivet restore BACKUP [--data FOLDER] [--identity FILE] [--incomplete]      (in a clone: npm run restore -- …)
  BACKUP        a folder or a sealed file (…${SEALED}) created by trivet backup
  --data        the target folder (default: DATA_DIR, otherwise data). Existing files are kept next to it
  --identity    a file with the age identity that opens a sealed backup, as age-keygen writes it; - reads it from the
                standard input
  --incomplete  also restores a backup with missing images or files
Stop the services first.`,
  failure: "Restore failed",
  async run(args, env) {
    const { values, positionals } = readArguments(args, {
      data: { type: "string" },
      identity: { type: "string" },
      incomplete: { type: "boolean" },
    });
    const [backup] = positionals;
    if (backup === undefined || positionals.length > 1) throw new UsageError("Specify one backup");
    const data = resolve(values.data ?? env.DATA_DIR ?? "data");
    const now = Date.now();
    const restore = (folder: string) =>
      restoreBackup({
        backup: folder,
        data,
        now,
        takesIncomplete: values.incomplete,
        given: readGivenSecrets(env.variables),
      });
    const { manifest, keptIn, keys } = backup.endsWith(SEALED)
      ? await withOpened({ file: resolve(backup), identity: values.identity, data, now }, restore)
      : await restore(resolve(backup));
    console.log(`Restored and verified ${manifest.files.length} files of ${manifest.createdAt} in "${data}"`);
    if (keptIn !== undefined) console.log(`The previous files are in "${keptIn}"`);
    for (const key of keys) console.log(describeKey(key, data));
  },
};
