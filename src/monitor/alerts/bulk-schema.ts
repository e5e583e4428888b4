/** One action on many incidents, and its results. */
import { z } from "zod";
import { text, trimmedLine } from "../../kit/text/schemas.ts";

/** Incidents of one request. */
export const MAX_INCIDENTS = 200;

export const incidentActions = ["acknowledge", "note", "mute", "unmute"] as const;

/** The longest mute of one request: 31 days, in minutes. */
const MAX_MINUTES = 44_640;

const note = text(1_000).trim();
export const incidentNoteSchema = z.strictObject({ note: note.default("") });

export const incidentBulkSchema = z
  .strictObject({
    action: z
      .enum(incidentActions)
      .describe("`mute` and `unmute` are about the servers and checks of the incidents"),
    ids: z
      .array(trimmedLine(64))
      .min(1)
      .max(MAX_INCIDENTS)
      .refine((ids) => new Set(ids).size === ids.length, "must not repeat an incident"),
    note: note.optional().describe("For `note`; empty removes the note"),
    minutes: z
      .number()
      .int()
      .min(1)
      .max(MAX_MINUTES)
      .optional()
      .describe("For `mute`; absent: until someone unmutes the server or check"),
  })
  .refine(({ action, note: given }) => (action === "note") === (given !== undefined), {
    path: ["note"],
    message: "is required for the action note, and not allowed for others",
  })
  .refine(({ action, minutes }) => action === "mute" || minutes === undefined, {
    path: ["minutes"],
    message: "is only allowed for the action mute",
  });

const resultSchema = z.object({
  id: z.string(),
  result: z.enum(["done", "refused"]),
  code: z.string().optional().describe("Error code; only if refused"),
  detail: z.string().optional().describe("Reason; only if refused"),
});
export const incidentBulkResultsSchema = z.object({ items: z.array(resultSchema) });
export type IncidentBulkResults = z.infer<typeof incidentBulkResultsSchema>;
