/** The secrets that seal values in records: they lie beside the records and have to follow them. */
import { type ServiceName, serviceNames } from "../../kit/services.ts";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { readKeptFile, writeKeptFile } from "../../kit/files/kept-file.ts";
import { createSecretBox } from "../../kit/secrets/secret-box.ts";
import { parseSecretFile } from "../../kit/secrets/secret-file.ts";
import { isSecretOf } from "../../records/secret-check.ts";
import { readFingerprint } from "../fingerprint.ts";
import { secretChecks } from "../secret-checks.ts";
import { toKeyFile } from "./key-files.ts";

export interface FollowedSecret {
  readonly service: ServiceName;
  /**
   * "given": by its variable, which the start needs too. "missing": none of the folders has it. "other": the target has a
   * file, but its secret is not that of the records.
   */
  readonly state: "there" | "copied" | "given" | "missing" | "other";
  /** The folder that it was copied from. */
  readonly from?: string;
}

export interface FollowOptions {
  /** The data folder that holds the records now. */
  readonly to: string;
  /** Folders that may hold the secrets, the likeliest first. */
  readonly sources: readonly string[];
  /** Secrets that variables give. */
  readonly given: Readonly<Partial<Record<ServiceName, string>>>;
}

/** The secret in a folder's file; undefined where there is none that can be read. */
async function findSecret(folder: string, name: string): Promise<string | undefined> {
  const text = await readKeptFile(nodeFileLayer, join(folder, name)).catch(() => undefined);
  return text === undefined ? undefined : parseSecretFile(text);
}

const isOf = (fingerprint: string, secret: string | undefined): boolean =>
  secret !== undefined && isSecretOf(fingerprint, createSecretBox(secret));

async function follow(
  { to, sources, given }: FollowOptions,
  service: ServiceName,
): Promise<FollowedSecret | undefined> {
  const fingerprint = await readFingerprint({ dataDir: to }, secretChecks[service]);
  if (fingerprint === undefined) return undefined;
  if (isOf(fingerprint, given[service])) return { service, state: "given" };
  const present = await findSecret(to, toKeyFile(service));
  if (isOf(fingerprint, present)) return { service, state: "there" };
  // Never over another one: it may be the only copy of what seals something else.
  if (present !== undefined) return { service, state: "other" };
  // Records of a backup from before a change need the key before.
  const names = [toKeyFile(service), toKeyFile(service, ".previous")];
  for (const [from, name] of sources.flatMap((source) => names.map((each) => [source, each] as const))) {
    const secret = await findSecret(from, name);
    if (secret === undefined || !isOf(fingerprint, secret)) continue;
    const place = { folder: to, name: toKeyFile(service) };
    await mkdir(to, { recursive: true, mode: 0o700 });
    await writeKeptFile(nodeFileLayer, place, `${JSON.stringify({ secret })}\n`);
    return { service, state: "copied", from };
  }
  return { service, state: "missing" };
}

/** Copies the secret of each service whose records are in the folder, and says of each what became of it. */
export async function followSecrets(options: FollowOptions): Promise<FollowedSecret[]> {
  const followed: FollowedSecret[] = [];
  for (const service of serviceNames) {
    const one = await follow(options, service);
    if (one !== undefined) followed.push(one);
  }
  return followed;
}
