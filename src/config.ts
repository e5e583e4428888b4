/**
 * The environment as a checked, typed value. Reads nothing else but the files of secrets that it names, and reports every
 * problem at once.
 */
import {
  type ServiceName,
  forEachService,
  serviceNames,
  serviceTraits,
  toOwnVariable,
} from "./kit/services.ts";
import { z } from "zod";
import { type LogLevel, logLevels } from "./kit/observe/log.ts";
import { readSecretFiles } from "./kit/secrets/secrets-from-files.ts";
import { isPublicHttps } from "./kit/outbound/public-url.ts";
import { type SmtpSettings, parseSmtpUrl } from "./kit/mail/smtp-url.ts";
import { toSocketUrl } from "./kit/outbound/unix-socket.ts";
import { type SocketAddress, isSocketAddress } from "./kit/text/socket-address.ts";
import { type Place, findPlaceProblems, toLocalHost, toPlace, toSharedPath } from "./kit/outbound/places.ts";
import {
  list,
  anyPort,
  fileMode,
  port,
  portOrOff,
  onOrOff,
  flag,
  adminToken,
  sealingSecret,
  webUrl,
  webUrlOrOff,
  publicUrl,
  grpcAddress,
  hostsWithPorts,
  isProxyAddress,
  isDatabaseUrl,
  isNatsUrl,
  origins,
  securityContacts,
} from "./kit/text/variables.ts";

export interface Config {
  readonly host: string;
  /** "off": reached by the gateway alone. */
  readonly ports: Readonly<Record<ServiceName, number | SocketAddress | "off">>;
  /** Permissions of Unix sockets. */
  readonly socketMode: number;
  /** The port that serves all services by host name and path. */
  readonly gatewayPort?: number | SocketAddress;
  /** Where people reach each service. */
  readonly places: Readonly<Record<ServiceName, Place>>;
  readonly grpc: {
    readonly port: number | SocketAddress;
    readonly tlsCertPath?: string;
    readonly tlsKeyPath?: string;
  };
  readonly dataDir: string;
  /** Where backups go, how often they are made (0: only when asked for), how many stay, whether they have the sealing keys, and whom they are sealed to; undefined makes none. */
  readonly backups?: {
    readonly folder: string;
    readonly everyHours: number;
    readonly keep: number;
    readonly keys: boolean;
    /** age recipients that backups are sealed to; empty: not sealed. */
    readonly recipients: readonly string[];
  };
  /** How often all stored data is read through and compared with its checksums, in hours; 0: never. */
  readonly scrubEveryHours: number;
  /** The PostgreSQL database that holds everything in place of files; undefined keeps files. */
  readonly databaseUrl?: string;
  /** Where the processes of one install meet; undefined: each runs alone. */
  readonly nats?: { readonly url: string; readonly prefix: string; readonly caPath?: string };
  /** Administrator tokens given by the environment; a service's own one goes before the common one. */
  readonly adminTokens: Readonly<Partial<Record<ServiceName, string>>>;
  readonly authUrl: string;
  /** Whether an address of the auth center is set, and not the usual one on this machine. */
  readonly isAuthNamed: boolean;
  /** Where people reach the auth center, without a slash at its end; undefined when not told. */
  readonly authPublicUrl?: string;
  /** Seals what each service keeps; undefined: one is created in the data folder. */
  readonly secrets: Readonly<Record<ServiceName, string | undefined>>;
  /** Where people reach the shop, without a slash at its end; undefined when not told. */
  readonly shopPublicUrl?: string;
  /** Switches the demo payment of the shop on or off at the start; undefined leaves the setting as it is. */
  readonly shopDemo?: boolean;
  /** Whether administrator tokens may come as query parameter. */
  readonly adminTokenInQuery: boolean;
  /** The server that mails go to, unless the settings name one. */
  readonly smtp?: SmtpSettings;
  /** Whether a mail server that the settings name may be on this machine or in a private network. */
  readonly smtpPrivate: boolean;
  /** Whether a provider that people sign in by may be on this machine or in a private network. */
  readonly upstreamPrivate: boolean;
  /** Whether notices may go to this machine and to private networks. */
  readonly notifyPrivate: boolean;
  /** Whether checks may ask targets on this machine and in private networks. */
  readonly checksPrivate: boolean;
  /** Hosts that answer while the monitor's own network is there. */
  readonly checkAnchors: readonly { readonly host: string; readonly port: number }[];
  /** With it, `/ping/<key>/<slug>` names heartbeats. */
  readonly pingKey?: string;
  /** Where people reach the monitor, without a slash at its end; undefined when not told. */
  readonly publicUrl?: string;
  /** Where agents reach the gRPC listener, when that is not its own port in the clear or with its own TLS. */
  readonly publicGrpc?: { readonly address: string; readonly tls: boolean };
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed; "unix": those at Unix sockets. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may read each service. */
  readonly allowedOrigins: Readonly<Record<ServiceName, readonly string[]>>;
  readonly logLevel: LogLevel;
  readonly metricsPublic: boolean;
  /** Whether requests that change something are rejected, for a public demo. */
  readonly readOnly: boolean;
  /** Where to check once a day for a newer version; undefined: no check. */
  readonly updateCheck?: string;
  /** Contacts for vulnerability reports, as URIs; empty: none. */
  readonly securityContacts: readonly string[];
  /** Sockets of the live feed that one address may have. */
  readonly viewersPerAddress: number;
}

/** The start's refusal: one line a problem, each naming the variable and what it takes. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The environment has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}`);
    this.problems = problems;
  }
}

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/u, "takes an IP address or a host name, such as 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  MONITOR_PORT: portOrOff(serviceTraits.monitor.port),
  SHOP_PORT: portOrOff(serviceTraits.shop.port),
  AUTH_PORT: portOrOff(serviceTraits.auth.port),
  GATEWAY_PORT: anyPort.optional(),
  GRPC_PORT: port(50_051),
  SOCKET_MODE: fileMode.prefault("660"),
  GRPC_TLS_CERT: z.string().optional(),
  GRPC_TLS_KEY: z.string().optional(),
  DATA_DIR: z.string().default("data"),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY: z
    .string()
    .regex(/^\d{1,4}$/u, "takes a number of hours from 0 to 9999 (0: only on request)")
    .transform(Number)
    .default(24),
  BACKUP_KEEP: z
    .string()
    .regex(/^[1-9]\d{0,2}$/u, "takes a number of backups from 1 to 999")
    .transform(Number)
    .default(7),
  BACKUP_KEYS: flag("0"),
  BACKUP_RECIPIENTS: z
    .string()
    .transform(list)
    .refine(
      (all) => all.every((one) => /^age1[a-z0-9]{50,3000}$/u.test(one)),
      "takes age recipients, comma separated, such as age1… from age-keygen",
    )
    .default([]),
  SCRUB_EVERY: z
    .string()
    .regex(/^\d{1,4}$/u, "takes a number of hours from 0 to 9999 (0: never)")
    .transform(Number)
    .default(24),
  ADMIN_TOKEN: adminToken,
  MONITOR_ADMIN_TOKEN: adminToken,
  SHOP_ADMIN_TOKEN: adminToken,
  AUTH_ADMIN_TOKEN: adminToken,
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, "takes a URL such as postgres://user:password@host:5432/trivet")
    .optional(),
  NATS_URL: z
    .string()
    .refine(isNatsUrl, "takes a URL such as nats://user:password@host:4222, or tls://host:4222")
    .optional(),
  NATS_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,32}$/u, 'takes at most 32 letters, digits, "_" and "-"')
    .default("trivet"),
  NATS_CA: z.string().optional(),
  AUTH_URL: webUrl.optional(),
  AUTH_PUBLIC_URL: publicUrl,
  AUTH_SECRET: sealingSecret,
  MONITOR_SECRET: sealingSecret,
  SHOP_SECRET: sealingSecret,
  SHOP_PUBLIC_URL: publicUrl,
  SHOP_DEMO: onOrOff.optional(),
  ADMIN_TOKEN_IN_QUERY: flag("1"),
  SMTP_URL: z
    .string()
    .refine(
      (text) => parseSmtpUrl(text) !== undefined,
      "takes a URL such as smtp://user:password@mail.example.org:587?from=accounts@example.org",
    )
    .transform(parseSmtpUrl)
    .optional(),
  SMTP_PRIVATE: flag("0"),
  UPSTREAM_PRIVATE: flag("0"),
  NOTIFY_PRIVATE: flag("0"),
  CHECKS_PRIVATE: flag("0"),
  CHECK_ANCHORS: hostsWithPorts,
  PING_KEY: z
    .string()
    .regex(/^[A-Za-z0-9_-]{16,64}$/u, "takes 16 to 64 letters, digits, - and _")
    .optional(),
  PUBLIC_URL: publicUrl,
  PUBLIC_GRPC: grpcAddress.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(list)
    .refine(
      (all) => all.every(isProxyAddress),
      "takes addresses or CIDR ranges, comma separated, such as 127.0.0.1,10.0.0.0/8, or unix for the clients of Unix sockets",
    )
    .default([]),
  ALLOWED_ORIGINS: origins.default([]),
  MONITOR_ALLOWED_ORIGINS: origins.optional(),
  SHOP_ALLOWED_ORIGINS: origins.optional(),
  AUTH_ALLOWED_ORIGINS: origins.optional(),
  LOG_LEVEL: z.enum(logLevels, `takes one of ${logLevels.join(", ")}`).default("info"),
  METRICS_PUBLIC: flag("0"),
  READ_ONLY: flag("0"),
  UPDATE_CHECK: webUrlOrOff,
  SECURITY_CONTACT: securityContacts,
  VIEWERS_PER_ADDRESS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/u, "takes a number from 1 to 99999")
    .transform(Number)
    .default(50),
});

/** The variables that {@link loadConfig} looks at; files of secrets come on top. */
export const configVariables: readonly string[] = Object.keys(environment.shape);

function collectProblems(
  error: z.ZodError | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const problems = (error?.issues ?? []).map((issue) => `${issue.path.join(".")} ${issue.message}`);
  const cert = env["GRPC_TLS_CERT"] !== undefined;
  if (cert !== (env["GRPC_TLS_KEY"] !== undefined)) {
    problems.push(
      `${cert ? "GRPC_TLS_KEY" : "GRPC_TLS_CERT"} is not set: TLS requires both a certificate and its key`,
    );
  }
  const inside = (folder: string): string => `${folder.replace(/(?<!\/)\/+$/u, "")}/`;
  if (inside(env["BACKUP_DIR"] ?? "").startsWith(inside(env["DATA_DIR"] ?? "data")))
    problems.push("BACKUP_DIR takes a folder outside DATA_DIR, preferably on another disk");
  if (env["NATS_URL"] !== undefined && env["DATABASE_URL"] === undefined)
    problems.push(
      "DATABASE_URL is not set: processes connected by NATS_URL share their records in PostgreSQL. Set DATABASE_URL, or unset NATS_URL",
    );
  return problems;
}

/** What listens on Unix sockets can be reached through a proxy alone, so that its public address must be known. */
function findSocketProblems(env: z.infer<typeof environment>, places: Config["places"]): string[] {
  const sockets = [
    ...serviceNames.map((service) => [toOwnVariable(service, "PORT"), env[toOwnVariable(service, "PORT")]]),
    ["GATEWAY_PORT", env.GATEWAY_PORT],
    ["GRPC_PORT", env.GRPC_PORT],
  ].filter(([, place]) => isSocketAddress(place));
  const problems = sockets
    .filter(([, place], index) => sockets.findIndex(([, other]) => other === place) !== index)
    .map(
      ([variable, place]) =>
        `${String(variable)} is the same Unix socket as another variable: ${String(place)}`,
    );
  for (const service of serviceNames) {
    const isOnSocket =
      isSocketAddress(env.GATEWAY_PORT) || isSocketAddress(env[toOwnVariable(service, "PORT")]);
    if (isOnSocket && places[service].url === undefined)
      problems.push(
        `${serviceTraits[service].publicUrl} is not set: people reach a service on a Unix socket only through a proxy, at this URL`,
      );
  }
  if (isSocketAddress(env.GRPC_PORT) && env.PUBLIC_GRPC === undefined)
    problems.push("PUBLIC_GRPC is not set: agents reach a Unix socket only through a proxy, at this address");
  return problems;
}

/** Where people reach the services, and how this machine does. Throws {@link ConfigError}. */
function toAddresses(env: z.infer<typeof environment>) {
  const { GATEWAY_PORT: gatewayPort, PUBLIC_URL: root } = env;
  const isShared = gatewayPort !== undefined;
  /** Behind one port, services without a URL are below the monitor's. */
  const placeOf = (url: string | undefined, path: string): Place => {
    if (!isShared) return toPlace(url, "");
    return toPlace(url ?? (root === undefined ? undefined : root + path), path);
  };
  const places = forEachService((service) => {
    const { publicUrl: variable, path } = serviceTraits[service];
    return placeOf(env[variable], path);
  });
  const named = serviceNames.map((service) => [serviceTraits[service].publicUrl, places[service]] as const);
  const problems = [...findPlaceProblems(named, { isShared }), ...findSocketProblems(env, places)];
  const ports = forEachService((service) => env[toOwnVariable(service, "PORT")]);
  if (!isShared && Object.values(ports).includes("off"))
    problems.push(
      "GATEWAY_PORT is not set: a service whose port is off can only be reached through the gateway",
    );
  // A read-only shop takes no orders.
  if (env.SHOP_DEMO === true && !env.READ_ONLY && isPublicHttps(places.shop.url ?? ""))
    problems.push(
      "SHOP_DEMO enables demo payments, which are free, but SHOP_PUBLIC_URL is the URL of a real shop. Unset one of them",
    );
  if (problems.length > 0) throw new ConfigError(problems);
  return { host: env.HOST, ports, socketMode: env.SOCKET_MODE, gatewayPort, places };
}

/** Where the shop asks, unless told: on this machine, never by the public address, whose proxy or authority may be unknown here. */
function toAuthUrl({
  host,
  ports,
  gatewayPort,
  places,
}: Pick<Config, "host" | "ports" | "gatewayPort" | "places">): string {
  const isOff = ports.auth === "off";
  const place = ports.auth === "off" ? gatewayPort : ports.auth;
  const path = isOff ? toSharedPath(places, "auth") : "";
  if (isSocketAddress(place)) return toSocketUrl(place, path);
  return `http://${toLocalHost(host)}:${place}${path}`;
}

function toNats(env: z.infer<typeof environment>): Pick<Config, "nats"> {
  const { NATS_URL: url, NATS_PREFIX: prefix, NATS_CA: caPath } = env;
  if (url === undefined) return {};
  return { nats: { url, prefix, ...(caPath === undefined ? {} : { caPath }) } };
}

function toAdminTokens(env: z.infer<typeof environment>): Partial<Record<ServiceName, string>> {
  const tokens: Partial<Record<ServiceName, string>> = {};
  for (const service of serviceNames) {
    const token = env[toOwnVariable(service, "ADMIN_TOKEN")] ?? env.ADMIN_TOKEN;
    if (token !== undefined) tokens[service] = token;
  }
  return tokens;
}

function toBackups(env: z.infer<typeof environment>): Pick<Config, "backups"> {
  const { BACKUP_DIR: folder, BACKUP_EVERY: everyHours, BACKUP_KEEP: keep, BACKUP_KEYS: keys } = env;
  const recipients = env.BACKUP_RECIPIENTS;
  return folder === undefined ? {} : { backups: { folder, everyHours, keep, keys, recipients } };
}

/** Reads the configuration. An empty variable counts as absent. Throws {@link ConfigError} with every problem. */
export function loadConfig(rawEnv: Readonly<Record<string, string | undefined>>): Config {
  const secrets = readSecretFiles(rawEnv);
  const env = Object.fromEntries(
    Object.entries(secrets.variables).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environment.safeParse(env);
  const problems = [...secrets.problems, ...collectProblems(parsed.error, env)];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const { data } = parsed;
  const addresses = toAddresses(data);
  const { places } = addresses;
  return {
    ...addresses,
    grpc: {
      port: data.GRPC_PORT,
      tlsCertPath: data.GRPC_TLS_CERT,
      tlsKeyPath: data.GRPC_TLS_KEY,
    },
    dataDir: data.DATA_DIR,
    ...toBackups(data),
    scrubEveryHours: data.SCRUB_EVERY,
    databaseUrl: data.DATABASE_URL,
    ...toNats(data),
    adminTokens: toAdminTokens(data),
    authUrl: data.AUTH_URL ?? toAuthUrl(addresses),
    isAuthNamed: data.AUTH_URL !== undefined || data.AUTH_PUBLIC_URL !== undefined,
    authPublicUrl: places.auth.url,
    secrets: forEachService((service) => data[toOwnVariable(service, "SECRET")]),
    shopPublicUrl: places.shop.url,
    shopDemo: data.SHOP_DEMO,
    adminTokenInQuery: data.ADMIN_TOKEN_IN_QUERY,
    smtp: data.SMTP_URL,
    smtpPrivate: data.SMTP_PRIVATE,
    upstreamPrivate: data.UPSTREAM_PRIVATE,
    notifyPrivate: data.NOTIFY_PRIVATE,
    checksPrivate: data.CHECKS_PRIVATE,
    checkAnchors: data.CHECK_ANCHORS,
    pingKey: data.PING_KEY,
    publicUrl: places.monitor.url,
    publicGrpc: data.PUBLIC_GRPC,
    trustedProxies: data.TRUSTED_PROXIES,
    allowedOrigins: forEachService(
      (service) => data[toOwnVariable(service, "ALLOWED_ORIGINS")] ?? data.ALLOWED_ORIGINS,
    ),
    logLevel: data.LOG_LEVEL,
    metricsPublic: data.METRICS_PUBLIC,
    readOnly: data.READ_ONLY,
    updateCheck: data.UPDATE_CHECK,
    securityContacts: data.SECURITY_CONTACT,
    viewersPerAddress: data.VIEWERS_PER_ADDRESS,
  };
}
