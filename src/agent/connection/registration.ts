/** As whom this machine reports, where, and with what encryption. */
import type { Log } from "../../kit/observe/log.ts";
import type { FileLayer } from "../../kit/files/file-layer.ts";
import { textOf } from "../../kit/thrown.ts";
import { readAuthorities } from "./authorities.ts";
import { hashSecret } from "../../kit/secrets/admin-token.ts";
import { EnrolError, type EnrolOptions, enrol } from "./enrol.ts";
import { type StoredIdentity, findIdentity, saveIdentity } from "../identity.ts";
import type { AgentSettings } from "../options.ts";
import { type LookUp, findPlace } from "./own-network.ts";
import { findSystemAuthorities, withRuntimeAuthorities } from "./system-authorities.ts";

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
  /** Files of the system's authorities. Default: where the usual systems have them. */
  readonly systemBundles?: readonly string[] | undefined;
  /** Called when a code other than the one that enrolled this machine changed nothing. */
  readonly onKeyUnused?: (reason: string) => void;
}

/** Whether to encrypt: what --ca implies gives way to what the monitor said when the machine enrolled with it. */
function usesTls(kept: StoredIdentity, { tls, isTlsByCa }: AgentSettings): boolean {
  if (isTlsByCa && kept.ca !== undefined) return kept.tls ?? true;
  return tls ?? kept.tls ?? false;
}

/** The command line overrides the stored registration, but a missing option never disables encryption. */
async function toRegistration(
  kept: StoredIdentity,
  settings: AgentSettings,
  {
    ca,
    systemBundles,
  }: { readonly ca: string | undefined; readonly systemBundles?: readonly string[] | undefined },
): Promise<Registration> {
  const { id, key } = kept;
  const server = settings.server ?? kept.server;
  if (!usesTls(kept, settings)) return { id, key, server };
  const given = ca ?? kept.ca;
  const added =
    given === undefined && kept.authorities === "system"
      ? await findSystemAuthorities(systemBundles)
      : undefined;
  const authority = added === undefined ? given : withRuntimeAuthorities(added);
  return { id, key, server, tls: authority === undefined ? {} : { ca: authority } };
}

/** Enrols; where the certificate is unknown, once more with what the system trusts besides. */
async function enrolTrusting(
  options: EnrolOptions,
  systemBundles: readonly string[] | undefined,
): Promise<{ readonly answer: Awaited<ReturnType<typeof enrol>>; readonly authorities?: "system" }> {
  try {
    return { answer: await enrol(options) };
  } catch (error) {
    const isUntrusted = error instanceof EnrolError && error.failure === "certificate";
    const added =
      isUntrusted && options.ca === undefined ? await findSystemAuthorities(systemBundles) : undefined;
    if (added === undefined) throw error;
    // The first error has the advice that fits when this one fails alike.
    const answer = await enrol({ ...options, ca: added }).catch((second: unknown) => {
      throw second instanceof EnrolError && second.failure === "certificate" ? error : second;
    });
    return { answer, authorities: "system" };
  }
}

/** Exchanges the code and keeps what came of it. */
async function enrolAndKeep(
  settings: AgentSettings & { readonly enrol: NonNullable<AgentSettings["enrol"]> },
  options: RegistrationOptions & {
    readonly ca: string | undefined;
    readonly present?: StoredIdentity | undefined;
  },
): Promise<StoredIdentity> {
  const { server, tls, isTlsByCa, insecure = false } = settings;
  const { present } = options;
  // The text, not the path: it stays right when the file moves or a service manager hides it.
  const ca = options.ca === undefined ? {} : { ca: options.ca };
  const { answer, authorities } = await enrolTrusting(
    {
      ...settings.enrol,
      ...ca,
      hostname: options.hostname,
      present: present && { id: present.id, key: present.key },
      insecure,
      lookUp: options.lookUp,
      ...(server === undefined ? {} : { server }),
    },
    options.systemBundles,
  );
  if (present !== undefined && present.id === answer.id && present.key === answer.key) return present;
  const fresh: StoredIdentity = {
    ...answer,
    tls: (isTlsByCa ? (answer.tls ?? true) : (tls ?? answer.tls)) ?? false,
    ...ca,
    ...(authorities === undefined ? {} : { authorities }),
    codeHash: hashSecret(settings.enrol.code),
    insecure,
  };
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
    throw new EnrolError(
      "privacy",
      `The connection to "${server}" may leave your own network unencrypted, and others on the way can read ` +
        "the agent key. Start with --tls (TRIVET_TLS=1), or with --insecure (TRIVET_INSECURE=1) to accept the risk",
    );
  }
  options.log.warn("The connection is not encrypted: others on the way can read the agent key. Use --tls", {
    server,
  });
}

/** Finds out who this machine is; exchanges the code when there is one. @throws Error with what to do */
export async function loadRegistration(
  settings: AgentSettings,
  options: RegistrationOptions,
): Promise<Registration> {
  const ca = settings.caFile === undefined ? undefined : await readAuthorities(settings.caFile);
  const { identity, isFresh } = await findIdentityOf(settings, { ...options, ca });
  const registration = await toRegistration(identity, settings, { ca, systemBundles: options.systemBundles });
  const insecure = settings.insecure ?? identity.insecure;
  await assertPrivate(registration, { ...options, insecure, isFresh });
  return registration;
}

/**
 * The identity from the command line, from the code, or from an earlier start: in this order. Units keep a used-up
 * code for years, so an expired key must not stop the agent.
 */
async function findIdentityOf(
  settings: AgentSettings,
  options: RegistrationOptions & { readonly ca: string | undefined },
): Promise<{ readonly identity: StoredIdentity; readonly isFresh: boolean }> {
  const { id, key, server, folder, enrol: code } = settings;
  if (id !== undefined && key !== undefined && server !== undefined)
    return { identity: { id, key, server }, isFresh: false };
  const present = await findIdentity(options.files, folder);
  if (code === undefined) {
    if (present !== undefined) return { identity: present, isFresh: false };
    throw new Error("This machine is not enrolled yet. Use --enrol and --url, or --server, --id and --key");
  }
  try {
    const identity = await enrolAndKeep({ ...settings, enrol: code }, { ...options, present });
    return { identity, isFresh: true };
  } catch (error) {
    if (present === undefined) throw error;
    // The code of this very identity is used up: nothing to tell at each start.
    if (present.codeHash !== hashSecret(code.code)) {
      options.onKeyUnused?.(textOf(error));
      options.log.info(
        "The enrollment key was already used by this machine; continuing with the existing identity",
        {
          id: present.id,
          reason: textOf(error),
        },
      );
    }
    return { identity: present, isFresh: false };
  }
}
