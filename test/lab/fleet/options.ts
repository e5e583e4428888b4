/** The fleet's command line. */
import { parseArgs } from "node:util";
import type { FleetOptions } from "./run.ts";

export interface FleetSettings extends FleetOptions {
  readonly help: boolean;
  readonly verify: boolean;
  readonly reportFile: string | undefined;
}

export type ParsedFleet =
  | { readonly ok: true; readonly settings: FleetSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

export const fleetHelp = `Drives simulated agents and viewers against a Trivet monitor.

  npm run fleet -- --agents 1000 --seconds 60 --admin-token TOKEN

  --agents N           1 to 10000 (default 100)
  --seconds S          1 to 3600 (default 60)
  --interval S         seconds between reports of one agent, 1 to 300 (default 3)
  --viewers N          WebSocket viewers, 0 to 10000 (default 0); for more than 50 start
                       the monitor with VIEWERS_PER_ADDRESS=N
  --checks N           HTTP checks of targets here, tried once a minute, 0 to 9000 (default 0); in the
                       middle one target goes down. Start the monitor with CHECKS_PRIVATE=1
  --heartbeats N       pings a minute of a tenth as many heartbeats, 0 to 60000 (default 0)
  --mode delta|full    what the viewers ask for (default delta)
  --gzip               the viewers ask for compressed frames
  --connections K      HTTP/2 connections that the agents share, 1 to 1000 (default 8)
  --server HOST:PORT   gRPC address (default 127.0.0.1:50051)
  --url URL            HTTP address (default http://127.0.0.1:8080)
  --admin-token TOKEN  to make the servers (ADMIN_TOKEN)
  --keys FILE          keeps the servers' keys for the next run
  --pid PID            process of the monitor, to show its CPU and memory
  --verify             ask the monitor afterwards whether it has all that it acknowledged; without
                       --admin-token it can be told for 15 minutes
  --report-json FILE   writes the figures and every server's account
  --allow-remote       permits addresses other than loopback
  --help               print this`;

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: false,
    options: {
      agents: { type: "string", default: "100" },
      seconds: { type: "string", default: "60" },
      interval: { type: "string", default: "3" },
      viewers: { type: "string", default: "0" },
      connections: { type: "string", default: "8" },
      checks: { type: "string", default: "0" },
      heartbeats: { type: "string", default: "0" },
      mode: { type: "string", default: "delta" },
      gzip: { type: "boolean", default: false },
      server: { type: "string", default: "127.0.0.1:50051" },
      url: { type: "string", default: "http://127.0.0.1:8080" },
      "admin-token": { type: "string" },
      keys: { type: "string" },
      pid: { type: "string" },
      verify: { type: "boolean", default: false },
      "report-json": { type: "string" },
      "allow-remote": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  }).values;
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/u.test(host);
}

/** Reads the command line; `env.ADMIN_TOKEN` stands in for --admin-token. */
export function parseFleetSettings(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ParsedFleet {
  let values: ReturnType<typeof parse>;
  try {
    values = parse(args);
  } catch (error) {
    return {
      ok: false,
      problems: [`${error instanceof Error ? error.message.split("\n")[0] : String(error)}: see --help`],
    };
  }
  const problems: string[] = [];
  const whole = (
    name: "agents" | "seconds" | "interval" | "viewers" | "connections" | "checks" | "heartbeats",
    [least, most]: readonly [number, number],
  ): number => {
    const text = values[name];
    const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
    if (!(value >= least && value <= most))
      problems.push(`--${name} must be a whole number from ${least} to ${most}, not "${text}"`);
    return value;
  };
  const { mode, server } = values;
  if (mode !== "delta" && mode !== "full") problems.push(`--mode must be delta or full, not "${mode}"`);
  const pid = values.pid === undefined ? undefined : Number(values.pid);
  if (pid !== undefined && !(Number.isSafeInteger(pid) && pid > 0))
    problems.push("--pid must be a process id");
  const grpcHost = /^(.+):\d{1,5}$/u.exec(server)?.[1];
  if (grpcHost === undefined) problems.push(`--server must be HOST:PORT, not "${server}"`);
  const url = values.url.replace(/\/+$/u, "");
  if (!URL.canParse(url) || !/^https?:/u.test(url))
    problems.push(`--url must be an http address, not "${url}"`);
  else if (
    !values["allow-remote"] &&
    !(isLoopback(new URL(url).hostname) && isLoopback(grpcHost ?? "127.0.0.1"))
  ) {
    problems.push("Only loopback is loaded: give --allow-remote if the other machine is yours to load");
  }
  const settings: FleetSettings = {
    agents: whole("agents", [1, 10_000]),
    seconds: whole("seconds", [1, 3600]),
    intervalMs: whole("interval", [1, 300]) * 1000,
    viewers: whole("viewers", [0, 10_000]),
    checks: whole("checks", [0, 9_000]),
    heartbeats: whole("heartbeats", [0, 60_000]),
    connections: whole("connections", [1, 1000]),
    mode: mode === "full" ? "full" : "delta",
    gzip: values.gzip,
    server,
    url,
    adminToken: values["admin-token"] ?? env["ADMIN_TOKEN"],
    keysFile: values.keys,
    pid,
    verify: values.verify,
    reportFile: values["report-json"],
    help: values.help,
  };
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}
