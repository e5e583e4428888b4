/**
 * Authorities that the system trusts and the runtime does not: Node brings a list of its own and never reads the
 * system's, so that a company's authority, installed as on every other program's account, is unknown to it.
 */
import { readFile } from "node:fs/promises";
import process from "node:process";
import { listCertificates } from "./authorities.ts";

/** Where systems keep all authorities in one file: Debian, Alpine and Arch; Fedora and RHEL; SUSE; BSD and macOS. */
const bundles = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/ssl/cert.pem",
];

const rootCertificates = (): readonly string[] => process.getBuiltinModule("node:tls").rootCertificates;
const toKey = (pem: string): string => pem.replace(/\s+/gu, "");

/** The certificates, as PEM text, of the first file there that the runtime does not have; undefined without any. */
export async function findSystemAuthorities(paths: readonly string[] = bundles): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const known = new Set(rootCertificates().map(toKey));
    const added = listCertificates(text).filter((pem) => !known.has(toKey(pem)));
    return added.length === 0 ? undefined : `${added.join("\n")}\n`;
  }
  return undefined;
}

/** The runtime's authorities and these as one text, for what takes one list alone. */
export function withRuntimeAuthorities(added: string): string {
  return `${rootCertificates().join("\n")}\n${added}`;
}
