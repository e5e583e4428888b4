/** Whether a target answers over HTTP or HTTPS as it should. */
import { HttpRun } from "../http-run.ts";
import { findPairFault } from "../pem.ts";
import type { ProbeForm, ProbeKind, TargetFault } from "../probe.ts";
import { runTry } from "../try.ts";
import { type HttpTarget, type SecretHttpTarget, httpSecrets, httpSettings } from "./http-settings.ts";

/** Without the query, which may be a secret. */
function describeUrl(text: string): string {
  if (!URL.canParse(text)) return "";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol === "http:" ? "http://" : ""}${host}${pathname === "/" ? "" : pathname}`;
}

/** A secret, the setting that it goes with, and what is said when one of the two is missing. */
const pairs = [
  { member: "password", of: "auth", is: "basic", message: "is required for a user name and password" },
  { member: "bearerToken", of: "auth", is: "bearer", message: "is required for a bearer token" },
  { member: "tokenUrl", of: "auth", is: "oauth2", message: "must be the URL that issues tokens" },
  { member: "clientId", of: "auth", is: "oauth2", message: "is required for OAuth 2.0" },
  { member: "clientSecret", of: "auth", is: "oauth2", message: "is required for OAuth 2.0" },
] as const;

function findFault(target: SecretHttpTarget): TargetFault | undefined {
  const { clientCertificate = "", clientKey, headers, auth = "", proxy = "" } = target;
  for (const { member, of, is, message } of pairs)
    if (target[of] === is && (target[member] ?? "") === "") return { member, message };
  if (auth !== "" && headers.some(({ name }) => name.toLowerCase() === "authorization"))
    return { member: "auth", message: "cannot be used with an Authorization header. Remove one of the two" };
  if (clientCertificate !== "" && clientKey === "")
    return { member: "clientKey", message: "is required for a client certificate" };
  if (clientCertificate === "" && clientKey !== "")
    return { member: "clientCertificate", message: "is required for the client key" };
  if (proxy === "" && target.proxyPassword !== "")
    return { member: "proxy", message: "is required for a password of the proxy" };
  if (proxy !== "" && target.httpVersion === "http2" && new URL(target.url).protocol === "http:")
    return { member: "httpVersion", message: "cannot be HTTP/2 for an http URL behind a proxy" };
  const pairFault = clientKey === "" ? undefined : findPairFault(clientCertificate, clientKey);
  return pairFault === undefined ? undefined : { member: "clientKey", message: pairFault };
}

function usesSecret({ auth, clientCertificate = "", proxyUsername = "" }: HttpTarget, name: string): boolean {
  if (name === "clientKey") return clientCertificate !== "";
  if (name === "proxyPassword") return proxyUsername !== "";
  return pairs.some(({ member, is }) => member === name && is === auth);
}

/** Everybody who receives a secret. */
function toRecipient({
  url,
  tokenUrl = "",
  proxy = "",
}: Pick<HttpTarget, "url" | "tokenUrl" | "proxy">): string {
  const all = [new URL(url).origin, tokenUrl, proxy];
  return all.filter((one) => one !== "").join(" ");
}

export const http: ProbeKind<ReturnType<typeof httpSettings>, ReturnType<typeof httpSecrets>> = {
  settings: httpSettings,
  secrets: httpSecrets,
  describe: ({ method, url }) => `${method} ${describeUrl(url)}`,
  address: ({ url }) => url,
  host: ({ url }) => new URL(url).hostname.replace(/^\[|\]$/gu, ""),
  recipient: toRecipient,
  findFault,
  usesSecret,
  isHarmless: ({ method }) => ["GET", "HEAD", "OPTIONS"].includes(method),
  probe: (target, context) => runTry(context, (run) => new HttpRun(run, target).run()),
};

/** Methods with a body. */
const bodied = { name: "method", among: ["POST", "PUT", "PATCH", "DELETE"] };

const signsIn = (...among: string[]): { when: { name: string; among: string[] }; folded: true } => ({
  when: { name: "auth", among },
  folded: true,
});

export const httpForm: ProbeForm<ReturnType<typeof httpSettings>, ReturnType<typeof httpSecrets>> = {
  icon: "globe",
  name: "{url}",
  fields: {
    url: { placeholder: "https://example.org/health" },
    contains: {},
    conditions: {},
    method: { folded: true },
    statuses: { min: 1, required: true, folded: true },
    auth: { folded: true },
    username: signsIn("basic"),
    password: signsIn("basic"),
    bearerToken: signsIn("bearer"),
    tokenUrl: signsIn("oauth2"),
    clientId: signsIn("oauth2"),
    clientSecret: signsIn("oauth2"),
    scopes: signsIn("oauth2"),
    audience: signsIn("oauth2"),
    headers: { kind: "pairs", listed: true, secret: true, folded: true },
    body: { when: bodied, folded: true },
    bodyType: { when: bodied, folded: true },
    excludes: { folded: true },
    json: { fields: { path: { placeholder: "$.status" }, operator: {}, value: {} }, folded: true },
    // Agents of earlier versions reject it.
    maxBodyMib: { initial: 1, omitsInitial: true, folded: true },
    maxLatencyMs: { folded: true },
    certificateDays: { folded: true },
    httpVersion: { folded: true },
    maxRedirects: { folded: true },
    ignoresCertificate: { folded: true },
    acceptsCertificate: { when: { name: "ignoresCertificate", among: ["false"] }, folded: true },
    ca: { placeholder: "-----BEGIN CERTIFICATE-----", folded: true },
    clientCertificate: { placeholder: "-----BEGIN CERTIFICATE-----", folded: true },
    clientKey: { long: true, folded: true },
    proxy: { placeholder: "http://proxy.example.org:3128", folded: true },
    proxyUsername: { folded: true },
    proxyPassword: { folded: true },
  },
};
