/** As whom this machine reports, where, and with what encryption. */
import type { Log } from "../../kit/observe/log.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { readAuthorities } from "./authorities.ts";
import { enrol } from "./enrol.ts";
import { type StoredIdentity, findIdentity, saveIdentity } from "../identity.ts";
import type { AgentSettings } from "../options.ts";
import { type LookUp, findPlace } from "./own-network.ts";

/** Everything that a connection needs. */
export interface Registration {
  readonly id: string;
  readonly key: string;
  /** "host:port" of the gRPC listener. */
  readonly server: string;
  /** Absent: in the clear. `ca` is PEM text; without it the runtime's authorities are trusted. */
  readonly tls?: { readonly ca?: string };
}

export interface RegistrationOptions {
  readonly files: FileLayer;
  readonly hostname: string;
  readonly log: Log;
  /** Default: what the system says. */
  readonly lookUp?: LookUp | undefined;
}

/** What the command line says goes before what was kept, but silence never turns encryption off. */
function toRegistration(kept: StoredIdentity, settings: AgentSettings, ca?: string): Registration {
  const { id, key } = kept;
  const server = settings.server ?? kept.server;
  if (!(settings.tls ?? kept.tls ?? false)) return { id, key, server };
  const authority = ca ?? kept.ca;
  return { id, key, server, tls: authority === undefined ? {} : { ca: authority } };
}

async function enrolAndKeep(
  settings: AgentSettings,
  options: RegistrationOptions & { readonly ca: string | undefined },
): Promise<StoredIdentity> {
  const { server, tls, insecure = false } = settings;
  if (settings.enrol === undefined) {
    throw new Error(
      "Who this machine is stands nowhere: give --server, --id and --key, or --enrol and --url",
    );
  }
  // The text, not the path: it stays right when the file moves or a service manager hides it.
  const ca = options.ca === undefined ? {} : { ca: options.ca };
  const answer = await enrol({
    ...settings.enrol,
    ...ca,
    hostname: options.hostname,
    insecure,
    lookUp: options.lookUp,
    ...(server === undefined ? {} : { server }),
  });
  const fresh = { ...answer, tls: tls ?? answer.tls ?? false, ...ca, insecure };
  await saveIdentity(options.files, settings.folder, fresh);
  options.log.info("Enrolled", { id: fresh.id, server: fresh.server, tls: fresh.tls });
  return fresh;
}

/**
 * Says at each start that the agent key crosses networks in the clear. Refuses it where the identity says so,
 * which those of older agents and of the command line do not: an upgrade must not silence them.
 */
async function assertPrivate(
  { server, tls }: Registration,
  options: RegistrationOptions & { readonly insecure: boolean | undefined; readonly isFresh: boolean },
): Promise<void> {
  if (tls !== undefined) return;
  const place = await findPlace(server.replace(/:\d+$/u, ""), options.lookUp);
  if (place === "own network") return;
  // Once enrolled, a start while no name can be looked up is no reason to stop.
  if (options.insecure === false && (place === "elsewhere" || options.isFresh)) {
    throw new Error(
      `The connection to "${server}" may leave the own network unencrypted, and others on the way can read ` +
        "the agent key: start with --tls (TRIVET_TLS=1), or with --insecure (TRIVET_INSECURE=1) to accept that",
    );
  }
  options.log.warn("The connection is not encrypted, others on the way can read the agent key: use --tls", {
    server,
  });
}

/** Finds out who this machine is; enrols it when it has a code and no identity yet. @throws Error with what to do */
export async function loadRegistration(
  settings: AgentSettings,
  options: RegistrationOptions,
): Promise<Registration> {
  const ca = settings.caFile === undefined ? undefined : await readAuthorities(settings.caFile);
  const found = await findKept(settings, options);
  const kept = found ?? (await enrolAndKeep(settings, { ...options, ca }));
  const registration = toRegistration(kept, settings, ca);
  const insecure = settings.insecure ?? kept.insecure;
  await assertPrivate(registration, { ...options, insecure, isFresh: found === undefined });
  return registration;
}

/** What the command line says of this machine, or what an earlier start kept. */
async function findKept(
  settings: AgentSettings,
  options: RegistrationOptions,
): Promise<StoredIdentity | undefined> {
  const { id, key, server, folder } = settings;
  if (id !== undefined && key !== undefined && server !== undefined) return { id, key, server };
  const stored = await findIdentity(options.files, folder);
  if (stored !== undefined && settings.enrol !== undefined) {
    options.log.info("This machine is enrolled already, the code is not used");
  }
  return stored;
}
