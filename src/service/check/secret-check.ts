/** Whether the secret of a service is the one that sealed its records: they remember its fingerprint, as the start compares it. */
import { type SecretBox, createSecretBox } from "../../kit/secrets/secret-box.ts";
import { type StoredSecretCheck, findChangeRemedy, isSecretOf } from "../../records/secret-check.ts";
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

async function readStored({
  service,
  collections,
  store,
}: Omit<SecretCheckOptions, "findings">): Promise<StoredSecretCheck | undefined> {
  const known = Object.values(secretChecks).find((one) => one.service === service);
  if (known === undefined || collections.every(({ name }) => name !== known.place.collection))
    return undefined;
  return store.read(known.read);
}

/** The box to use with the records of a service. */
export async function openStoreBox(
  check: Omit<SecretCheckOptions, "findings">,
  secret: string,
): Promise<SecretBox> {
  const { lookups } = (await readStored(check)) ?? {};
  const box = createSecretBox(secret);
  return lookups === undefined ? box : box.withLookups(lookups);
}

/** Whether the secret may be used on these records; records that were never sealed accept any. */
export async function checkSecret(check: SecretCheckOptions): Promise<boolean> {
  const { service, secret, findings } = check;
  const known = (await readStored(check))?.check || undefined;
  if (secret === undefined || known === undefined) return true;
  if (isSecretOf(known, createSecretBox(secret.secret))) return true;
  const unfinished = findChangeRemedy(known, service);
  if (unfinished !== undefined) {
    findings.error(service, "the records are sealed with two keys, so the service cannot start", unfinished);
    return false;
  }
  const variable = `${service.toUpperCase()}_SECRET`;
  findings.error(
    secret.where,
    `is not the secret that sealed the records of the ${service}, so the ${service} cannot start`,
    `restore ${service}-secret.json from your copy or from a backup with keys, or set ${variable} to the previous value`,
  );
  return false;
}
