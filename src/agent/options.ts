/** The agent's command line and environment. */
import { parseArgs } from "node:util";
import { codeOf } from "../kit/thrown.ts";
import { parseNameFilter } from "../kit/text/name-filter.ts";
import { type NameLists, listNames, noLists } from "./name-filter.ts";

export interface AgentSettings {
  readonly command: "run" | "once" | "help" | "version";
  /** "host:port", when given. */
  readonly server: string | undefined;
  readonly id: string | undefined;
  readonly key: string | undefined;
  /** How the machine calls itself; undefined: by its host name. */
  readonly name: string | undefined;
  readonly enrol: { readonly code: string; readonly url: string } | undefined;
  readonly intervalMs: number;
  readonly folder: string;
  /** Where a container sees the machine's "/". */
  readonly root: string | undefined;
  /** The socket of Docker or Podman; undefined: containers are not looked at. */
  readonly containersSocket: string | undefined;
  /** The file of the checks that this machine runs. */
  readonly checksFile: string;
  /** Included and excluded names, and the watched units. */
  readonly lists: NameLists;
  /** Where programs of the machine leave values of their own. */
  readonly extraFolder: string;
  /** Whether the stream is encrypted; undefined when nothing was said of it. */
  readonly tls: boolean | undefined;
  /** `tls` was not said, but follows from `caFile`. */
  readonly isTlsByCa: boolean;
  /** Path of a PEM file with the authorities to trust, for the stream and for `enrol`. */
  readonly caFile: string | undefined;
  /** Whether code and key may leave the own network unencrypted; undefined when nothing was said of it. */
  readonly insecure: boolean | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type ParsedSettings =
  | { readonly ok: true; readonly settings: AgentSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

export const helpText = `Trivet agent: reports the state of this machine to a Trivet monitor.

  trivet-agent --enrol KEY --url https://HOST
  trivet-agent --server HOST:PORT --id ID --key KEY

  --server HOST:PORT  gRPC address of the monitor (TRIVET_SERVER)
  --id ID             server ID of this machine (TRIVET_ID)
  --key KEY           agent key of the server (prefer TRIVET_KEY: other users can see options in ps)
  --enrol KEY         exchange an enrollment key from "Add server" for an ID and an agent key, which are
                      stored in the data folder (TRIVET_ENROL)
  --url URL           HTTP URL of the monitor, for --enrol (TRIVET_URL)
  --name NAME         display name of the machine (default: host name, TRIVET_NAME)
  --interval SECONDS  interval between reports, 1 to 300 (default 3, TRIVET_INTERVAL)
  --data FOLDER       data folder, with the identity and unsent reports (TRIVET_DATA)
  --root FOLDER       in a container: mount point of the machine's "/" (TRIVET_ROOT)
  --containers SOCKET report containers of Docker or Podman: /var/run/docker.sock, /run/podman/podman.sock.
                      Anyone with access to that socket is root on this machine (TRIVET_CONTAINERS)
  --extra FOLDER      folder where other programs write custom values as JSON files (default: extra.d in the data
                      folder, TRIVET_EXTRA)
  --mounts LIST       mounts to report in addition to the usual disks, or to exclude with "!": "/mnt/nas,!/mnt/backup*"
                      ("*" matches any characters, the last match decides; TRIVET_MOUNTS)
  --interfaces LIST   the same for network interfaces: "wg0", or "!*,eth0" for eth0 only (TRIVET_INTERFACES)
  --sensors LIST      the same for temperature sensors by name: "!nvme*" (TRIVET_SENSORS)
  --container-names LIST  the same for containers: "!tmp-*" (TRIVET_CONTAINER_NAMES)
  --units LIST        systemd units to watch: "nginx,postgresql@*" (TRIVET_UNITS). The monitor can set these five lists
                      too; the lists of this machine take precedence
  --checks FILE       check file of this machine, as shown by the monitor (default: checks.json in the data
                      folder, TRIVET_CHECKS); reloaded when it changes
  --tls, --no-tls     encrypt the connection or not (default: as received at --enrol, TRIVET_TLS=1, 0)
  --ca FILE           PEM file with the certificate authority of the monitor, also for an https --url. Implies --tls
                      unless --enrol received otherwise (TRIVET_CA). System authorities are trusted too
  --insecure          allow the enrollment key and agent key to leave your own network unencrypted, where others on
                      the way can read them (TRIVET_INSECURE=1)
  --once              run every check once, print one report and exit
  --version           print the version and exit
  --help              print this help

After the enrollment, only the data folder is needed to start.`;

const argOptions = {
  server: { type: "string" },
  id: { type: "string" },
  key: { type: "string" },
  enrol: { type: "string" },
  url: { type: "string" },
  interval: { type: "string" },
  data: { type: "string" },
  root: { type: "string" },
  containers: { type: "string" },
  extra: { type: "string" },
  mounts: { type: "string" },
  interfaces: { type: "string" },
  sensors: { type: "string" },
  "container-names": { type: "string" },
  units: { type: "string" },
  checks: { type: "string" },
  tls: { type: "boolean" },
  "no-tls": { type: "boolean" },
  ca: { type: "string" },
  insecure: { type: "boolean" },
  name: { type: "string" },
  once: { type: "boolean" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** The folder for state: what systemd gives, the system's for root, the user's otherwise. */
function defaultFolder(env: Environment, isRoot: boolean): string {
  const given = env["STATE_DIRECTORY"]?.split(":")[0];
  if (given !== undefined && given !== "") return given;
  if (isRoot) return "/var/lib/trivet-agent";
  const state = env["XDG_STATE_HOME"] ?? `${env["HOME"] ?? env["USERPROFILE"] ?? "."}/.local/state`;
  return `${state}/trivet-agent`;
}

function isAddress(text: string): boolean {
  const port = /^(?:\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9._-]+):(\d{1,5})$/u.exec(text)?.[1];
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
}

function readValues(args: readonly string[]): ReturnType<typeof parseStrictly> | string {
  try {
    return parseStrictly(args);
  } catch (error) {
    // Its text names the option and never the value, but for a stray word, which could be a key.
    const isStray = codeOf(error) === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL";
    if (isStray) return "Unexpected value without an option. See --help";
    const text = error instanceof Error ? (error.message.split(/[.\n]/u)[0] ?? "") : String(error);
    return `${text}: see --help`;
  }
}

function parseStrictly(args: readonly string[]) {
  return parseArgs({ args: [...args], options: argOptions, strict: true, allowPositionals: false }).values;
}

/** The text of a variable that switches something; "" when it says nothing. */
function readSwitch(env: Environment, { name, problems }: { name: string; problems: string[] }): string {
  const given = env[name] ?? "";
  if (!["", "0", "1"].includes(given)) problems.push(`${name} takes 1 (on) or 0 (off)`);
  return given;
}

function saysTls(values: ReturnType<typeof parseStrictly>, env: Environment): boolean {
  return values.tls === true || ((values.ca ?? "") === "" && (env["TRIVET_TLS"] ?? "") !== "");
}

/** Encryption settings; the command line takes precedence, and --ca on it implies encryption. */
function readTls(
  values: ReturnType<typeof parseStrictly>,
  env: Environment,
  problems: string[],
): boolean | undefined {
  const given = readSwitch(env, { name: "TRIVET_TLS", problems });
  if (values.tls === true && values["no-tls"] === true)
    problems.push("--tls and --no-tls cannot be combined. Use one of them");
  if (values["no-tls"] === true) return false;
  if (values.tls === true || (values.ca ?? "") !== "") return true;
  if (given !== "") return given === "1";
  return (env["TRIVET_CA"] ?? "") === "" ? undefined : true;
}

function toCommand(values: ReturnType<typeof parseStrictly>): AgentSettings["command"] {
  for (const command of ["help", "version", "once"] as const) if (values[command] === true) return command;
  return "run";
}

function readLists(
  values: ReturnType<typeof parseStrictly>,
  env: Environment,
  problems: string[],
): NameLists {
  const lists = { ...noLists };
  for (const name of listNames) {
    // --containers names the socket.
    const option = name === "containers" ? "container-names" : name;
    const text = values[option] ?? env[`TRIVET_${option.toUpperCase().replace("-", "_")}`] ?? "";
    if (text !== "" && parseNameFilter(text) === undefined)
      problems.push(
        `--${option} takes names separated by commas, with "!" before names to exclude, not "${text}"`,
      );
    lists[name] = text;
  }
  return lists;
}

/** Reads options before environment variables. `isRoot` chooses the default data folder. */
export function parseAgentSettings(
  args: readonly string[],
  env: Environment,
  isRoot = false,
): ParsedSettings {
  const values = readValues(args);
  if (typeof values === "string") return { ok: false, problems: [values] };
  const problems: string[] = [];
  const get = (option: string | undefined, variable: string): string | undefined => {
    const text = option ?? env[variable];
    return text === undefined || text === "" ? undefined : text;
  };
  const server = get(values.server, "TRIVET_SERVER");
  if (server !== undefined && !isAddress(server))
    problems.push(`--server must be HOST:PORT, not "${server}"`);
  const id = get(values.id, "TRIVET_ID");
  const key = get(values.key, "TRIVET_KEY");
  if (id !== undefined && !/^[A-Za-z0-9_-]{1,64}$/u.test(id))
    problems.push("--id must be 1 to 64 letters, digits, - or _");
  if (key !== undefined && (key.length > 128 || /\s/u.test(key)))
    problems.push("--key must be the key exactly as shown, without spaces");
  if ((id === undefined) !== (key === undefined)) problems.push("--id and --key must be used together");
  const code = get(values.enrol, "TRIVET_ENROL");
  const url = get(values.url, "TRIVET_URL");
  if (code !== undefined && url === undefined)
    problems.push("--enrol requires --url, the HTTP URL of the monitor");
  if (url !== undefined && !isHttpUrl(url)) problems.push(`--url must be an http or https URL, not "${url}"`);
  if (code !== undefined && id !== undefined)
    problems.push("--enrol fetches the ID and key. Omit --id and --key");
  if (id !== undefined && server === undefined)
    problems.push("--server is missing. Set it to the gRPC address of the monitor, HOST:PORT");
  const interval = get(values.interval, "TRIVET_INTERVAL") ?? "3";
  const seconds = /^\d{1,3}$/u.test(interval) ? Number(interval) : 0;
  if (seconds < 1 || seconds > 300)
    problems.push(`--interval must be a whole number of seconds from 1 to 300, not "${interval}"`);
  const name = get(values.name, "TRIVET_NAME");
  if (name !== undefined && (name.length > 100 || /\p{C}/u.test(name)))
    problems.push("--name must be a single line of at most 100 characters");
  const lists = readLists(values, env, problems);
  const tls = readTls(values, env, problems);
  const insecure = readSwitch(env, { name: "TRIVET_INSECURE", problems });
  if (problems.length > 0) return { ok: false, problems };
  const folder = get(values.data, "TRIVET_DATA") ?? defaultFolder(env, isRoot);
  return {
    ok: true,
    settings: {
      command: toCommand(values),
      name,
      server,
      id,
      key,
      enrol: code === undefined || url === undefined ? undefined : { code, url },
      intervalMs: seconds * 1000,
      folder,
      root: get(values.root, "TRIVET_ROOT")?.replace(/(?<!\/)\/+$/u, ""),
      containersSocket: get(values.containers, "TRIVET_CONTAINERS"),
      checksFile: get(values.checks, "TRIVET_CHECKS") ?? `${folder}/checks.json`,
      lists,
      extraFolder: get(values.extra, "TRIVET_EXTRA") ?? `${folder}/extra.d`,
      tls,
      isTlsByCa: tls === true && !saysTls(values, env),
      caFile: get(values.ca, "TRIVET_CA"),
      insecure: values.insecure ?? (insecure === "" ? undefined : insecure === "1"),
    },
  };
}
