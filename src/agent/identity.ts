/** Identity of an enrolled agent, stored in its data folder. */
import type { FileLayer } from "../kit/files/file-layer.ts";

export interface StoredIdentity {
  readonly id: string;
  readonly key: string;
  /** "host:port" of the gRPC listener. */
  readonly server: string;
  /** Whether to connect with TLS; absent in files of older agents. */
  readonly tls?: boolean;
  /** PEM text of the authorities to trust instead of the runtime's. */
  readonly ca?: string;
  /** "system": the authorities of the system are trusted too; absent: only the runtime's, or those of `ca`. */
  readonly authorities?: "system";
  /** Hash of the code that this came of: the code stays in settings for years. Absent in files of older agents. */
  readonly codeHash?: string;
  /** Whether the key may leave the own network unencrypted; absent in files of older agents, which did not ask. */
  readonly insecure?: boolean;
}

function identityPath(folder: string): string {
  return `${folder}/identity.json`;
}

function isIdentity(value: unknown): value is StoredIdentity {
  return (
    typeof value === "object" &&
    value !== null &&
    "id" in value &&
    typeof value.id === "string" &&
    "key" in value &&
    typeof value.key === "string" &&
    "server" in value &&
    typeof value.server === "string" &&
    (!("tls" in value) || typeof value.tls === "boolean") &&
    (!("ca" in value) || typeof value.ca === "string") &&
    (!("authorities" in value) || value.authorities === "system") &&
    (!("codeHash" in value) || typeof value.codeHash === "string") &&
    (!("insecure" in value) || typeof value.insecure === "boolean")
  );
}

/** The identity stored in `folder`, or undefined. @throws Error when the file is not one */
export async function findIdentity(files: FileLayer, folder: string): Promise<StoredIdentity | undefined> {
  const chunks = await files.readChunks(identityPath(folder));
  if (chunks === undefined) return undefined;
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (isIdentity(value)) return value;
  throw new Error(`"${identityPath(folder)}" is damaged. Delete it and enroll the machine again`);
}

/** Stores the identity, readable by this user alone. */
export async function saveIdentity(
  files: FileLayer,
  folder: string,
  identity: StoredIdentity,
): Promise<void> {
  const path = identityPath(folder);
  const file = await files.openAppend(`${path}.next`, { truncate: true });
  try {
    await file.append(new TextEncoder().encode(`${JSON.stringify(identity, undefined, 2)}\n`));
    await file.datasync();
  } finally {
    await file.close();
  }
  await files.rename(`${path}.next`, path);
  await files.syncFolder(folder);
}
