/** The secret that seals what a service keeps: given by the environment, or made once in the data folder. */
import type { Config, ServiceName } from "../config.ts";
import { type SecretBox, createSecretBox } from "../kit/secrets/secret-box.ts";
import { loadSecret } from "../kit/secrets/secret-file.ts";
import { readKeptFile } from "../kit/files/kept-file.ts";
import { nodeFileLayer } from "../kit/files/file-layer.ts";
import type { ServiceContext } from "./service.ts";

type SecretContext = Pick<ServiceContext, "config" | "log">;

function findGiven(
  { monitorSecret, authSecret, shopSecret }: Config,
  service: ServiceName,
): string | undefined {
  return { monitor: monitorSecret, auth: authSecret, shop: shopSecret }[service];
}

/**
 * The secret of a service: its variable is `<SERVICE>_SECRET`, its file `<service>-secret.json`.
 * @throws Error when the file is damaged
 */
export async function loadServiceSecret(
  { config, log }: SecretContext,
  service: ServiceName,
): Promise<string> {
  const given = findGiven(config, service);
  if (given !== undefined) return given;
  const place = {
    folder: config.dataDir,
    name: `${service}-secret.json`,
    variable: `${service.toUpperCase()}_SECRET`,
  };
  const { secret, made, path } = await loadSecret(nodeFileLayer, place);
  if (made)
    log.info("Made the secret that seals what the service keeps; it belongs into every backup", { path });
  return secret;
}

/** The secret of another service of the install, where this process has it: it runs that too, or shares its folder or variable. */
export async function findServiceSecret(
  context: SecretContext & Pick<ServiceContext, "services">,
  service: ServiceName,
): Promise<string | undefined> {
  if (context.services.includes(service)) return loadServiceSecret(context, service);
  const given = findGiven(context.config, service);
  if (given !== undefined) return given;
  const isThere = await readKeptFile(nodeFileLayer, `${context.config.dataDir}/${service}-secret.json`);
  return isThere === undefined ? undefined : loadServiceSecret(context, service);
}

/** Opens the box of a service. Throws when the secret's file is damaged. */
export async function openSecretBox(context: SecretContext, service: ServiceName): Promise<SecretBox> {
  return createSecretBox(await loadServiceSecret(context, service));
}
