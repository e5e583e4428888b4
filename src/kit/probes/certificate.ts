/** Certificates as targets show them, and what is wrong with them. */
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import { codeOf, textOf } from "../thrown.ts";
import type { ProbeFault, SeenCertificate } from "./probe.ts";

const DAY_MS = 86_400_000;
const MAX_NAMES = 20;
const MAX_NAME = 253;

function toName(text: string): string {
  return text.slice(0, MAX_NAME).replace(/[\p{C}\s\u2028\u2029]+/gu, " ");
}

/** The common name, or the organisation where there is none; a field that comes several times is a list. */
function nameOf(fields: Readonly<Partial<Record<"CN" | "O", string | string[]>>> | undefined): string {
  return toName([fields?.CN ?? fields?.O ?? ""].flat().join(", "));
}

/** "DNS:a.example, IP Address:192.0.2.1", where names with odd characters stand in quotes. */
function namesOf(alternative: string | undefined): readonly string[] {
  const found: string[] = [];
  for (const [, name = ""] of (alternative ?? "").matchAll(/(?:DNS|IP Address):("[^"]*"|[^,"]*)/gu)) {
    if (found.length === MAX_NAMES) break;
    found.push(toName(name));
  }
  return found;
}

export interface CertificateView extends SeenCertificate {
  /** Whether it is for the name that was asked for. */
  readonly isForName: boolean;
  /** Why its chain is not trusted: a code of OpenSSL's; "" when it is. */
  readonly chainFault: string;
}

interface Asked {
  /** The name or the address that it must be for. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

const isName = /ALTNAME|Hostname/u;
/** What OpenSSL says of dates; those of the certificate itself are judged here. */
const isDate = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/u;

function isFor(name: string, certificate: PeerCertificate): boolean {
  try {
    return checkServerIdentity(name, certificate) === undefined;
  } catch {
    return false;
  }
}

function chainFaultOf(socket: TLSSocket, isInTime: boolean): string {
  if (socket.authorized) return "";
  // `unknown`: the types say Error, and it is a text as well.
  const error: unknown = socket.authorizationError;
  const code = codeOf(error) ?? textOf(error ?? "");
  if (isName.test(code)) return "";
  return isDate.test(code) && !isInTime ? "" : code;
}

/** What a socket shows after its handshake; undefined when the other side has no certificate at all. */
export function findCertificate(socket: TLSSocket, { name, now }: Asked): CertificateView | undefined {
  const shown = socket.getPeerCertificate();
  const validFrom = Date.parse(shown.valid_from ?? "");
  const validTo = Date.parse(shown.valid_to ?? "");
  if (Number.isNaN(validFrom) || Number.isNaN(validTo)) return undefined;
  const isInTime = validFrom <= now && now < validTo;
  const chainFault = chainFaultOf(socket, isInTime);
  const isForName = isFor(name, shown);
  return {
    subject: nameOf(shown.subject),
    issuer: nameOf(shown.issuer),
    names: namesOf(shown.subjectaltname),
    validFrom: Math.max(0, validFrom),
    validTo: Math.max(0, validTo),
    isTrusted: chainFault === "" && isForName && isInTime,
    isForName,
    chainFault,
  };
}

/** Without what only judging needs. */
export function toSeen({ isForName: _, chainFault: __, ...seen }: CertificateView): SeenCertificate {
  return seen;
}

/** The name for a handshake: an address is none (RFC 6066 section 3). */
export function toServerName(host: string): string {
  return isIP(host) === 0 ? host : "";
}

const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Why it is refused, or undefined. `ignoresChain`: any authority will do. */
export function findCertificateFault(
  view: CertificateView,
  { name, now, ignoresChain }: Asked & { readonly ignoresChain: boolean },
): string | undefined {
  if (view.validTo <= now) return `The certificate expired on ${toDate(view.validTo)}`;
  if (view.validFrom > now) return `The certificate is not valid before ${toDate(view.validFrom)}`;
  if (!view.isForName) return `The certificate is not valid for "${name}"`;
  if (view.chainFault !== "" && !ignoresChain) return `The certificate is not trusted (${view.chainFault})`;
  return undefined;
}

/** Whole days that are left. */
export function daysLeft({ validTo }: SeenCertificate, now: number): number {
  return Math.floor((validTo - now) / DAY_MS);
}

/** The fault of one that ends within so many days; 0 days: never. */
export function findEnding(
  certificate: SeenCertificate,
  { days, now }: { readonly days: number; readonly now: number },
): { readonly fault: ProbeFault; readonly detail: string } | undefined {
  if (days === 0 || certificate.validTo - now >= days * DAY_MS) return undefined;
  const left = daysLeft(certificate, now);
  return {
    fault: "certificate_ends",
    detail: `The certificate expires on ${toDate(certificate.validTo)}, in ${left} ${left === 1 ? "day" : "days"}`,
  };
}
