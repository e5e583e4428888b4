/** Values of environment variables, each with a hint for invalid ones. */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import {
  MAX_SOCKET_PATH_BYTES,
  type SocketAddress,
  UNIX_PEER,
  isSocketAddress,
  toSocketPath,
} from "../text/socket-address.ts";
import { isPercentEncoded } from "./percent-encoding.ts";

/** Values that are separated by commas. */
export const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const PORT_TEXT =
  "takes a port number from 0 to 65535 (0 picks a free one), or a Unix socket such as unix:/run/trivet/trivet.sock";
const OFF_TEXT = `${PORT_TEXT}, or off behind GATEWAY_PORT`;
const SOCKET_TEXT = `takes a Unix socket with an absolute path of up to ${MAX_SOCKET_PATH_BYTES} bytes`;

const isSocketPath = (path: string): boolean =>
  /^\/.*[^/]$/u.test(path) && new TextEncoder().encode(path).length <= MAX_SOCKET_PATH_BYTES;

function isPort(text: string): boolean {
  return isSocketAddress(text) || (/^\d{1,5}$/u.test(text) && Number(text) <= 65_535);
}
const toPort = (text: string): number | SocketAddress => (isSocketAddress(text) ? text : Number(text));
const isPlace = (text: string): boolean => !isSocketAddress(text) || isSocketPath(toSocketPath(text));

/** A port or a Unix socket. */
export const anyPort = z.string().refine(isPort, PORT_TEXT).refine(isPlace, SOCKET_TEXT).transform(toPort);
/** A port, and which one it is unless told. */
export const port = (fallback: number) => anyPort.default(fallback);
export const portOrOff = (fallback: number) =>
  z
    .string()
    .refine((text) => text === "off" || isPort(text), OFF_TEXT)
    .refine(isPlace, SOCKET_TEXT)
    .transform((text): number | SocketAddress | "off" => (text === "off" ? text : toPort(text)))
    .default(fallback);

/** Permissions of files, as chmod takes them. */
export const fileMode = z
  .string()
  .regex(/^0?[0-7]{3}$/u, "takes permissions as three octal digits, such as 660")
  .transform((text) => Number.parseInt(text, 8));

/** 1 or 0. */
export const onOrOff = z.enum(["0", "1"], "takes 1 (on) or 0 (off)").transform((text) => text === "1");
/** The same, and what it is unless told. */
export const flag = (fallback: "0" | "1") => onOrOff.prefault(fallback);

export const adminToken = z
  .string()
  .min(16, "takes at least 16 characters; if unset, Trivet creates one")
  .max(256, "takes at most 256 characters")
  .regex(/^[\u0021-\u007e]+$/u, "takes printable ASCII characters without spaces")
  .optional();

export const sealingSecret = z
  .string()
  .min(32, "takes at least 32 characters; if unset, Trivet creates one in DATA_DIR")
  .max(512, "takes at most 512 characters")
  .optional();

/** An http or https address. */
export const webUrl = z.url({
  protocol: /^https?$/u,
  error: "takes a URL such as https://status.example.org",
});
/** The same, or "off", which it is unless told. */
export const webUrlOrOff = z
  .string()
  .default("off")
  .transform((text) => (text === "off" ? undefined : text))
  .pipe(
    webUrl
      .refine((url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === "", {
        error: "takes a URL without user and password",
      })
      .optional(),
  );
/** An address without a slash at its end. */
export const publicUrl = webUrl.transform((url) => url.replace(/(?<!\/)\/+$/u, "")).optional();

/** "host:port", "tls://host:port" → where agents connect. */
export const grpcAddress = z
  .string()
  .regex(
    /^(?:tls:\/\/)?(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/u,
    "takes host:port, or tls://host:port when agents connect with TLS",
  )
  .transform((text) => ({ address: text.replace("tls://", ""), tls: text.startsWith("tls://") }))
  .refine(({ address }) => {
    const given = Number(address.slice(address.lastIndexOf(":") + 1));
    return given >= 1 && given <= 65_535;
  }, "takes host:port with a port number from 1 to 65535");

function isOrigin(text: string): boolean {
  return text === "*" || (URL.canParse(text) && new URL(text).origin === text && /^https?:/u.test(text));
}

/** Whether it is an IP address or a range of them, or stands for the clients of Unix sockets. */
export function isProxyAddress(text: string): boolean {
  return text === UNIX_PEER || ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

/** Whether it is an address of PostgreSQL. */
export function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/u.test(new URL(text).protocol);
}

/** One server, or several of one cluster, comma separated; with TLS to all of them or to none. */
export function isNatsUrl(text: string): boolean {
  const urls = list(text);
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url))) return false;
  const parsed = urls.map((url) => new URL(url));
  return parsed.every(
    ({ protocol, hostname, pathname, username, password }) =>
      /^(?:nats|tls):$/u.test(protocol) &&
      protocol === parsed[0]?.protocol &&
      hostname !== "" &&
      /^\/?$/u.test(pathname) &&
      isPercentEncoded(username) &&
      isPercentEncoded(password),
  );
}

export const origins = z
  .string()
  .transform(list)
  .refine(
    (all) => all.every(isOrigin),
    "takes origins, comma separated, such as https://status.example.org, or * for all",
  );

/** "host:port", IPv6 in brackets; undefined when it is none. */
function parseHostWithPort(text: string): { readonly host: string; readonly port: number } | undefined {
  const match = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]*)):(\d{1,5})$/u.exec(text);
  const host = match?.[1] ?? match?.[2];
  const given = Number(match?.[3]);
  return host === undefined || given < 1 || given > 65_535 ? undefined : { host, port: given };
}

/** Hosts with ports, comma separated, 10 at most. */
export const hostsWithPorts = z
  .string()
  .transform(list)
  .transform((all) => all.map(parseHostWithPort))
  .refine(
    (all) => all.length <= 10 && all.every((one) => one !== undefined),
    "takes up to 10 hosts with ports, comma separated, such as 192.0.2.1:53",
  )
  .transform((all) => all.filter((one) => one !== undefined))
  .default([]);

const MAILBOX = /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/iu;
/** A contact of security.txt as a URI (RFC 9116 section 2.5.3); undefined for what is none. */
function toContact(text: string): string | undefined {
  if (MAILBOX.test(text)) return `mailto:${text}`;
  return /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/u.test(text) && URL.canParse(text)
    ? text
    : undefined;
}

const isContact = (contact: string | undefined): contact is string => contact !== undefined;

/** Contacts of security.txt, comma separated. */
export const securityContacts = z
  .string()
  .refine(
    (text) => list(text).map(toContact).every(isContact),
    "takes email addresses, https URLs or phone numbers such as tel:+1-201-555-0123, comma separated",
  )
  .transform((text) => list(text).map(toContact).filter(isContact))
  .default([]);
