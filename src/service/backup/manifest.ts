/** The list of contents that every backup carries as `backup.json`, and the check of a backup against it. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { hashFile, summarize } from "./content.ts";

export const MANIFEST = "backup.json";

/** The names that {@link toBackupName} gives. */
export const BACKUP_NAME = /^trivet-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/u;

/** Default folder name of a backup. */
export function toBackupName(now: number): string {
  return `trivet-${new Date(now).toISOString().replaceAll(/[:.]/gu, "-")}`;
}

/** When a backup of that name was made, in epoch milliseconds. */
export function readBackupTime(name: string): number {
  const [, day, hours, minutes, seconds, ms] = /^trivet-(\S{10})T(..)-(..)-(..)-(...)Z/u.exec(name) ?? [];
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
}

const manifestSchema = z.object({
  format: z.literal("trivet-backup/1"),
  createdAt: z.string(),
  files: z.array(
    z.object({
      // Relative and without steps upwards, so that restoring writes nowhere else.
      path: z
        .string()
        .refine((path) => path.split("/").every((part) => part !== "" && part !== "." && part !== "..")),
      sizeBytes: z.number().int().nonnegative(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    }),
  ),
  /** Missing parts; absent in a complete backup. */
  missing: z.string().optional(),
  /** Sealing keys of the folder that were left out; absent where there were none. */
  withoutKeys: z.array(z.string()).optional(),
  stores: z.array(
    z.object({
      folder: z.string(),
      name: z.string(),
      lsn: z.number(),
      collections: z.record(z.string(), z.object({ count: z.number(), hash: z.string() })),
    }),
  ),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** @throws Error when the folder holds no complete backup */
export async function readManifest(folder: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(folder, MANIFEST), "utf8");
  } catch (error) {
    throw new Error(`"${folder}" is not a complete backup: it has no ${MANIFEST}`, { cause: error });
  }
  return manifestSchema.parse(JSON.parse(text));
}

/**
 * Reads every file and store in a folder back and compares it with the manifest.
 * @throws Error naming what differs
 */
export async function verifyContent(folder: string, manifest: Manifest): Promise<void> {
  for (const file of manifest.files) {
    const path = join(folder, file.path);
    const { size } = await stat(path);
    if (size !== file.sizeBytes || (await hashFile(path)) !== file.sha256) {
      throw new Error(`"${path}" differs from the checksum in the backup`);
    }
  }
  for (const store of manifest.stores) {
    if (!isDeepStrictEqual(await summarize(folder, store), store)) {
      throw new Error(`The store "${store.name}" in "${folder}" differs from the checksum in the backup`);
    }
  }
}
