/**
 * Channels and notifications: what an administrator sends, what is stored, and what administrators see. The files in
 * `kinds/` add the fields of each kind. Secrets are accepted, and never returned.
 */
import { remedySettings } from "../site/schema.ts";
import { z } from "zod";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { type ChannelType, channelKinds } from "./kinds/kinds.ts";
import { type FactName, factNames, noticeKinds, noticeSeverities } from "./kinds/notice.ts";

type Kinds = typeof channelKinds;
type Settings<K extends ChannelType> = ReturnType<Kinds[K]["settings"]> & { type: z.ZodLiteral<K> };
type Secrets<K extends ChannelType> = ReturnType<Kinds[K]["secrets"]>;

/** The shape of each kind: its name, its settings, and its secrets when they are wanted. */
type Shapes<W extends "settings" | "secrets"> = {
  [K in ChannelType]: Settings<K> & (W extends "secrets" ? Secrets<K> : unknown);
};
type Variant<S extends z.ZodRawShape, W extends "settings" | "secrets"> = {
  [K in ChannelType]: z.ZodObject<S & Shapes<W>[K]>;
}[ChannelType];

/** A schema of every kind, with `shared` in each; strict where secrets come in. */
function unionOf<S extends z.ZodRawShape, W extends "settings" | "secrets">(
  shared: S,
  upTo: W,
): z.ZodDiscriminatedUnion<[Variant<S, W>, ...Variant<S, W>[]], "type"> {
  const variants = Object.entries(channelKinds).map(([type, { settings, secrets }]) => {
    const shape = { ...shared, type: z.literal(type), ...settings() };
    return upTo === "settings" ? z.object(shape) : z.strictObject({ ...shape, ...secrets() });
  });
  // `as`: the variants are those of the registry, which Object.entries does not know.
  return z.discriminatedUnion("type", variants as unknown as [Variant<S, W>, ...Variant<S, W>[]]);
}

const name = trimmedLine(100);

/** A channel to try that is not stored. */
export const channelTestSchema = unionOf({ name }, "secrets");
export type ChannelTest = z.infer<typeof channelTestSchema>;

export const channelInputSchema = unionOf(
  {
    name,
    version: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Only for PUT: the version that was read, to detect concurrent changes"),
  },
  "secrets",
);
export type ChannelInput = z.infer<typeof channelInputSchema>;

export const settingsSchema = unionOf({}, "settings");
export type ChannelSettings = z.infer<typeof settingsSchema>;

export const channelRecordSchema = z.object({
  id: z.string(),
  version: z.number().int(),
  name: z.string(),
  settings: settingsSchema,
  /** The secrets as JSON, sealed. */
  sealed: z.string(),
  createdAt: timeMs,
  updatedAt: timeMs,
});
export type ChannelRecord = z.infer<typeof channelRecordSchema>;

/** A channel as an administrator sees it. */
export const channelViewSchema = unionOf(
  {
    ...channelRecordSchema.pick({ id: true, name: true }).shape,
    version: z.number().int().describe("Send it back with PUT to detect concurrent changes"),
    secrets: z
      .record(z.string(), z.string())
      .describe(
        "Secrets that are set, by name, masked except for the last four characters; headers as headers/<name>",
      ),
    createdAt: isoTimeSchema,
    updatedAt: isoTimeSchema,
  },
  "settings",
);
export type ChannelView = z.infer<typeof channelViewSchema>;

export const noticeStateSchema = z.enum(["waiting", "sent", "failed"]);
export type NoticeState = z.infer<typeof noticeStateSchema>;

// `as`: Object.fromEntries does not know the names.
const factShape = Object.fromEntries(factNames.map((name) => [name, z.string().default("")])) as Record<
  FactName,
  z.ZodDefault<z.ZodString>
>;

/** A notice on its way to one channel, or to one recipient of an e-mail channel. */
export const noticeRecordSchema = z.object({
  /** `<key>:<channel>`, and for e-mail `<key>:<channel>:<recipient>`. */
  id: z.string(),
  version: z.number().int(),
  channelId: z.string(),
  /** The recipient of an e-mail, else "". */
  to: z.string(),
  /** Notices of one thread and channel leave in the order in which they were written. */
  thread: z.string().optional(),
  kind: z.enum(noticeKinds),
  severity: z.enum(noticeSeverities),
  title: z.string(),
  text: z.string(),
  url: z.string().optional(),
  facts: z.object(factShape).optional(),
  state: noticeStateSchema,
  /** Claims so far; distinguishes a late outcome from that of the current claim. */
  attempts: z.number().int().min(0),
  /** Claims before an administrator asked for another try. */
  attemptsBefore: z.number().int().min(0),
  createdAt: timeMs,
  /** When it may be sent; while it is on its way, when its claim ends. */
  nextAttemptAt: timeMs,
  /** While it waits, when it is given up; afterwards, when it goes. */
  expiresAt: timeMs,
  sentAt: timeMs.optional(),
  lastError: z.string().optional(),
});
export type NoticeRecord = z.infer<typeof noticeRecordSchema>;

export const onCallReachedSchema = z.object({
  /** `<table>:<alert>`. */
  id: z.string(),
  version: z.number().int(),
  channelIds: z.array(z.string()),
  at: timeMs,
});

/** A receiver's response to a test. */
export const testResultSchema = z.object({
  ok: z.boolean(),
  status: z.number().int().optional().describe("HTTP status of the response; only for HTTP channels"),
  answer: z.string().describe("First 2,000 characters of the receiver's response"),
  ms: z.number().int(),
  error: z.string().optional().describe("Error message with the remedy"),
  setting: z
    .enum(remedySettings)
    .optional()
    .describe("What must be set first, such as the setting that allows a rejected private address"),
});
export type TestResult = z.infer<typeof testResultSchema>;
