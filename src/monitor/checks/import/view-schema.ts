/** The request and the response of an import of checks. */
import { z } from "zod";
import { checkKinds } from "../schema.ts";
import { noteCodes } from "./notes.ts";

export const MAX_FILE = 1_048_576;
export const MAX_ENTRIES = 2_000;

/** Programs whose definitions are read. */
export const importFormats = ["kuma", "gatus", "healthchecks"] as const;

export const importInputSchema = z.strictObject({
  format: z
    .enum(importFormats)
    .describe(
      "Uptime Kuma's backup, monitors, or tables of its database as JSON; Gatus' configuration as YAML; checks of healthchecks.io as its API returns them",
    ),
  text: z.string().min(1).max(MAX_FILE).describe("Content of the file (YAML up to 256 KiB)"),
  trial: z.boolean().default(true).describe("Whether to do a dry run without storing anything"),
});
export type ImportInput = z.infer<typeof importInputSchema>;

export const importEntrySchema = z.object({
  name: z.string().describe("Name in the file"),
  type: z.string().describe("Type in the file, such as keyword"),
  outcome: z
    .enum(["check", "group", "left_out"])
    .describe(
      "Result: a check, a group without checks (a name only), or nothing (see the notes for the reason)",
    ),
  check: z
    .object({
      id: z.string().optional().describe("ID of the check; absent in a dry run"),
      name: z.string(),
      group: z.string(),
      tags: z.array(z.string()),
      kind: z.enum(checkKinds),
      target: z.string().describe("Short description of the target, without secrets"),
      paused: z.boolean(),
      keepsToken: z.boolean().describe("Whether the heartbeat keeps its previous token"),
    })
    .optional(),
  notes: z.array(z.object({ code: z.enum(noteCodes), value: z.string().optional(), message: z.string() })),
});
export type ImportEntryView = z.infer<typeof importEntrySchema>;

export const importResultSchema = z.object({
  trial: z.boolean(),
  checks: z.number().int().describe("Number of checks that were (or would be) created"),
  entries: z.array(importEntrySchema),
  setting: z
    .enum(["privateTargets"])
    .optional()
    .describe("Present if some targets are in private networks, which checks may not reach yet"),
  leftOut: z.array(z.string()).describe("Parts of the file that are not checks and are not imported"),
});
export type ImportResult = z.infer<typeof importResultSchema>;
