/** Certificates as targets show them, and what is wrong with them. */
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import { codeOf, textOf } from "../thrown.ts";
import { earliestEnd } from "./certificate-end.ts";
import { findChainEnd } from "./certificate-chain.ts";
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

/** "DNS:a.example, IP Address:192.0.2.1", with odd names in quotes. */
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
/** OpenSSL's errors about dates; the certificate's own dates are checked here. */
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

/**
 * What a socket shows after its handshake; undefined when the other side has no certificate at all. `ca`: authorities
 * (PEM) that are trusted instead of the well-known ones.
 */
export function findCertificate(
  socket: TLSSocket,
  { name, now, ca }: Asked & { readonly ca?: string | undefined },
): CertificateView | undefined {
  const shown = socket.getPeerCertificate(true);
  const validFrom = Date.parse(shown.valid_from ?? "");
  const validTo = Date.parse(shown.valid_to ?? "");
  if (Number.isNaN(validFrom) || Number.isNaN(validTo)) return undefined;
  const isInTime = validFrom <= now && now < validTo;
  const chainFault = chainFaultOf(socket, isInTime);
  const isForName = isFor(name, shown);
  const chainEnd = findChainEnd(shown, { now, validTo, ca });
  return {
    subject: nameOf(shown.subject),
    issuer: nameOf(shown.issuer),
    names: namesOf(shown.subjectaltname),
    validFrom: Math.max(0, validFrom),
    validTo: Math.max(0, validTo),
    isTrusted: chainFault === "" && isForName && isInTime,
    ...(chainEnd && { chainEnd }),
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

/** Faults of certificates that a check may accept. */
export const certificateFaults = ["issuer", "name", "expired"] as const;
export type CertificateFault = (typeof certificateFaults)[number];

/** Why a certificate is rejected, or undefined. `accepts`: what is no reason. */
export function findCertificateFault(
  view: CertificateView,
  { name, now, accepts }: Asked & { readonly accepts: readonly CertificateFault[] },
): string | undefined {
  const { validTo, validFrom, isForName, chainFault } = view;
  if (!accepts.includes("expired")) {
    if (validTo <= now) return `The certificate expired on ${toDate(validTo)}`;
    if (validFrom > now) return `The certificate is not valid before ${toDate(validFrom)}`;
  }
  if (!isForName && !accepts.includes("name")) return `The certificate is not valid for "${name}"`;
  if (chainFault === "" || accepts.includes(isDate.test(chainFault) ? "expired" : "issuer")) return undefined;
  return isDate.test(chainFault)
    ? `A certificate of the chain has expired (${chainFault})`
    : `The certificate is not trusted (${chainFault})`;
}

/** Whole days that are left. */
export function daysLeft(certificate: SeenCertificate, now: number): number {
  return Math.floor((earliestEnd(certificate) - now) / DAY_MS);
}

/** The fault of one that ends within so many days; 0 days: never. */
export function findEnding(
  certificate: SeenCertificate,
  { days, now }: { readonly days: number; readonly now: number },
): { readonly fault: ProbeFault; readonly detail: string } | undefined {
  const end = earliestEnd(certificate);
  if (days === 0 || end - now >= days * DAY_MS) return undefined;
  const left = daysLeft(certificate, now);
  const { chainEnd } = certificate;
  const which =
    chainEnd === undefined ? "The certificate" : `The certificate "${chainEnd.subject}" of the chain`;
  return {
    fault: "certificate_ends",
    detail: `${which} expires on ${toDate(end)}, in ${left} ${left === 1 ? "day" : "days"}`,
  };
}
