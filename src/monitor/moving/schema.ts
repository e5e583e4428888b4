/** The request and the response of an import of servers and their alert rules. */
import { z } from "zod";
import { line } from "../../kit/text/schemas.ts";
import { serverIdSchema } from "../base/schema.ts";

const MAX_SYSTEMS = 1_000;
const MAX_ALERTS = 20_000;

/** Tables and columns of Beszel's database that are read; nothing else leaves the browser. */
export const beszelTables = {
  systems: ["id", "name", "host", "port", "status"],
  alerts: ["id", "system", "name", "value", "min"],
} as const;

const cell = z.union([line(500), z.number(), z.boolean(), z.null()]);
const row = z.record(z.string().max(64), cell);

export const serverImportSchema = z.strictObject({
  format: z.literal("beszel").describe("Beszel's database `data.db`, as rows of its tables"),
  systems: z.array(row).min(1).max(MAX_SYSTEMS).describe("Rows of the table `systems`"),
  alerts: z.array(row).max(MAX_ALERTS).default([]).describe("Rows of the table `alerts`"),
  trial: z.boolean().default(true).describe("Whether to do a dry run without storing anything"),
});
export type ServerImport = z.infer<typeof serverImportSchema>;

/** Why something is not imported, or how it differs. */
export const movingNotes = [
  "same_name",
  "no_name",
  "other_name",
  "no_such_alert",
  "bad_value",
  "each_value",
  "two_directions",
  "other_span",
  "no_server",
  "full",
] as const;
export type MovingNote = (typeof movingNotes)[number];

const notes = z.array(z.enum(movingNotes));

export const serverImportResultSchema = z.object({
  trial: z.boolean(),
  servers: z.number().int().describe("Number of servers that were (or would be) created"),
  rules: z.number().int().describe("Number of alert rules that were (or would be) created"),
  systems: z.array(
    z.object({
      name: z.string().describe("Name in the file"),
      address: z.string().describe("Address at which Beszel reached the agent"),
      outcome: z.enum(["server", "left_out"]),
      id: serverIdSchema.optional().describe("ID of the server; absent in a dry run"),
      command: z
        .string()
        .optional()
        .describe(
          "Command to run as root on the machine, valid for 7 days: keys of Beszel's agents do not fit",
        ),
      notes,
    }),
  ),
  alerts: z.array(
    z.object({
      name: z.string().describe("Name of the rule"),
      outcome: z.enum(["rule", "left_out"]),
      servers: z.number().int().describe("Number of servers that the rule covers"),
      notes,
    }),
  ),
});
export type ServerImportResult = z.infer<typeof serverImportResultSchema>;
