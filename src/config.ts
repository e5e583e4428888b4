/**
 * The environment as a checked, typed value. Pure: `loadConfig(env)` reads nothing else, and reports every problem at
 * once.
 */
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { type LogLevel, logLevels } from "./kit/observe/log.ts";
import { isPublicHttps } from "./kit/outbound/public-url.ts";
import { isPercentEncoded } from "./kit/text/percent-encoding.ts";
import { type SmtpSettings, parseSmtpUrl } from "./kit/mail/smtp-url.ts";

const serviceNames = ["monitor", "shop", "auth"] as const;
export type ServiceName = (typeof serviceNames)[number];

export interface Config {
  readonly host: string;
  readonly ports: Readonly<Record<ServiceName, number>>;
  readonly grpc: { readonly port: number; readonly tlsCertPath?: string; readonly tlsKeyPath?: string };
  readonly dataDir: string;
  /** The PostgreSQL database that holds everything in place of files; undefined keeps files. */
  readonly databaseUrl?: string;
  /** Where the processes of one install meet; undefined: each runs alone. */
  readonly nats?: { readonly url: string; readonly prefix: string; readonly caPath?: string };
  /** Administrator tokens given by the environment; a service's own one goes before the common one. */
  readonly adminTokens: Readonly<Partial<Record<ServiceName, string>>>;
  readonly authUrl: string;
  /** Where people reach the auth center, without a slash at its end; undefined when not told. */
  readonly authPublicUrl?: string;
  /** Seals what the auth center keeps; undefined: one is made in the data folder. */
  readonly authSecret?: string;
  /** Where people reach the shop, without a slash at its end; undefined when not told. */
  readonly shopPublicUrl?: string;
  /** Switches the demo payment of the shop on or off at the start; undefined leaves the setting as it is. */
  readonly shopDemo?: boolean;
  /** Seals what the shop keeps; undefined: one is made in the data folder. */
  readonly shopSecret?: string;
  /** Whether administrator tokens may come as query parameter. */
  readonly adminTokenInQuery: boolean;
  /** The server that mails go to, unless the settings name one. */
  readonly smtp?: SmtpSettings;
  /** Whether a mail server that the settings name may be on this machine or in a private network. */
  readonly smtpPrivate: boolean;
  /** Seals what the monitor keeps of channels; undefined: one is made in the data folder. */
  readonly monitorSecret?: string;
  /** Whether notices may go to this machine and to private networks. */
  readonly notifyPrivate: boolean;
  /** Where people reach the monitor, without a slash at its end; undefined when not told. */
  readonly publicUrl?: string;
  /** Where agents reach the gRPC listener, when that is not its own port in the clear or with its own TLS. */
  readonly publicGrpc?: { readonly address: string; readonly tls: boolean };
  /** Addresses and CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Whose pages may read each service. */
  readonly allowedOrigins: Readonly<Record<ServiceName, readonly string[]>>;
  readonly logLevel: LogLevel;
  readonly metricsPublic: boolean;
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

const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const port = (fallback: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/u, "takes a port number from 0 to 65535 (0 picks a free one)")
    .transform(Number)
    .refine((n) => n <= 65_535, "takes a port number from 0 to 65535 (0 picks a free one)")
    .default(fallback);

const onOrOff = z.enum(["0", "1"], "takes 1 (on) or 0 (off)").transform((text) => text === "1");
const flag = (fallback: "0" | "1") => onOrOff.prefault(fallback);

const adminToken = z
  .string()
  .min(16, "takes at least 16 characters; leave it out to have one made")
  .max(256, "takes at most 256 characters")
  .regex(/^[\u0021-\u007e]+$/u, "takes printable ASCII characters without spaces")
  .optional();

const sealingSecret = z
  .string()
  .min(32, "takes at least 32 characters; leave it out to have one made in DATA_DIR")
  .max(512, "takes at most 512 characters")
  .optional();

const webUrl = z.url({ protocol: /^https?$/u, error: "takes an address such as https://status.example.org" });
const publicUrl = webUrl.transform((url) => url.replace(/(?<!\/)\/+$/u, "")).optional();

/** "host:port", "tls://host:port" → where agents connect. */
const grpcAddress = z
  .string()
  .regex(
    /^(?:tls:\/\/)?(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):\d{1,5}$/u,
    "takes host:port, or tls://host:port when agents connect with TLS",
  )
  .transform((text) => ({ address: text.replace("tls://", ""), tls: text.startsWith("tls://") }))
  .refine(({ address }) => {
    const given = Number(address.slice(address.lastIndexOf(":") + 1));
    return given >= 1 && given <= 65_535;
  }, "takes host:port with a port number from 1 to 65535");

function isOrigin(text: string): boolean {
  return text === "*" || (URL.canParse(text) && new URL(text).origin === text && /^https?:/u.test(text));
}

function isAddressRange(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}

function isDatabaseUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(?:ql)?:$/u.test(new URL(text).protocol);
}

/** One server, or several of one cluster, comma separated; with TLS to all of them or to none. */
function isNatsUrl(text: string): boolean {
  const urls = list(text);
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url))) return false;
  const parsed = urls.map((url) => new URL(url));
  return parsed.every(
    ({ protocol, hostname, pathname, username, password }) =>
      /^(?:nats|tls):$/u.test(protocol) &&
      protocol === parsed[0]?.protocol &&
      hostname !== "" &&
      /^\/?$/u.test(pathname) &&
      isPercentEncoded(username) &&
      isPercentEncoded(password),
  );
}

const origins = z
  .string()
  .transform(list)
  .refine(
    (all) => all.every(isOrigin),
    "takes origins, comma separated, such as https://status.example.org, or * for all",
  );

const environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/u, "takes an address or a host name, such as 127.0.0.1 or 0.0.0.0")
    .default("127.0.0.1"),
  MONITOR_PORT: port(8080),
  SHOP_PORT: port(8081),
  AUTH_PORT: port(8082),
  GRPC_PORT: port(50_051),
  GRPC_TLS_CERT: z.string().optional(),
  GRPC_TLS_KEY: z.string().optional(),
  DATA_DIR: z.string().default("data"),
  ADMIN_TOKEN: adminToken,
  MONITOR_ADMIN_TOKEN: adminToken,
  SHOP_ADMIN_TOKEN: adminToken,
  AUTH_ADMIN_TOKEN: adminToken,
  DATABASE_URL: z
    .string()
    .refine(isDatabaseUrl, "takes an address such as postgres://user:password@host:5432/trivet")
    .optional(),
  NATS_URL: z
    .string()
    .refine(isNatsUrl, "takes an address such as nats://user:password@host:4222, or tls://host:4222")
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
      "takes an address such as smtp://user:password@mail.example.org:587?from=accounts@example.org",
    )
    .transform(parseSmtpUrl)
    .optional(),
  SMTP_PRIVATE: flag("0"),
  NOTIFY_PRIVATE: flag("0"),
  PUBLIC_URL: publicUrl,
  PUBLIC_GRPC: grpcAddress.optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform(list)
    .refine(
      (all) => all.every(isAddressRange),
      "takes addresses or CIDR ranges, comma separated, such as 127.0.0.1,10.0.0.0/8",
    )
    .default([]),
  ALLOWED_ORIGINS: origins.default([]),
  MONITOR_ALLOWED_ORIGINS: origins.optional(),
  SHOP_ALLOWED_ORIGINS: origins.optional(),
  AUTH_ALLOWED_ORIGINS: origins.optional(),
  LOG_LEVEL: z.enum(logLevels, `takes one of ${logLevels.join(", ")}`).default("info"),
  METRICS_PUBLIC: flag("0"),
  VIEWERS_PER_ADDRESS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/u, "takes a number from 1 to 99999")
    .transform(Number)
    .default(50),
});

/** The variables that {@link loadConfig} looks at. */
export const configVariables: readonly string[] = Object.keys(environment.shape);

function collectProblems(
  error: z.ZodError | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const problems = (error?.issues ?? []).map((issue) => `${issue.path.join(".")} ${issue.message}`);
  const cert = env["GRPC_TLS_CERT"] !== undefined;
  if (cert !== (env["GRPC_TLS_KEY"] !== undefined)) {
    problems.push(
      `${cert ? "GRPC_TLS_KEY" : "GRPC_TLS_CERT"} is missing: TLS takes a certificate and its key, both or none`,
    );
  }
  if (env["SHOP_DEMO"] === "1" && isPublicHttps(env["SHOP_PUBLIC_URL"] ?? ""))
    problems.push(
      "SHOP_DEMO switches on a payment with which nobody pays, and SHOP_PUBLIC_URL is a real shop's: unset one of them",
    );
  if (env["NATS_URL"] !== undefined && env["DATABASE_URL"] === undefined)
    problems.push(
      "DATABASE_URL is missing: processes that meet at NATS_URL share their records in PostgreSQL; set it, or unset NATS_URL",
    );
  return problems;
}

function toNats(env: z.infer<typeof environment>): Pick<Config, "nats"> {
  const { NATS_URL: url, NATS_PREFIX: prefix, NATS_CA: caPath } = env;
  if (url === undefined) return {};
  return { nats: { url, prefix, ...(caPath === undefined ? {} : { caPath }) } };
}

function toAdminTokens(env: z.infer<typeof environment>): Partial<Record<ServiceName, string>> {
  const own: Record<ServiceName, string | undefined> = {
    monitor: env.MONITOR_ADMIN_TOKEN ?? env.ADMIN_TOKEN,
    shop: env.SHOP_ADMIN_TOKEN ?? env.ADMIN_TOKEN,
    auth: env.AUTH_ADMIN_TOKEN ?? env.ADMIN_TOKEN,
  };
  const tokens: Partial<Record<ServiceName, string>> = {};
  for (const service of serviceNames) {
    const token = own[service];
    if (token !== undefined) tokens[service] = token;
  }
  return tokens;
}

/** Reads the configuration. An empty variable counts as absent. Throws {@link ConfigError} with every problem. */
export function loadConfig(rawEnv: Readonly<Record<string, string | undefined>>): Config {
  const env = Object.fromEntries(
    Object.entries(rawEnv).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = environment.safeParse(env);
  const problems = collectProblems(parsed.error, env);
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  const { data } = parsed;
  return {
    host: data.HOST,
    ports: { monitor: data.MONITOR_PORT, shop: data.SHOP_PORT, auth: data.AUTH_PORT },
    grpc: {
      port: data.GRPC_PORT,
      tlsCertPath: data.GRPC_TLS_CERT,
      tlsKeyPath: data.GRPC_TLS_KEY,
    },
    dataDir: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL,
    ...toNats(data),
    adminTokens: toAdminTokens(data),
    authUrl: data.AUTH_URL ?? `http://127.0.0.1:${data.AUTH_PORT}`,
    authPublicUrl: data.AUTH_PUBLIC_URL,
    authSecret: data.AUTH_SECRET,
    shopPublicUrl: data.SHOP_PUBLIC_URL,
    shopDemo: data.SHOP_DEMO,
    shopSecret: data.SHOP_SECRET,
    adminTokenInQuery: data.ADMIN_TOKEN_IN_QUERY,
    smtp: data.SMTP_URL,
    smtpPrivate: data.SMTP_PRIVATE,
    monitorSecret: data.MONITOR_SECRET,
    notifyPrivate: data.NOTIFY_PRIVATE,
    publicUrl: data.PUBLIC_URL,
    publicGrpc: data.PUBLIC_GRPC,
    trustedProxies: data.TRUSTED_PROXIES,
    allowedOrigins: {
      monitor: data.MONITOR_ALLOWED_ORIGINS ?? data.ALLOWED_ORIGINS,
      shop: data.SHOP_ALLOWED_ORIGINS ?? data.ALLOWED_ORIGINS,
      auth: data.AUTH_ALLOWED_ORIGINS ?? data.ALLOWED_ORIGINS,
    },
    logLevel: data.LOG_LEVEL,
    metricsPublic: data.METRICS_PUBLIC,
    viewersPerAddress: data.VIEWERS_PER_ADDRESS,
  };
}
