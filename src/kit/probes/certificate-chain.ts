/** The certificates between that of a target and the authority that a location trusts. */
import { X509Certificate } from "node:crypto";
import { type DetailedPeerCertificate, rootCertificates } from "node:tls";
import type { ChainEnd } from "./probe.ts";

/** Servers that send more than these have sent something else. */
const MAX_CHAIN = 10;
const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/gu;

/** Subjects of authorities in the form of `X509Certificate`, with their public keys. */
type Authorities = ReadonlySet<string>;

function toKey(certificate: X509Certificate): string {
  const key = certificate.publicKey.export({ type: "spki", format: "der" }).toString("base64");
  return `${certificate.subject}\n${key}`;
}

function readAuthorities(pems: readonly string[]): Authorities {
  const keys = pems.flatMap((pem) => {
    try {
      return [toKey(new X509Certificate(pem))];
    } catch {
      return [];
    }
  });
  return new Set(keys);
}

let wellKnown: Authorities | undefined;

/** Of a check with its own authorities, or of this runtime. */
function getAuthorities(ca: string | undefined): Authorities {
  if (ca !== undefined) return readAuthorities(ca.match(BLOCK) ?? []);
  return (wellKnown ??= readAuthorities(rootCertificates));
}

function nameOf({ subject }: DetailedPeerCertificate): string {
  const name = [subject?.CN ?? subject?.O ?? ""].flat().join(", ");
  return name.slice(0, 253).replace(/[\p{C}\s\u2028\u2029]+/gu, " ");
}

/** Above the target's own: what signs, up to what signs itself. */
function* walk(leaf: DetailedPeerCertificate): Iterable<DetailedPeerCertificate> {
  let current = leaf;
  for (let count = 0; count < MAX_CHAIN; count += 1) {
    const next: DetailedPeerCertificate | undefined = current.issuerCertificate;
    if (next === undefined || next.fingerprint256 === current.fingerprint256) return;
    // What signs itself is the authority, whose end each location knows by its own list.
    if (next.issuerCertificate?.fingerprint256 === next.fingerprint256) return;
    current = next;
    yield current;
  }
}

/**
 * The certificate of the chain that expires first, where that is before the target's own. Certificates that lead to an
 * authority that is trusted already, as cross-signed ones do, and those that are over while the chain is trusted, are not
 * needed and tell nothing.
 */
export function findChainEnd(
  leaf: DetailedPeerCertificate,
  { now, validTo, ca }: { readonly now: number; readonly validTo: number; readonly ca?: string | undefined },
): ChainEnd | undefined {
  let earliest: ChainEnd | undefined;
  for (const certificate of walk(leaf)) {
    const end = Date.parse(certificate.valid_to ?? "");
    const isEarlier = end > now && end < (earliest?.validTo ?? validTo);
    if (!isEarlier) continue;
    if (getAuthorities(ca).has(toKey(new X509Certificate(certificate.raw)))) break;
    earliest = { subject: nameOf(certificate), validTo: end };
  }
  return earliest;
}
