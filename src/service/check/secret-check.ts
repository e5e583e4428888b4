/** Whether the secret of a service is the one that sealed its records: they remember its fingerprint, as the start compares it. */
import { createSecretBox } from "../../kit/secrets/secret-box.ts";
import { toFingerprint } from "../../records/secret-check.ts";
import { readPath } from "../../store/keys.ts";
import type { Collection, Store } from "../../store/store.ts";
import { secretChecks } from "../secret-checks.ts";
import type { Findings } from "./finding.ts";

/** A service's secret, and where it comes from: the path of its file, or its variable. */
export interface FoundSecret {
  readonly secret: string;
  readonly where: string;
}

export interface SecretCheckOptions {
  readonly service: string;
  readonly collections: readonly Collection[];
  readonly store: Store;
  readonly secret: FoundSecret | undefined;
  readonly findings: Findings;
}

async function readFingerprint({
  service,
  collections,
  store,
}: SecretCheckOptions): Promise<string | undefined> {
  const place = Object.values(secretChecks).find((one) => one.service === service)?.place;
  const collection = collections.find(({ name }) => name === place?.collection);
  if (place === undefined || collection === undefined) return undefined;
  const found = readPath(await store.read((tx) => tx.get(collection, place.id)), place.path);
  return typeof found === "string" && found !== "" ? found : undefined;
}

/** Whether the secret may be used on these records; records that were never sealed accept any. */
export async function checkSecret(check: SecretCheckOptions): Promise<boolean> {
  const { service, secret, findings } = check;
  const known = await readFingerprint(check);
  if (secret === undefined || known === undefined) return true;
  if (toFingerprint(createSecretBox(secret.secret)) === known) return true;
  const variable = `${service.toUpperCase()}_SECRET`;
  findings.error(
    secret.where,
    `is not the secret that sealed the records of the ${service}, so the ${service} cannot start`,
    `restore ${service}-secret.json from your copy or from a backup with keys, or set ${variable} to the previous value`,
  );
  return false;
}
