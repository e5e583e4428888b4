/** The secret that seals what a service keeps: given by the environment, or made once in the data folder. */
import type { Config } from "../config.ts";
import type { ServiceName } from "../kit/services.ts";
import { findTokenFault } from "../kit/secrets/admin-token-file.ts";
import { type SecretBox, createSecretBox } from "../kit/secrets/secret-box.ts";
import { loadSecret } from "../kit/secrets/secret-file.ts";
import { readKeptFile } from "../kit/files/kept-file.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import type { Scrub } from "../store/scrub.ts";
import { readFingerprint } from "./fingerprint.ts";
import type { ServiceContext } from "./service.ts";

type SecretContext = Pick<ServiceContext, "config" | "log">;

/** Advice for a secret that does not match the records. */
export function toSecretRemedy(service: ServiceName, dataDir: string): string {
  return `copy ${service}-secret.json into "${dataDir}" from the original data folder of the records, from your copy or from a backup with keys, or set ${service.toUpperCase()}_SECRET to the previous value on every node`;
}

/** Records that another secret sealed would get a second one here, and the start would reject it. */
async function assertUnsealed(config: Config, service: ServiceName): Promise<void> {
  // Loaded only at a first start: it knows the records of all services.
  const { secretChecks } = await import("./secret-checks.ts");
  const known = await readFingerprint(config, secretChecks[service]);
  if (known === undefined) return;
  throw new Error(
    `The ${service} has records, but the secret that sealed them, "${config.dataDir}/${service}-secret.json", is missing: ${toSecretRemedy(service, config.dataDir)}. No new secret was created`,
  );
}

/**
 * The secret of a service: its variable is `<SERVICE>_SECRET`, its file `<service>-secret.json`.
 * @throws Error when the file is damaged, or missing beside records that it sealed
 */
export async function loadServiceSecret(
  { config, log }: SecretContext,
  service: ServiceName,
): Promise<string> {
  const given = config.secrets[service];
  if (given !== undefined) return given;
  const place = {
    folder: config.dataDir,
    name: `${service}-secret.json`,
    variable: `${service.toUpperCase()}_SECRET`,
  };
  if ((await readKeptFile(nodeFileLayer, `${place.folder}/${place.name}`)) === undefined)
    await assertUnsealed(config, service);
  const { secret, made, path } = await loadSecret(nodeFileLayer, place);
  if (made)
    log.info(
      "Created the secret that seals the sensitive data of the service. Keep a copy of it separate from the backups",
      {
        path,
      },
    );
  return secret;
}

/** The secret of another service of the install, where this process has it: it runs that too, or shares its folder or variable. */
export async function findServiceSecret(
  context: SecretContext & Pick<ServiceContext, "services">,
  service: ServiceName,
): Promise<string | undefined> {
  if (context.services.includes(service)) return loadServiceSecret(context, service);
  const given = context.config.secrets[service];
  if (given !== undefined) return given;
  const isThere = await readKeptFile(nodeFileLayer, `${context.config.dataDir}/${service}-secret.json`);
  return isThere === undefined ? undefined : loadServiceSecret(context, service);
}

/** Opens the box of a service, with the pass over the file that the secret is in. Throws when that is damaged. */
export async function openSecretBox(
  context: SecretContext,
  service: ServiceName,
): Promise<{ readonly box: SecretBox; readonly scrub: Scrub }> {
  const secret = await loadServiceSecret(context, service);
  const box = createSecretBox(secret);
  if (context.config.secrets[service] !== undefined) return { box, scrub: async function* nothing() {} };
  const path = `${context.config.dataDir}/${service}-secret.json`;
  return {
    box,
    scrub: async function* compare() {
      const text = (await readKeptFile(nodeFileLayer, path)) ?? "";
      const problem =
        "has changed since the start. Restore it from your copy or from a backup with keys before the next start";
      yield text.includes(JSON.stringify(secret)) ? text.length : { path, problem };
    },
  };
}

/** The pass over the administrator token's files, for a service that was given none by the environment. */
export function scrubAdminToken({ adminTokens, dataDir }: Config, service: ServiceName): Scrub[] {
  if (adminTokens[service] !== undefined) return [];
  const remedy = "run trivet --new-admin-token, then restart";
  return [
    async function* compare() {
      const fault = await findTokenFault(nodeFileLayer, dataDir);
      if (fault !== undefined) yield { path: fault.path, problem: `${fault.problem}: ${remedy}` };
    },
  ];
}
