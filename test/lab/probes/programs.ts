/** nginx, bind9 and the blackbox exporter, each started with a configuration of the laboratory's own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { eventually } from "../../support/eventually.ts";
import { findProgram } from "../../support/missing.ts";
import { type CertificateName, certificateNames } from "./certificates.ts";

const SYSTEM_FOLDERS = ["/usr/sbin", "/usr/local/sbin"];
const needed = {
  "prometheus-blackbox-exporter": "prometheus-blackbox-exporter",
  named: "bind9",
  nginx: "nginx",
  openssl: "openssl",
} as const;

/** What is missing, by Debian's package names. */
export function findMissingPackages(): readonly string[] {
  return Object.entries(needed)
    .filter(([program]) => findProgram(program, SYSTEM_FOLDERS) === undefined)
    .map(([, name]) => name);
}

export interface RunningProgram {
  /** Makes it reload its configuration. */
  reload(): void;
  stop(): Promise<void>;
}

function start(program: keyof typeof needed, args: readonly string[]): RunningProgram {
  const path = findProgram(program, SYSTEM_FOLDERS);
  if (path === undefined) throw new Error(`${program} is missing`);
  const child: ChildProcess = spawn(path, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr?.on("data", (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)));
  let isStopping = false;
  child.once("exit", (code) => {
    if (!isStopping) console.error(`${program} ended with ${code}: ${said}`);
  });
  return {
    reload: () => void child.kill("SIGHUP"),
    stop: async () => {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Waits until the port accepts connections. */
async function listening(port: number): Promise<void> {
  await eventually(
    () =>
      new Promise<boolean>((resolve) => {
        const socket = connect(port, "127.0.0.1", () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      }),
  );
}

export interface WebPorts {
  readonly plain: number;
  readonly secure: Readonly<Record<CertificateName, number>>;
  /** Whose certificate is good or has ended, by turns. */
  readonly turning: number;
}

/** Whether what turns is bad in a phase; `index` distinguishes those that turn. */
export function isBad(phase: number, index: number): boolean {
  return ((phase >> (index % 3)) & 1) === 1;
}

function toSecure(folder: string, { port, name }: { port: number; name: string }): string {
  return `  server { listen 127.0.0.1:${port} ssl${name === "good" ? " http2" : ""}; ssl_certificate ${folder}/${name}.pem;
    ssl_certificate_key ${folder}/${name}.key; location / { return 200 "secure"; } location /broken { return 500; } }`;
}

async function writeWebConfig(
  folder: string,
  { ports, phase }: { ports: WebPorts; phase: number },
): Promise<string> {
  const path = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const text = `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log crit;
worker_shutdown_timeout 1s; events { worker_connections 512; }
http { access_log off; default_type text/plain;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join("\n")}
  server { listen 127.0.0.1:${ports.plain};
    location = /ok { return 200 "all systems go"; }
    location = /nothing { return 204; }
    location = /json { default_type application/json; return 200 '{"status":"${isBad(phase, 1) ? "sick" : "well"}"}'; }
    location = /missing { return 404; }
    location = /broken { return 500; }
    location = /moved { return 302 /ok; }
    location = /circle { return 302 /circle; }
    location = /turning { return ${isBad(phase, 0) ? 503 : 200} "turn"; }
    location = /turning-text { return 200 "${isBad(phase, 2) ? "error" : "all systems go"}"; }
    location = /turning-way { return 302 ${isBad(phase, 1) ? "/circle" : "/ok"}; } }
${certificateNames.map((name) => toSecure(folder, { port: ports.secure[name], name })).join("\n")}
${toSecure(folder, { port: ports.turning, name: isBad(phase, 2) ? "ended" : "good" })}
}
`;
  await writeFile(path, text);
  return path;
}

/** Records of the zone lab.example; some are there, or right, by turns. */
async function writeZone(folder: string, phase: number): Promise<void> {
  const lines = [
    "$TTL 1",
    `@ IN SOA ns.lab.example. host.lab.example. ${phase + 1} 60 60 60 1`,
    "@ IN NS ns.lab.example.",
    "@ IN MX 10 mail.lab.example.",
    '@ IN TXT "v=spf1 -all"',
    "ns IN A 127.0.0.1",
    "mail IN A 192.0.2.25",
    "right IN A 192.0.2.1",
    "right IN AAAA 2001:db8::1",
    "wrong IN A 192.0.2.99",
    "alias IN CNAME right.lab.example.",
    `turning-right IN A ${isBad(phase, 0) ? "192.0.2.98" : "192.0.2.1"}`,
    ...(isBad(phase, 1) ? [] : ["turning IN A 192.0.2.1"]),
  ];
  await writeFile(join(folder, "lab.zone"), `${lines.join("\n")}\n`);
}

async function writeNameConfig(folder: string, port: number): Promise<string> {
  const path = join(folder, "named.conf");
  await writeFile(
    path,
    `options { directory "${folder}"; pid-file "${folder}/named.pid"; session-keyfile "${folder}/session.key";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; recursion no; notify no; };
controls { };
zone "lab.example" { type primary; file "${folder}/lab.zone"; };
`,
  );
  return path;
}

export interface World {
  /** Switches all that turns. */
  turn(phase: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts nginx and bind9. */
export async function startWorld(
  folder: string,
  { web, names }: { web: WebPorts; names: number },
): Promise<World> {
  await writeZone(folder, 0);
  const nginx = start("nginx", ["-p", folder, "-c", await writeWebConfig(folder, { ports: web, phase: 0 })]);
  const named = start("named", ["-g", "-n", "1", "-c", await writeNameConfig(folder, names)]);
  await Promise.all([listening(web.plain), listening(names)]);
  return {
    turn: async (phase) => {
      await writeWebConfig(folder, { ports: web, phase });
      await writeZone(folder, phase);
      nginx.reload();
      named.reload();
    },
    stop: async () => {
      await Promise.all([nginx.stop(), named.stop()]);
    },
  };
}

/** Starts the exporter; `modules` is what its configuration has under that name, as JSON. */
export async function startExporter(
  folder: string,
  { port, modules }: { port: number; modules: Readonly<Record<string, unknown>> },
): Promise<RunningProgram> {
  const path = join(folder, "blackbox.json");
  // JSON is YAML.
  await writeFile(path, JSON.stringify({ modules }));
  const address = `--web.listen-address=127.0.0.1:${port}`;
  const exporter = start("prometheus-blackbox-exporter", [
    `--config.file=${path}`,
    address,
    "--log.level=error",
    "--timeout-offset=0",
  ]);
  await listening(port);
  return exporter;
}
