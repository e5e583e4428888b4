/** A folder of backups: those that are whole, and the end of one. */
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../kit/thrown.ts";
import { INCOMPLETE, PARTIAL } from "./backup.ts";
import { BACKUP_NAME, readBackupTime, readManifest } from "./manifest.ts";
import { SEALED } from "./sealed-name.ts";

const isBackupName = (name: string): boolean =>
  BACKUP_NAME.test(name.endsWith(SEALED) ? name.slice(0, -SEALED.length) : name);

export interface FoundBackup {
  readonly name: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly sizeBytes: number;
  /** Undefined for a sealed one, whose list is sealed too. */
  readonly files: number | undefined;
}

/** Opens a folder, which need not exist yet. */
export function openBackupFolder(folder: string) {
  /** A backup never changes, so that each is read once. */
  const known = new Map<string, FoundBackup>();

  async function names(): Promise<string[]> {
    try {
      return await readdir(folder);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    }
  }

  async function read(name: string): Promise<FoundBackup> {
    if (name.endsWith(SEALED)) {
      const { size } = await stat(join(folder, name));
      return { name, createdAt: readBackupTime(name), sizeBytes: size, files: undefined };
    }
    const { createdAt, files } = await readManifest(join(folder, name));
    const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
    return { name, createdAt: Date.parse(createdAt), sizeBytes, files: files.length };
  }

  return {
    /** All that are whole and were named by the program, the newest first. */
    async list(): Promise<FoundBackup[]> {
      const found: FoundBackup[] = [];
      for (const name of (await names()).filter(isBackupName)) {
        // One without its list is none; another process may be removing it.
        const backup = known.get(name) ?? (await read(name).catch(() => undefined));
        if (backup === undefined) continue;
        known.set(name, backup);
        found.push(backup);
      }
      return found.sort((a, b) => b.createdAt - a.createdAt);
    },
    /** Removes a backup; half of one that is left by a power cut does not look like one. */
    async remove(name: string): Promise<void> {
      const gone = join(folder, `${name}${PARTIAL}`);
      await rename(join(folder, name), gone);
      known.delete(name);
      await rm(gone, { recursive: true, force: true });
    },
    /** Removes backups that lack something, but for the newest so many. */
    async removeIncomplete(keep: number): Promise<void> {
      const incomplete = (await names()).filter(
        (name) => name.endsWith(INCOMPLETE) && BACKUP_NAME.test(name.slice(0, -INCOMPLETE.length)),
      );
      // Their names sort by time.
      for (const name of incomplete.sort().reverse().slice(keep))
        await rm(join(folder, name), { recursive: true, force: true });
    },
    /** Removes what was begun and never ended. */
    async removePartial(): Promise<void> {
      for (const name of await names())
        if (name.endsWith(PARTIAL) && isBackupName(name.slice(0, -PARTIAL.length)))
          await rm(join(folder, name), { recursive: true, force: true });
    },
  };
}
