/** `trivet change-key SERVICE …`: replaces sealing keys, as after a leak. */
import { readFile, stat } from "node:fs/promises";
import process from "node:process";
import { type Config, loadConfig } from "../../config.ts";
import { nodeFileLayer } from "../../kit/files/file-layer.ts";
import { silentLog } from "../../kit/observe/log.ts";
import { type ServiceName, isService, serviceNames } from "../../kit/services.ts";
import { systemClock } from "../../kit/time/clock.ts";
import { parseEnvironmentFile } from "../doctor/environment-file.ts";
import { serviceCollections } from "../collections.ts";
import { readFingerprint } from "../fingerprint.ts";
import { type ChangedKey, changeKey } from "../keys/change-key.ts";
import { secretChecks } from "../secret-checks.ts";
import { openStore } from "../storage.ts";
import { type Command, UsageError, readArguments } from "./command.ts";

/** Files that another user creates are unreadable for the service. */
async function assertOwner({ dataDir }: Config): Promise<void> {
  const owner = await stat(dataDir).catch(() => undefined);
  if (process.getuid?.() === 0 && owner !== undefined && owner.uid !== 0)
    throw new UsageError(`Run this command as the owner of "${dataDir}", for example with sudo -u trivet`);
}

async function changeOne(
  config: Config,
  service: ServiceName,
  leavesUnreadable: boolean,
): Promise<ChangedKey> {
  const { dataDir: folder, databaseUrl } = config;
  const collections = serviceCollections[service] ?? [];
  const check = secretChecks[service];
  if ((await readFingerprint(config, check)) === undefined)
    throw new UsageError(`The ${service} has no records yet`);
  // The driver is loaded only where there is a database.
  if (databaseUrl !== undefined)
    await (await import("../migration/database-place.ts")).assertDatabaseUnused(databaseUrl, service);
  const here = { config, clock: systemClock, log: silentLog, data: { note: () => undefined } };
  const store = await openStore(here, { name: service, collections });
  try {
    const given = config.secrets[service];
    const parts = { service, collections, check, store, files: nodeFileLayer, folder, given };
    return await changeKey({ ...parts, clock: systemClock, leavesUnreadable });
  } finally {
    await store.close();
  }
}

function describe(config: Config, service: ServiceName, { values, resumed, keyFile }: ChangedKey): string {
  const done = resumed ? "Finished the change that was interrupted" : "The sealing key is new";
  const variable = `${service.toUpperCase()}_SECRET`;
  const next =
    config.secrets[service] === undefined
      ? `The previous key is in "${keyFile}": keep it in a password manager as long as you keep backups from before, then delete the file`
      : `The new key is in "${keyFile}": set ${variable} to it, then delete the file`;
  return `${service}: ${done}, ${values} values sealed again. ${next}`;
}

export const changeKeyCommand: Command = {
  usage: `Usage: trivet change-key SERVICE … [--env FILE] [--leave-unreadable]      (in a clone: npm run change-key -- …)
  SERVICE             ${serviceNames.join(", ")}
  --env               a settings file, such as /etc/trivet/trivet.env
  --leave-unreadable  goes on when there are values that the present key cannot open, and leaves them as they are
Replaces the key that seals the secrets of a service, as after a leak. Stop the service first, on every node. After an
interruption, run the command again. Then copy the new key to the other nodes and to your password manager.`,
  failure: "The key could not be changed",
  async run(args, { variables }) {
    const { values, positionals } = readArguments(args, {
      env: { type: "string" },
      "leave-unreadable": { type: "boolean", default: false },
    });
    const services = positionals.filter(isService);
    const unknown = positionals.find((word) => !isService(word));
    if (unknown !== undefined) throw new UsageError(`Unknown service "${unknown}"`);
    if (services.length === 0) throw new UsageError("Name the service whose key is to be changed");
    const more = values.env === undefined ? {} : parseEnvironmentFile(await readFile(values.env, "utf8"));
    const config = loadConfig({ ...variables, ...more });
    await assertOwner(config);
    for (const service of services)
      console.log(describe(config, service, await changeOne(config, service, values["leave-unreadable"])));
  },
};
