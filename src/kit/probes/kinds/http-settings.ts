/** Settings of HTTP and HTTPS targets. */
import { z } from "zod";
import { findUrlFault } from "../../outbound/outbound.ts";
import { line, text } from "../../text/schemas.ts";
import { certificateFaults } from "../certificate.ts";
import { conditionSchema } from "../conditions.ts";
import { certificateDaysSchema } from "../fields.ts";
import { STATUSES } from "../http-status.ts";
import { jsonOperators } from "../json-rules.ts";
import { certificatesSchema, privateKeySchema } from "../pem.ts";

const urlSchema = line(2_000).superRefine((url, c) => {
  const fault = findUrlFault(url);
  if (fault !== undefined) c.addIssue({ code: "custom", message: fault });
});

/** Statuses: single ones and spans, such as "200-299, 304". */
const statusesSchema = z.string().max(100).regex(STATUSES, 'must be statuses such as "200-299, 304"');

/** A web address, or nothing. */
const optionalUrlSchema = z.union([z.literal(""), urlSchema]);

/** Where an HTTP proxy listens. */
const proxySchema = z.union([
  z.literal(""),
  line(300).regex(
    /^http:\/\/(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?\/?$/u,
    "must be a URL such as http://proxy.example.org:3128, without a path or credentials",
  ),
]);

/** Said by the way in which it is sent, and not by who sets a check. */
const OWN_HEADERS = new Set([
  "connection",
  "content-length",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
  "keep-alive",
  "proxy-connection",
]);

/** A name or an address, with a port where there is one. */
const HOST_VALUE = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/u;

/** Whether the value of a `Host` header can be one; values that are left out or empty are kept elsewhere. */
export function isGoodHost({
  name,
  value,
}: {
  readonly name: string;
  readonly value?: string | undefined;
}): boolean {
  return name.toLowerCase() !== "host" || (value ?? "") === "" || HOST_VALUE.test(value ?? "");
}

/** Error message for an invalid Host header. */
export const BAD_HOST = "must set Host to a name such as www.example.org, with the port if needed";

const headerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/u)
    .refine((name) => !OWN_HEADERS.has(name.toLowerCase()), "is a header that the monitor sets"),
  value: z
    .string()
    .max(4_000)
    .regex(/^[\t -~\u00a0-\u00ff]*$/u, "must be one line of Latin-1 characters"),
});

export const httpSettings = () => ({
  url: urlSchema,
  method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]).default("GET"),
  /** Sent with the request, and not to another origin that a redirect names; values are sealed where they are kept. */
  headers: z
    .array(headerSchema)
    .max(20)
    .refine((headers) => headers.every(isGoodHost), BAD_HOST)
    .default([]),
  body: text(10_000).default(""),
  /** The type of the body where no header names one; "": what it looks like. */
  bodyType: z.enum(["", "json", "form", "xml", "text"]).optional(),
  /** How the check signs in; "": it does not. */
  auth: z.enum(["", "basic", "bearer", "oauth2"]).optional(),
  /** For `basic`; the password is a secret. */
  username: line(256).optional(),
  /** For `oauth2`, client credentials (RFC 6749 section 4.4); the client's secret is a secret. */
  tokenUrl: optionalUrlSchema.optional(),
  clientId: line(256).optional(),
  scopes: line(500).optional(),
  audience: line(500).optional(),
  /** The version of HTTP; "": HTTP/2 where the server offers it in TLS, else HTTP/1.1. */
  httpVersion: z.enum(["", "http1", "http2"]).optional(),
  /** How many redirects are followed at most; 0: the answer that leads elsewhere is the answer. */
  maxRedirects: z.number().int().min(0).max(5).default(5),
  statuses: statusesSchema.default("200-299"),
  /** How much of the body is read for what it must contain, once unpacked; absent: 1. */
  maxBodyMib: z.number().int().min(1).max(16).optional(),
  /** Text that the response must contain. */
  contains: line(500).default(""),
  /** Text that the response must not contain. */
  excludes: line(500).default(""),
  /** Where in a JSON answer a value must be what it should be; an empty path: not looked at. */
  json: z
    .strictObject({
      /** Names and numbers, such as "status" or "$.checks[0].state". */
      path: line(200).default(""),
      operator: z.enum(jsonOperators).default("="),
      value: line(200).default(""),
    })
    .prefault({}),
  /** All of them must hold. A condition on the status replaces `statuses`. */
  conditions: z.array(conditionSchema).max(20).optional(),
  /** Slower answers are a fault, milliseconds; 0: never. */
  maxLatencyMs: z.number().int().min(0).max(60_000).default(0),
  /** Whether any certificate will do, as if all of `acceptsCertificate` were set. */
  ignoresCertificate: z.boolean().default(false),
  /** Faults of the certificate that are none: an unknown issuer, another name, or that it has expired. */
  acceptsCertificate: z.array(z.enum(certificateFaults)).max(certificateFaults.length).optional(),
  /** Authorities (PEM) that are trusted instead of the well-known ones. */
  ca: z.union([z.literal(""), certificatesSchema]).optional(),
  /** The client's certificate (PEM), with its chain; the key is a secret. */
  clientCertificate: z.union([z.literal(""), certificatesSchema]).optional(),
  /** An HTTP proxy that every request goes through. */
  proxy: proxySchema.optional(),
  proxyUsername: line(256).optional(),
  /** Of https: how many days before its end the certificate is a fault of its own; 0: only when it is over. */
  certificateDays: certificateDaysSchema.default(0),
});

/** Of `auth`, `clientCertificate` and `proxy`. */
export const httpSecrets = () => ({
  password: line(1_000),
  bearerToken: z
    .string()
    .max(8_000)
    .regex(/^[!-~]+$/u, "must be a token without spaces"),
  clientSecret: line(1_000),
  clientKey: privateKeySchema,
  proxyPassword: line(1_000),
});

export type HttpTarget = z.infer<z.ZodObject<ReturnType<typeof httpSettings>>>;
/** With its secrets; one that is not set is "". */
export type SecretHttpTarget = HttpTarget & Readonly<Record<keyof ReturnType<typeof httpSecrets>, string>>;
