/** Checks as an administrator sends them and is shown them: header values come in, and never go out. */
import { z } from "zod";
import { BAD_HOST, httpSettings, isGoodHost } from "../../kit/probes/kinds/http-settings.ts";
import { probeFaults } from "../../kit/probes/probe.ts";
import { type SecretsOf, type SettingsOf, type TargetKind, mapKinds } from "../../kit/probes/targets.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { deprecated } from "../../kit/fields/renamed.ts";
import { privateSettings } from "../site/schema.ts";
import {
  certificateSchema,
  checkFieldsSchema,
  checkStates,
  groupTargetSchema,
  heartbeatTargetSchema,
  membersSchema,
  placeResultSchema,
  placesSchema,
  registrationSchema,
} from "./schema.ts";
import { locationsSchema } from "./location-schema.ts";

const header = httpSettings().headers.removeDefault().element;

function hasEachNameOnce(headers: readonly { readonly name: string }[]): boolean {
  return new Set(headers.map(({ name }) => name.toLowerCase())).size === headers.length;
}

const headersInputSchema = z
  .array(
    header.extend({
      value: header.shape.value
        .optional()
        .describe(
          "If omitted, the stored value of this header is kept, provided that the origin of the URL does not change",
        ),
    }),
  )
  .max(20)
  .refine(hasEachNameOnce, "must not repeat a header")
  .refine((headers) => headers.every(isGoodHost), BAD_HOST)
  .default([]);

const headersViewSchema = z.array(
  z.object({
    name: z.string(),
    valueSet: z.boolean().describe("False if the stored value can no longer be read. Enter it again"),
  }),
);

/** A kind with its secrets as `Secret`, and `Headers` in the place of header values. */
type VariantOf<K extends TargetKind, Headers, Secret> = z.ZodObject<
  { kind: z.ZodLiteral<K> } & Omit<SettingsOf<K>, "headers"> &
    ("headers" extends keyof SettingsOf<K> ? { headers: Headers } : unknown) &
    SecretsOf<K, Secret>,
  z.core.$strict
>;
type Variant<Headers, Secret> = { [K in TargetKind]: VariantOf<K, Headers, Secret> }[TargetKind];

type SecretInput = z.ZodOptional<z.ZodType<string>>;

function toVariants<Headers extends z.ZodType, Secret extends z.ZodType>(
  headers: Headers,
  toSecret: (schema: z.core.$ZodType) => Secret,
): readonly [Variant<Headers, Secret>, ...Variant<Headers, Secret>[]] {
  return mapKinds<Variant<Headers, Secret>>((kind, { settings, secrets }) =>
    z.strictObject({
      kind: z.literal(kind),
      ...settings,
      ...("headers" in settings && { headers }),
      ...Object.fromEntries(Object.entries(secrets).map(([name, schema]) => [name, toSecret(schema)])),
    }),
  );
}

export const targetInputSchema = z.discriminatedUnion("kind", [
  ...toVariants<typeof headersInputSchema, SecretInput>(headersInputSchema, (schema) =>
    z
      // `as`: secrets are texts.
      .union([z.literal(""), schema as z.ZodType<string>])
      .optional()
      .describe('Left out: the stored value stays, as long as it is sent to the same place; "" removes it'),
  ),
  groupTargetSchema,
  heartbeatTargetSchema,
]);
export type TargetInput = z.infer<typeof targetInputSchema>;

export const checkInputSchema = checkFieldsSchema.extend({ target: targetInputSchema });
export type CheckInput = z.infer<typeof checkInputSchema>;

export const targetViewSchema = z.discriminatedUnion("kind", [
  ...toVariants(headersViewSchema, () => z.boolean().describe("Whether a value is stored that can be read")),
  groupTargetSchema,
  heartbeatTargetSchema,
]);

const setting = z
  .enum(privateSettings)
  .optional()
  .describe("Setting that allows the rejected private address");

const placeViewSchema = placeResultSchema.extend({
  at: isoTimeSchema,
  dueAt: isoTimeSchema.optional(),
  setting,
});
const locationViewSchema = placeViewSchema.omit({ place: true }).extend({
  serverId: z
    .string()
    .optional()
    .describe("Server whose agent runs the check; absent for the monitor itself"),
});
const certificateViewSchema = certificateSchema.extend({
  validFrom: isoTimeSchema,
  validTo: isoTimeSchema,
  chainEnd: z
    .object({ subject: z.string(), validTo: isoTimeSchema })
    .optional()
    .describe("The certificate of the chain that expires first, if that is before this one"),
});

const registrationViewSchema = registrationSchema
  .extend({
    domain: registrationSchema.shape.domain.describe("Registrable domain"),
    expiresAt: isoTimeSchema,
  })
  .describe("Registration of a domain, as its registry gave it last; only for `domain` checks");

export const standingViewSchema = z.object({
  state: z.enum(checkStates),
  since: isoTimeSchema,
  locations: z.array(locationViewSchema).describe("Latest result of each location"),
  places: deprecated(z.array(placeViewSchema), "locations"),
  certificate: certificateViewSchema.optional(),
  registration: registrationViewSchema.optional(),
  members: membersSchema
    .extend({
      total: membersSchema.shape.total.describe(
        "Number of members that count: not those that are paused, in maintenance, or never reported",
      ),
      down: membersSchema.shape.down.describe("How many of them are down"),
      names: membersSchema.shape.names.describe("Names of up to 10 members that are down"),
    })
    .optional()
    .describe("Members of a group; absent for other checks, and before the first verdict"),
});
export type StandingView = z.infer<typeof standingViewSchema>;

/** Facts about a heartbeat in addition to its state. */
export const heartbeatViewSchema = z.object({
  pings: z.number().int().describe("Number of pings received"),
  lastPingAt: isoTimeSchema,
  lastSuccessAt: isoTimeSchema.optional(),
  nextDueAt: isoTimeSchema
    .optional()
    .describe("Time when the next ping is due; absent while a ping is overdue"),
  lastRunMs: z.number().optional().describe("Duration of the last completed run in milliseconds"),
  openRuns: z
    .array(z.object({ rid: z.string(), startedAt: isoTimeSchema }))
    .describe("Runs in progress; `rid` is empty for runs without an ID"),
});
export type HeartbeatView = z.infer<typeof heartbeatViewSchema>;

/** A check as an administrator sees it. */
export const checkViewSchema = checkFieldsSchema.extend({
  dependsOn: z.array(z.string()).describe("IDs of the checks and servers that this check depends on"),
  target: targetViewSchema,
  locations: locationsSchema,
  places: deprecated(placesSchema, "locations"),
  id: z.string(),
  version: z.number().int(),
  address: z
    .string()
    .describe(
      "What is checked, in a few words, such as a URL, or a host with its port; empty for a heartbeat",
    ),
  revision: z.number().int().describe("Increases when the target changes; used in the check files of agents"),
  pingKey: z.string().optional().describe("Secret part of the ping URLs; only for heartbeats"),
  heartbeat: heartbeatViewSchema.optional().describe("State of the heartbeat; present after the first ping"),
  standing: standingViewSchema,
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type CheckView = z.infer<typeof checkViewSchema>;

/** The result of one attempt. */
export const probeResultSchema = z.object({
  ok: z.boolean().describe("Whether the check would be up"),
  fault: z.enum([...probeFaults, "answered"]).optional(),
  detail: z.string(),
  setting,
  latencyMs: z.number().optional(),
  phases: z.partialRecord(z.enum(["dns", "connect", "tls", "firstByte", "body"]), z.number()).optional(),
  certificate: certificateViewSchema.optional(),
  registration: registrationViewSchema.optional(),
  conditions: z
    .array(
      z.object({
        text: z.string().describe("The condition in a few words"),
        isMet: z.boolean().optional().describe("Absent if the condition could not be judged"),
        seen: z.string().describe("What was found"),
      }),
    )
    .optional()
    .describe("Conditions of the check; absent if there are none, or no response came"),
});
export type ProbeResultView = z.infer<typeof probeResultSchema>;
