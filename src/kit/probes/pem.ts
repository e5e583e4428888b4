/** Certificates and keys as administrators paste them, with words for what is wrong with them. */
import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { text } from "../text/schemas.ts";

/** A chain of ten certificates, or a few authorities. */
const MAX_PEM = 32_000;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[A-Za-z0-9+/=\s]*-----END \1-----/gu;

interface Block {
  readonly label: string;
  readonly pem: string;
}

function listBlocks(pem: string): readonly Block[] {
  return [...pem.matchAll(BLOCK)].map(([block, label = ""]) => ({ label, pem: block }));
}

function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The certificates of a text, in their order. */
export function readCertificates(pem: string): readonly X509Certificate[] {
  return listBlocks(pem).flatMap((block) => tryRead(() => new X509Certificate(block.pem)) ?? []);
}

function findCertificatesFault(pem: string): string | undefined {
  const blocks = listBlocks(pem);
  if (blocks.some(({ label }) => label.endsWith("PRIVATE KEY")))
    return "contains a private key. Only certificates belong here";
  const [other] = blocks.filter(({ label }) => label !== "CERTIFICATE");
  if (other !== undefined) return `contains a block that is no certificate (${other.label})`;
  if (blocks.length === 0) return "must be in PEM format, beginning with -----BEGIN CERTIFICATE-----";
  if (readCertificates(pem).length < blocks.length)
    return "contains a certificate that cannot be read. Paste the whole file";
  return undefined;
}

function findKeyFault(pem: string): string | undefined {
  const keys = listBlocks(pem).filter(({ label }) => label.endsWith("PRIVATE KEY"));
  const [key] = keys;
  if (key === undefined) return "must be in PEM format, beginning with -----BEGIN PRIVATE KEY-----";
  if (key.label.startsWith("ENCRYPTED") || /^Proc-Type: 4,ENCRYPTED/mu.test(pem))
    return "is encrypted with a passphrase. Remove it first: openssl pkey -in client.key";
  return keys.length === 1 && readKey(pem) !== undefined
    ? undefined
    : "must be one private key that can be read";
}

function readKey(pem: string): KeyObject | undefined {
  return tryRead(() => createPrivateKey(pem));
}

/** Error of a client certificate and its key, or undefined. */
export function findPairFault(certificate: string, key: string): string | undefined {
  const [own] = readCertificates(certificate);
  const read = readKey(key);
  if (own === undefined || read === undefined) return undefined;
  if (tryRead(() => own.checkPrivateKey(read)) !== false) return undefined;
  return "is not the key of the client certificate";
}

export const certificatesSchema = text(MAX_PEM).superRefine((pem, c) => {
  const message = findCertificatesFault(pem);
  if (message !== undefined) c.addIssue({ code: "custom", message });
});

export const privateKeySchema = text(MAX_PEM).superRefine((pem, c) => {
  const message = findKeyFault(pem);
  if (message !== undefined) c.addIssue({ code: "custom", message });
});
