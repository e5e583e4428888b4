/** Certificates (X.509) taken apart: Web Crypto has keys only. */
import { X509Certificate } from "node:crypto";

/** Requirements for a certificate. */
export interface CertificateFacts {
  /** The common name of its subject; "" for none. */
  readonly commonName: string;
  /** Epoch milliseconds. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Its RSA key for checking signatures of SHA-256 (PKCS #1 1.5). */
  readonly key: CryptoKey;
}

/** The first certificate of a PEM text; undefined for any other text and for other keys than RSA. Proves no issuer. */
export async function findRsaCertificate(pem: string): Promise<CertificateFacts | undefined> {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    return undefined;
  }
  const { subject, publicKey, validFrom, validTo } = certificate;
  if (publicKey.asymmetricKeyType !== "rsa") return undefined;
  const spki = Uint8Array.from(publicKey.export({ format: "der", type: "spki" }));
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]);
  const commonName = /(?:^|\n)CN=([^\n]*)/u.exec(subject)?.[1] ?? "";
  return { commonName, fromMs: Date.parse(validFrom), untilMs: Date.parse(validTo), key };
}
