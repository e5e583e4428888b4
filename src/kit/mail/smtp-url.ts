/** Where mail goes out, as settings and as one URL for an environment variable. */
import { isMailAddress, parseMailbox } from "./mail.ts";

/** A mail server and how to speak with it. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, by STARTTLS (refused when the server has none), or never. */
  readonly security: "tls" | "starttls" | "none";
  readonly user?: string;
  readonly password?: string;
  /** `ada@example.org` or `Ada <ada@example.org>`. */
  readonly from: string;
  /** Where answers go, a bare address; to `from` without it. */
  readonly replyTo?: string;
}

/** RFC 8314 section 7.3, RFC 6409 section 3.1, RFC 5321 section 4.5.4.2. */
const defaultPorts = { tls: 465, starttls: 587, none: 25 } as const;

/** Whether a host name or address is this machine by its form alone. */
export function isLoopbackHost(host: string): boolean {
  return host === "::1" || /^127(\.\d{1,3}){3}$/u.test(host) || /^(.+\.)?localhost$/u.test(host);
}

/** Percent-decoding alone: in URLSearchParams a "+" would become a space, and `ada+shop@example.org` another address. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text);
    return /[\p{Cc}\u2028\u2029]/u.test(decoded) ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** The parameters by name; undefined when one is unknown, given twice or not decodable. */
function parseQuery(search: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const part of search.slice(1).split("&")) {
    if (part === "") continue;
    const [name = "", ...rest] = part.split("=");
    const value = decode(rest.join("="));
    if ((name !== "from" && name !== "security") || value === undefined || found.has(name)) return undefined;
    found.set(name, value);
  }
  return found;
}

function toSecurity(
  url: URL,
  host: string,
  wanted: string | undefined,
): SmtpSettings["security"] | undefined {
  if (url.protocol === "smtps:") return wanted === undefined || wanted === "tls" ? "tls" : undefined;
  if (url.protocol !== "smtp:") return undefined;
  if (wanted === undefined) return isLoopbackHost(host) ? "none" : "starttls";
  return wanted === "none" || wanted === "starttls" ? wanted : undefined;
}

/** Both or neither; undefined when only one is given or one is not decodable. */
function toCredentials(url: URL): Pick<SmtpSettings, "user" | "password"> | undefined {
  const user = decode(url.username);
  const password = decode(url.password);
  if (user === undefined || password === undefined || (user === "") !== (password === "")) return undefined;
  return user === "" ? {} : { user, password };
}

/**
 * Reads `smtps://user:password@host?from=Name%20<ada@example.org>` (TLS, port 465) or `smtp://…` (STARTTLS
 * is required, port 587; to a loopback host, or with `security=none`, no encryption, port 25;
 * `security=starttls` asks for it on loopback too). User, password and `from` are percent-encoded; "+" stays
 * "+". `from` may be absent when the user is an address. Undefined when anything is missing, contradictory
 * or unknown: another scheme, a path, a misspelt parameter, a user without a password.
 */
export function parseSmtpUrl(url: string): SmtpSettings | undefined {
  // The URL parser drops line breaks silently, which would hide what follows one.
  if (/[\p{Cc}\u2028\u2029]/u.test(url) || !URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  if (!["", "/"].includes(parsed.pathname) || parsed.hash !== "") return undefined;
  const host = parsed.hostname.toLowerCase().replace(/^\[(.*)\]$/u, "$1");
  const query = parseQuery(parsed.search);
  const credentials = toCredentials(parsed);
  if (!/^[a-z0-9.:_-]+$/u.test(host) || query === undefined || credentials === undefined) return undefined;
  const security = toSecurity(parsed, host, query.get("security"));
  const { user } = credentials;
  const from = query.get("from") ?? (user !== undefined && isMailAddress(user) ? user : "");
  if (security === undefined || parseMailbox(from) === undefined) return undefined;
  const port = parsed.port === "" ? defaultPorts[security] : Number(parsed.port);
  return port === 0 ? undefined : { host, port, security, ...credentials, from: from.trim() };
}
