/** Checks as an administrator sends them and is shown them: header values come in, and never go out. */
import { z } from "zod";
import { BAD_HOST, httpParameters, isGoodHost } from "../../kit/probes/http.ts";
import { probeFaults } from "../../kit/probes/probe.ts";
import {
  dnsTargetSchema,
  httpTargetSchema,
  pingTargetSchema,
  tcpTargetSchema,
  tlsTargetSchema,
} from "../../kit/probes/targets.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { privateSettings } from "../site/schema.ts";
import {
  certificateSchema,
  checkFieldsSchema,
  checkStates,
  heartbeatTargetSchema,
  placeResultSchema,
} from "./schema.ts";

const plainTargets = [
  tcpTargetSchema,
  tlsTargetSchema,
  dnsTargetSchema,
  pingTargetSchema,
  heartbeatTargetSchema,
] as const;

const header = httpParameters().headers.removeDefault().element;

function hasEachNameOnce(headers: readonly { readonly name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length;
}

const headersInputSchema = z
  .array(
    header.extend({
      value: header.shape.value
        .optional()
        .describe("Left out: the stored value of this name stays, as long as the origin of the URL does"),
    }),
  )
  .max(20)
  .refine(hasEachNameOnce, "must name each header once")
  .refine((headers) => headers.every(isGoodHost), BAD_HOST)
  .default([]);

export const targetInputSchema = z.discriminatedUnion("kind", [
  httpTargetSchema.extend({ headers: headersInputSchema }),
  ...plainTargets,
]);
export type TargetInput = z.infer<typeof targetInputSchema>;

export const checkInputSchema = checkFieldsSchema.extend({ target: targetInputSchema });
export type CheckInput = z.infer<typeof checkInputSchema>;

export const targetViewSchema = z.discriminatedUnion("kind", [
  httpTargetSchema.extend({
    headers: z.array(
      z.object({
        name: z.string(),
        valueSet: z.boolean().describe("False when its value cannot be read any more: type it again"),
      }),
    ),
  }),
  ...plainTargets,
]);

const setting = z
  .enum(privateSettings)
  .optional()
  .describe("The setting that allows what was refused for its private address");

const placeViewSchema = placeResultSchema.extend({
  at: isoTimeSchema,
  dueAt: isoTimeSchema.optional(),
  setting,
});
const certificateViewSchema = certificateSchema.extend({ validFrom: isoTimeSchema, validTo: isoTimeSchema });

export const standingViewSchema = z.object({
  state: z.enum(checkStates),
  since: isoTimeSchema,
  places: z.array(placeViewSchema).describe('What each place found last; "center" is the monitor itself'),
  certificate: certificateViewSchema.optional(),
});
export type StandingView = z.infer<typeof standingViewSchema>;

/** What is known of a heartbeat beside how it stands. */
export const heartbeatViewSchema = z.object({
  pings: z.number().int().describe("So far"),
  lastPingAt: isoTimeSchema,
  lastSuccessAt: isoTimeSchema.optional(),
  nextDueAt: isoTimeSchema.optional().describe("Absent while a period is overdue"),
  lastRunMs: z.number().optional().describe("Of the newest run that ended"),
  openRuns: z
    .array(z.object({ rid: z.string(), startedAt: isoTimeSchema }))
    .describe("Runs that have not ended; `rid` is empty for one without a name"),
});
export type HeartbeatView = z.infer<typeof heartbeatViewSchema>;

/** A check as an administrator sees it. */
export const checkViewSchema = checkFieldsSchema.extend({
  target: targetViewSchema,
  id: z.string(),
  version: z.number().int(),
  revision: z.number().int().describe("Grows when what is looked at becomes another; agents' files name it"),
  pingKey: z.string().optional().describe("Of a heartbeat: the secret part of its addresses"),
  heartbeat: heartbeatViewSchema.optional().describe("Of a heartbeat, from its first ping on"),
  standing: standingViewSchema,
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type CheckView = z.infer<typeof checkViewSchema>;

/** What one try found. */
export const probeResultSchema = z.object({
  ok: z.boolean().describe("Whether the check would be up"),
  fault: z.enum([...probeFaults, "answered"]).optional(),
  detail: z.string(),
  setting,
  latencyMs: z.number().optional(),
  phases: z.partialRecord(z.enum(["dns", "connect", "tls", "firstByte", "body"]), z.number()).optional(),
  certificate: certificateViewSchema.optional(),
});
export type ProbeResultView = z.infer<typeof probeResultSchema>;
