/** What administrators see of the backups. */
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";

/** A backup that was made and read back. */
export const backupSchema = z.strictObject({
  name: z.string().describe("Its folder below `folder`"),
  createdAt: isoTimeSchema,
  sizeBytes: z.number().int(),
  files: z.number().int(),
});

/** All of them, and how they are made. */
export const backupsSchema = z.object({
  items: z.array(backupSchema),
  nextCursor: z.string().optional(),
  folder: z.string().optional().describe("Where they go; absent while BACKUP_DIR is not set"),
  everyHours: z.number().int().optional().describe("0: only when asked for"),
  withoutRecords: z
    .literal(true)
    .optional()
    .describe("The records are in PostgreSQL and not in here: that database needs backups of its own"),
  keep: z.number().int().optional().describe("How many stay"),
  nextAt: isoTimeSchema.optional(),
  runningSince: isoTimeSchema.optional().describe("Since when one is being made"),
  failure: z
    .strictObject({ at: isoTimeSchema, message: z.string() })
    .optional()
    .describe("Why the last one failed; absent when it did not"),
});
export type BackupsView = z.infer<typeof backupsSchema>;
