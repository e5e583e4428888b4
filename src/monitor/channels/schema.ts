/**
 * The words of channels: what each type needs, what of it is a secret, and how a channel looks in the store
 * and to an administrator. Secrets come in, and never go out.
 */
import { z } from "zod";
import { isMailAddress } from "../../kit/mail/mail.ts";
import { isoTimeSchema } from "../../kit/text/iso-time.ts";
import { line, text, timeMs, trimmedLine } from "../../kit/text/schemas.ts";
import { noticeKinds, noticeSeverities } from "./notification.ts";

export const MAX_RECIPIENTS = 20;
const MAX_HEADERS = 20;
/** Headers that the service sets itself, or that speak of the connection. */
const OWN_HEADERS = new Set([
  ...["host", "content-type", "content-length", "transfer-encoding", "connection", "upgrade", "keep-alive"],
  ...["te", "trailer", "expect", "accept-encoding", "proxy-authorization", "proxy-connection"],
]);

/** An address without user and password; what it leads to is checked when it is used. */
export function isWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return /^https?:$/u.test(protocol) && username === "" && password === "";
}

const webAddress = line(2_000).refine(
  isWebAddress,
  "must begin with http:// or https:// and hold no user and password",
);

const mailAddress = line(254).refine(isMailAddress, "must be one plain e-mail address");

/** What may stand in a header: visible ASCII, as tokens are made of. */
const headerValue = z
  .string()
  .min(1)
  .max(2_000)
  .regex(/^[\u0020-\u007e]+$/u, "must be visible ASCII characters")
  .trim();
const token = headerValue.max(500).regex(/^\S+$/u, "must not hold spaces");

const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u, "must be the name of a header")
  .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), "is a header that the service sets itself");

/** null keeps the value that is stored. */
const headers = z
  .record(headerName, headerValue.nullable())
  .refine((all) => Object.keys(all).length <= MAX_HEADERS, `must be at most ${MAX_HEADERS}`)
  .refine(
    (all) => new Set(Object.keys(all).map((name) => name.toLowerCase())).size === Object.keys(all).length,
    "must name each header once",
  );

const priority = z.number().int().min(1).max(5);

export const DEFAULT_BODY =
  '{"title":{{json title}},"text":{{json text}},"severity":{{json severity}},"kind":{{json kind}},"url":{{json url}}}';

/** What is shown of each type. */
const shown = {
  email: { type: z.literal("email"), to: z.array(mailAddress).min(1).max(MAX_RECIPIENTS) },
  ntfy: {
    type: z.literal("ntfy"),
    serverUrl: webAddress.default("https://ntfy.sh"),
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/u, "must be 1 to 64 letters, digits, - or _"),
    /** ntfy's priorities, 1 (silent) to 5 (urgent); what is resolved has that of "info". */
    priorities: z
      .strictObject({
        info: priority.default(3),
        warning: priority.default(4),
        critical: priority.default(5),
      })
      .prefault({}),
  },
  gotify: { type: z.literal("gotify"), serverUrl: webAddress },
  telegram: {
    type: z.literal("telegram"),
    chatId: z.string().regex(/^(?:-?\d{1,20}|@\w{4,64})$/u, "must be a number, or @ and a channel's name"),
    apiUrl: webAddress.default("https://api.telegram.org"),
  },
  discord: { type: z.literal("discord") },
  slack: { type: z.literal("slack") },
  http: {
    type: z.literal("http"),
    method: z.enum(["POST", "PUT", "GET"]).default("POST"),
    contentType: line(100)
      .regex(/^[\w.+-]+\/[\w.+-]+(?: *; *[\w-]+=[\w-]+)*$/u, "must be a media type such as application/json")
      .default("application/json"),
    body: text(10_000).default(DEFAULT_BODY),
  },
} as const;

/** Secrets of each type: needed for a new channel, kept by PUT when left out; "" takes a token away. */
const secrets = {
  ntfy: { token: z.union([token, z.literal("")]).optional() },
  gotify: { token: token.optional() },
  telegram: {
    botToken: z
      .string()
      .regex(/^\d{1,20}:[\w-]{1,100}$/u, "must be a bot's token, such as 123456:ABC-DEF")
      .optional(),
  },
  discord: { webhookUrl: webAddress.optional() },
  slack: { webhookUrl: webAddress.optional() },
  http: { url: line(2_000).min(1).optional(), headers: headers.optional() },
} as const;

const common = {
  name: trimmedLine(100),
  version: z
    .number()
    .int()
    .min(1)
    .optional()
    .describe("With PUT alone: the version that was read, to be told of a change by someone else"),
};

/** What an administrator sends. */
export const channelInputSchema = z.discriminatedUnion("type", [
  z.strictObject({ ...common, ...shown.email }),
  z.strictObject({ ...common, ...shown.ntfy, ...secrets.ntfy }),
  z.strictObject({ ...common, ...shown.gotify, ...secrets.gotify }),
  z.strictObject({ ...common, ...shown.telegram, ...secrets.telegram }),
  z.strictObject({ ...common, ...shown.discord, ...secrets.discord }),
  z.strictObject({ ...common, ...shown.slack, ...secrets.slack }),
  z.strictObject({ ...common, ...shown.http, ...secrets.http }),
]);
export type ChannelInput = z.infer<typeof channelInputSchema>;

export const settingsSchema = z.discriminatedUnion("type", [
  z.object(shown.email),
  z.object(shown.ntfy),
  z.object(shown.gotify),
  z.object(shown.telegram),
  z.object(shown.discord),
  z.object(shown.slack),
  z.object(shown.http),
]);
export type ChannelSettings = z.infer<typeof settingsSchema>;
export type ChannelType = ChannelSettings["type"];

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

const seen = {
  id: z.string(),
  version: z.number().int().describe("Send it back with PUT to be told of a change by someone else"),
  name: z.string(),
  secrets: z
    .record(z.string(), z.string())
    .describe("What is set, by name, masked to its last four characters; a header as headers/<name>"),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
};

/** A channel as an administrator sees it. */
export const channelViewSchema = z.discriminatedUnion("type", [
  z.object({ ...seen, ...shown.email }),
  z.object({ ...seen, ...shown.ntfy }),
  z.object({ ...seen, ...shown.gotify }),
  z.object({ ...seen, ...shown.telegram }),
  z.object({ ...seen, ...shown.discord }),
  z.object({ ...seen, ...shown.slack }),
  z.object({ ...seen, ...shown.http }),
]);
export type ChannelView = z.infer<typeof channelViewSchema>;

export const noticeStateSchema = z.enum(["waiting", "sent", "failed"]);
export type NoticeState = z.infer<typeof noticeStateSchema>;

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
  state: noticeStateSchema,
  /** Claims so far; tells a late outcome from that of the present claim. */
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

/** What a receiver said to a test. */
export interface TestResult {
  readonly ok: boolean;
  /** The status of its answer, of HTTP alone. */
  readonly status?: number;
  /** The first 2,000 characters of its answer. */
  readonly answer: string;
  readonly ms: number;
  /** What went wrong, and what to do. */
  readonly error?: string;
}
