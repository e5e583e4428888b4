/** Backups for administrators. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

/** A backup that was made and read back. */
export const backupSchema = z.strictObject({
  name: z.string().describe("Name of the backup in `folder`; sealed backups end in .tar.age"),
  createdAt: isoTimeSchema,
  sizeBytes: z.number().int(),
  files: z.number().int().optional().describe("Number of files; absent for sealed backups"),
});

/** All of them, and how they are made. */
export const backupsSchema = z.object({
  items: z.array(backupSchema),
  nextCursor: z.string().optional(),
  folder: z.string().optional().describe("Backup folder; absent if BACKUP_DIR is not set"),
  everyHours: z.number().int().optional().describe("Hours between backups; 0: only on request"),
  withoutRecords: z
    .literal(true)
    .optional()
    .describe(
      "Whether the records are in PostgreSQL and not part of these backups. Back up the database separately",
    ),
  keep: z.number().int().optional().describe("Number of backups to keep"),
  nextAt: isoTimeSchema.optional(),
  runningSince: isoTimeSchema.optional().describe("Start of the running backup"),
  failure: z
    .strictObject({ at: isoTimeSchema, message: z.string() })
    .optional()
    .describe("Error of the last backup; absent if it succeeded"),
});
export type BackupsView = z.infer<typeof backupsSchema>;
