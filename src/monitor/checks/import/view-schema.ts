/** What is sent for an import of checks, and what is said of it. */
import { z } from "zod";
import { checkKinds } from "../schema.ts";
import { noteCodes } from "./notes.ts";

export const MAX_FILE = 1_048_576;
export const MAX_ENTRIES = 2_000;

/** Programs whose definitions are read. */
export const importFormats = ["kuma", "gatus"] as const;

export const importInputSchema = z.strictObject({
  format: z
    .enum(importFormats)
    .describe("Uptime Kuma's backup or monitors as JSON; Gatus' configuration as YAML"),
  text: z.string().min(1).max(MAX_FILE).describe("The file; YAML of 256 KiB at most"),
  trial: z.boolean().default(true).describe("Only says what would be made"),
});
export type ImportInput = z.infer<typeof importInputSchema>;

export const importEntrySchema = z.object({
  name: z.string().describe("As the file calls it"),
  type: z.string().describe("What it is there, such as keyword"),
  outcome: z
    .enum(["check", "group", "left_out"])
    .describe("A check; a group, whose name its checks have; or nothing, for the reason in the notes"),
  check: z
    .object({
      id: z.string().optional().describe("Absent on trial"),
      name: z.string(),
      group: z.string(),
      tags: z.array(z.string()),
      kind: z.enum(checkKinds),
      target: z.string().describe("In a few words, without secrets"),
      paused: z.boolean(),
      keepsToken: z.boolean().describe("Whether a heartbeat is addressed by the token that it had"),
    })
    .optional(),
  notes: z.array(z.object({ code: z.enum(noteCodes), value: z.string().optional(), message: z.string() })),
});
export type ImportEntryView = z.infer<typeof importEntrySchema>;

export const importResultSchema = z.object({
  trial: z.boolean(),
  checks: z.number().int().describe("How many were made, or would be"),
  entries: z.array(importEntrySchema),
  leftOut: z.array(z.string()).describe("Parts of the file that are no checks and are not taken"),
});
export type ImportResult = z.infer<typeof importResultSchema>;
