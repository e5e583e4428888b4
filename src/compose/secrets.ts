/** The secret that seals what a service keeps: given by the environment, or made once in the data folder. */
import type { SecretBox } from "../kit/secret-box.ts";
import { createSecretBox } from "../kit/secret-box.ts";
import { loadSecret } from "../kit/secret-file.ts";
import { nodeFileLayer } from "../store/file-layer.ts";
import type { ServiceContext } from "./service.ts";

/** Opens the box of a service; its file is `<service>-secret.json`, its variable `<SERVICE>_SECRET`. Throws when the file is damaged. */
export async function openSecretBox(
  { config, log }: ServiceContext,
  { service, given }: { service: string; given: string | undefined },
): Promise<SecretBox> {
  if (given !== undefined) return createSecretBox(given);
  const place = {
    folder: config.dataDir,
    name: `${service}-secret.json`,
    variable: `${service.toUpperCase()}_SECRET`,
  };
  const { secret, made, path } = await loadSecret(nodeFileLayer, place);
  if (made)
    log.info("Made the secret that seals what the service keeps; it belongs into every backup", { path });
  return createSecretBox(secret);
}
