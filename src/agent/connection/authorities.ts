/** Authorities that this machine trusts besides the usual ones: certificates in a PEM file. */
import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/gu;

/** The certificates in a text, each as PEM. */
export function listCertificates(text: string): string[] {
  return text.match(certificate) ?? [];
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

/** The certificates of a PEM file as one text. @throws Error with what to do */
export async function readAuthorities(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    throw new Error(`The file of --ca, "${path}", cannot be read`, { cause });
  }
  const found = listCertificates(text);
  if (found.length === 0 || !found.every(isCertificate)) {
    throw new Error(`The file of --ca, "${path}", does not contain a PEM certificate`);
  }
  return `${found.join("\n")}\n`;
}
