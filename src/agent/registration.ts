/**
 * As whom this machine reports, where, and with what encryption. Hidden here: that it comes from the
 * command line, from what an earlier start kept or from a code, and which of them wins.
 */
import type { Log } from "../kit/log.ts";
import { classifyAddress } from "../kit/outbound-address.ts";
import type { FileLayer } from "../store/file-layer.ts";
import { readAuthorities } from "./authorities.ts";
import { enrol } from "./enrol.ts";
import type { StoredIdentity } from "./identity.ts";
import { findIdentity, saveIdentity } from "./identity.ts";
import type { AgentSettings } from "./options.ts";

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
  settings: AgentSettings & { readonly enrol: NonNullable<AgentSettings["enrol"]> },
  options: RegistrationOptions & { readonly ca: string | undefined },
): Promise<StoredIdentity> {
  const { server, tls } = settings;
  // The text, not the path: it stays right when the file moves or a service manager hides it.
  const ca = options.ca === undefined ? {} : { ca: options.ca };
  const answer = await enrol({
    ...settings.enrol,
    ...ca,
    hostname: options.hostname,
    ...(server === undefined ? {} : { server }),
  });
  const fresh = { ...answer, tls: tls ?? answer.tls ?? false, ...ca };
  await saveIdentity(options.files, settings.folder, fresh);
  options.log.info("Enrolled", { id: fresh.id, server: fresh.server, tls: fresh.tls });
  return fresh;
}

/** Says at each start that the agent key crosses networks in the clear. */
function warnOfClearText({ server, tls }: Registration, log: Log): void {
  const host = server.replace(/:\d+$/u, "").replace(/^\[|\]$/gu, "");
  if (tls !== undefined || host === "localhost" || classifyAddress(host) === "private") return;
  log.warn("The connection is not encrypted, others on the way can read the agent key: use --tls", {
    server,
  });
}

/** Finds out who this machine is; enrols it when it has a code and no identity yet. @throws Error with what to do */
export async function loadRegistration(
  settings: AgentSettings,
  options: RegistrationOptions,
): Promise<Registration> {
  const registration = await findRegistration(settings, options);
  warnOfClearText(registration, options.log);
  return registration;
}

async function findRegistration(
  settings: AgentSettings,
  options: RegistrationOptions,
): Promise<Registration> {
  const { id, key, server, folder } = settings;
  const ca = settings.caFile === undefined ? undefined : await readAuthorities(settings.caFile);
  if (id !== undefined && key !== undefined && server !== undefined) {
    return toRegistration({ id, key, server }, settings, ca);
  }
  const stored = await findIdentity(options.files, folder);
  if (stored !== undefined) {
    if (settings.enrol !== undefined) {
      options.log.info("This machine is enrolled already, the code is not used");
    }
    return toRegistration(stored, settings, ca);
  }
  if (settings.enrol === undefined) {
    throw new Error(
      "Who this machine is stands nowhere: give --server, --id and --key, or --enrol and --url",
    );
  }
  const fresh = await enrolAndKeep({ ...settings, enrol: settings.enrol }, { ...options, ca });
  return toRegistration(fresh, settings, ca);
}
