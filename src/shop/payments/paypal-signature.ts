/**
 * The signature of PayPal's notices: RSA-SHA256 over "<transmission id>|<time>|<webhook id>|<CRC-32 of the body>" with the
 * certificate that a header names (https://developer.paypal.com/api/rest/webhooks/rest/, "verify").
 */
import { AppError } from "../../kit/errors.ts";
import { type CertificateFacts, findRsaCertificate } from "../../kit/secrets/certificate.ts";
import { WrongProof } from "./notice-proof.ts";

const MINUTE_MS = 60_000;
/** PayPal sends a notice again for three days, with the time of the first; whatever came is known by its reference. */
const MAX_AGE_MS = 4 * 24 * 60 * MINUTE_MS;
/** How far it may be ahead of us. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 of ISO 3309 over the UTF-8 of a text, as a plain number. */
export function toCrc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) crc = (crcTable[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Data for verifying a signature. */
export interface PaypalProof {
  readonly webhookId: string;
  /** Where certificates may come from. */
  readonly origins: readonly string[];
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** The text at a certificate's address; undefined where there is none. */
  readonly fetchCertificate: (url: string) => Promise<string | undefined>;
}

function refuse(message: string): never {
  throw new AppError("unauthenticated", message);
}

/** Certificates by their addresses, which name them for good. */
const known = new Map<string, CertificateFacts>();
const MAX_KNOWN = 20;
/** How many unknown certificates are fetched at most: anyone can name one. */
const FETCHES = 100;
const FETCH_WINDOW_MS = 10 * MINUTE_MS;
const fetches = { sinceMs: 0, count: 0 };

/** @throws AppError `unavailable`, so that PayPal sends again what it sent */
function countFetch(nowMs: number): void {
  if (Math.abs(nowMs - fetches.sinceMs) >= FETCH_WINDOW_MS)
    Object.assign(fetches, { sinceMs: nowMs, count: 0 });
  fetches.count += 1;
  if (fetches.count > FETCHES)
    throw new AppError("unavailable", "Too many certificates were requested", {
      retryAfterSeconds: FETCH_WINDOW_MS / 1_000,
    });
}

/** The address of a certificate. @throws WrongProof for one where PayPal has none */
function checkAddress(text: string, origins: readonly string[]): string {
  const { origin, pathname, href } = URL.canParse(text)
    ? new URL(text)
    : { origin: "", pathname: "", href: "" };
  const isCertificate = /^\/v1\/notifications\/certs\/[A-Za-z0-9_-]{1,100}$/u.test(pathname);
  if (isCertificate && origins.includes(origin) && href === origin + pathname) return href;
  throw new WrongProof("PAYPAL-CERT-URL is not a certificate URL of the configured PayPal environment");
}

/**
 * A certificate, fetched once. That it comes over TLS from PayPal's own host vouches for it; its name must be that of the
 * certificates that PayPal signs notices with, as PayPal's Java SDK asks for.
 */
async function findCertificate(url: string, proof: PaypalProof): Promise<CertificateFacts> {
  const cached = known.get(url);
  if (cached !== undefined) return cached;
  countFetch(proof.nowMs);
  const certificate = await findRsaCertificate((await proof.fetchCertificate(url)) ?? "");
  if (!/^messageverificationcerts(?:\.[a-z0-9-]+)*\.paypal\.com$/u.test(certificate?.commonName ?? ""))
    throw new WrongProof("PAYPAL-CERT-URL does not contain a certificate for PayPal webhook signatures");
  if (certificate === undefined) return refuse("PAYPAL-CERT-URL does not contain a certificate");
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest);
  known.set(url, certificate);
  return certificate;
}

function findBytes(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]{40,1400}={0,2}$/u.test(base64) || base64.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** When a notice was sent, in epoch milliseconds. @throws AppError `unauthenticated` */
function checkTime(time: string, nowMs: number): number {
  const sentMs = /^\d{4}-\d\d-\d\dT[0-9:.]{5,20}(?:Z|[+-]\d\d:\d\d)$/u.test(time)
    ? Date.parse(time)
    : Number.NaN;
  if (Number.isNaN(sentMs)) refuse("The header PAYPAL-TRANSMISSION-TIME is missing or invalid");
  if (sentMs > nowMs + MAX_AHEAD_MS)
    refuse(
      "PAYPAL-TRANSMISSION-TIME is more than five minutes ahead of the shop's clock. Synchronize the shop's clock",
    );
  if (sentMs < nowMs - MAX_AGE_MS) refuse("PAYPAL-TRANSMISSION-TIME is more than four days old");
  return sentMs;
}

/**
 * Whether a notice was signed by PayPal for this webhook.
 * @throws AppError `unauthenticated` when it was not, and what `fetchCertificate` throws
 */
export async function checkPaypalSignature(
  { headers, body }: { readonly headers: Headers; readonly body: string },
  proof: PaypalProof,
): Promise<void> {
  const read = (name: string): string => headers.get(`paypal-${name}`) ?? "";
  const [id, time, signature] = [
    read("transmission-id"),
    read("transmission-time"),
    read("transmission-sig"),
  ];
  if (id === "" || signature === "")
    refuse("The headers PAYPAL-TRANSMISSION-ID and PAYPAL-TRANSMISSION-SIG are required");
  if (read("auth-algo") !== "SHA256withRSA") refuse("PAYPAL-AUTH-ALGO must be SHA256withRSA");
  const sentMs = checkTime(time, proof.nowMs);
  const address = checkAddress(read("cert-url"), proof.origins);
  const bytes = findBytes(signature);
  if (bytes === undefined) throw new WrongProof("PAYPAL-TRANSMISSION-SIG is not a valid signature");
  const { key, fromMs, untilMs } = await findCertificate(address, proof);
  const signed = new TextEncoder().encode(`${id}|${time}|${proof.webhookId}|${toCrc32(body)}`);
  if (!(await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, bytes, signed)))
    throw new WrongProof(
      "PAYPAL-TRANSMISSION-SIG does not match this body and the webhook ID of the provider",
    );
  if (!(fromMs <= sentMs && sentMs <= untilMs)) refuse("PayPal's certificate was not valid at that time");
}
