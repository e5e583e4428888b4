/** Any HTTP receiver, by a template. */
import { z } from "zod";
import { line, text } from "../../../kit/text/schemas.ts";
import type { Notice } from "./notice.ts";
import { findAddressFault, findBodyFault, renderTemplate } from "./template.ts";
import { NO_WEB_ADDRESS, headerValue, isWebAddress } from "../receivers/receiver-schemas.ts";
import type { ChannelForm, ChannelKind, ChannelSecrets } from "./kind.ts";

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
});

const headerName = () =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/u, "must be the name of a header")
    .refine((name) => !ownHeaders.includes(name.toLowerCase()), "is a header that the service sets itself");

const secrets = () => ({
  url: line(2_000).min(1).optional(),
  /** null keeps the value that is stored. */
  headers: z
    .record(headerName(), headerValue().nullable())
    .refine((all) => Object.keys(all).length <= MAX_HEADERS, `must be at most ${MAX_HEADERS}`)
    .refine(
      (all) => new Set(Object.keys(all).map((name) => name.toLowerCase())).size === Object.keys(all).length,
      "must name each header once",
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
  request: ({ method, contentType, body }, { secrets: given, notice }) => {
    const url = renderTemplate(given["url"] ?? "", notice);
    const headers = toHeaders(given);
    if (method === "GET") return { method, url, headers };
    return { method, url, headers, contentType, body: renderTemplate(body, notice) };
  },
};

export const httpForm: ChannelForm<ReturnType<typeof settings>> = {
  title: { en: "HTTP template", zh: "HTTP 模板", de: "HTTP-Vorlage" },
  fields: [
    {
      name: "url",
      input: "secret",
      label: { en: "Address", zh: "网址", de: "Adresse" },
      hint: {
        en: "Sealed like a password: many such addresses contain one. {{uri title}} may stand after the host.",
        zh: "按密码方式保存，因为很多网址本身就是凭据。主机名之后可以使用 {{uri title}}。",
        de: "Versiegelt wie ein Passwort: Viele solche Adressen enthalten eines. {{uri title}} darf hinter dem Host stehen.",
      },
    },
    {
      name: "method",
      input: "choice",
      initial: "POST",
      choices: ["POST", "PUT", "GET"],
      label: { en: "Method", zh: "方法", de: "Methode" },
    },
    {
      name: "contentType",
      input: "text",
      initial: "application/json",
      label: { en: "Content type", zh: "内容类型", de: "Inhaltstyp" },
    },
    {
      name: "body",
      input: "long",
      initial: DEFAULT_BODY,
      label: { en: "Body", zh: "正文", de: "Inhalt" },
      hint: {
        en: "{{title}}, {{text}}, {{severity}}, {{urgency}} (the severity, but info when it is over), {{kind}} and {{url}} are filled in. In JSON write {{json title}} without quotes around it; in addresses {{uri title}}.",
        zh: "可用占位符：{{title}}、{{text}}、{{severity}}、{{urgency}}（同严重程度，恢复时为 info）、{{kind}}、{{url}}。在 JSON 中请写 {{json title}}（外面不加引号），在网址中请写 {{uri title}}。",
        de: "{{title}}, {{text}}, {{severity}}, {{urgency}} (der Schweregrad, aber info, wenn es vorbei ist), {{kind}} und {{url}} werden eingesetzt. In JSON schreibe {{json title}} ohne Anführungszeichen darum, in Adressen {{uri title}}.",
      },
    },
    { name: "headers", input: "headers", label: { en: "Headers", zh: "请求头", de: "Header" } },
  ],
  destination: ({ method }, { url = "" }) => `${method} ${url}`,
};
