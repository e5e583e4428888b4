/** Any HTTP receiver, by a template. */
import { z } from "zod";
import { line, text } from "../../../kit/text/schemas.ts";
import type { Notice } from "./notice.ts";
import { findAddressFault, findBodyFault, renderTemplate } from "./template.ts";
import { NO_WEB_ADDRESS, headerValue, isWebAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelFields, ChannelForm, ChannelKind, ChannelSecrets } from "./kind.ts";

const MAX_HEADERS = 20;
/** Headers that the service sets itself, or that speak of the connection. */
const ownHeaders = [
  "host",
  "content-type",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "keep-alive",
  "te",
  "trailer",
  "expect",
  "accept-encoding",
  "proxy-authorization",
  "proxy-connection",
];
const HEADER = "headers/";

export const DEFAULT_BODY =
  '{"title":{{json title}},"text":{{json text}},"severity":{{json severity}},"kind":{{json kind}},"url":{{json url}}}';

const settings = () => ({
  method: z.enum(["POST", "PUT", "GET"]).default("POST"),
  contentType: line(100)
    .regex(/^[\w.+-]+\/[\w.+-]+(?: *; *[\w-]+=[\w-]+)*$/u, "must be a media type such as application/json")
    .default("application/json"),
  body: text(10_000).default(DEFAULT_BODY),
  /** A request for each alert, and when one is acknowledged; otherwise several alerts can be in one. */
  perAlert: z.boolean().default(false),
});

const headerName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u, "must be the name of a header")
    .refine((name) => !ownHeaders.includes(name.toLowerCase()), "is a header that the service sets");

const secrets = () => ({
  url: line(2_000).min(1).optional(),
  /** null keeps the value that is stored. */
  headers: z
    .record(headerName(), headerValue().nullable())
    .refine((all) => Object.keys(all).length <= MAX_HEADERS, `must be at most ${MAX_HEADERS}`)
    .refine(
      (all) => new Set(Object.keys(all).map((name) => name.toLowerCase())).size === Object.keys(all).length,
      "must not repeat a header",
    )
    .optional(),
});

const emptyNotice: Notice = { kind: "test", severity: "info", title: "", text: "", url: "" };

/** Headers as they are sent. */
function toHeaders(given: ChannelSecrets): Record<string, string> {
  const headers = Object.entries(given).filter(([name]) => name.startsWith(HEADER));
  return Object.fromEntries(headers.map(([name, value]) => [name.slice(HEADER.length), value]));
}

export const http: ChannelKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  needed: ["url"],
  findFault: ({ method, body, contentType }, { url = "" }) => {
    const urlFault =
      findAddressFault(url) ?? (isWebAddress(renderTemplate(url, emptyNotice)) ? undefined : NO_WEB_ADDRESS);
    if (urlFault !== undefined) return { pointer: "/url", message: urlFault };
    const message = method === "GET" ? undefined : findBodyFault(body, contentType);
    return message === undefined ? undefined : { pointer: "/body", message };
  },
  server: (_settings, { url = "" }) => renderTemplate(url, emptyNotice),
  keepsAlerts: ({ perAlert }) => perAlert,
  request: ({ method, contentType, body }, { secrets: given, notice }) => {
    const url = renderTemplate(given["url"] ?? "", notice);
    const headers = toHeaders(given);
    if (method === "GET") return { method, url, headers };
    return { method, url, headers, contentType, body: renderTemplate(body, notice) };
  },
};

export const httpFields: ChannelFields<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  url: {},
  method: {},
  contentType: {},
  body: { long: true },
  headers: {},
  perAlert: {},
};

export const httpForm: ChannelForm<ReturnType<typeof settings>> = {
  title: "channel.http.title",
  destination: ({ method }, { url = "" }) => `${method} ${url}`,
};
