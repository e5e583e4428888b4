/** The world of proxies: the blocks of docs/reverse-proxy.md as they are, before all services, visited by their clients. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type FileHandle, chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePorts } from "../../support/free-ports.ts";
import { findProgram } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { createPrograms, terminate } from "../../support/program.ts";

export const TOKEN = "adm_0123456789abcdef";
const HOST = "status.example.org";
const names = [HOST, "accounts.example.org", "shop.example.org"];

interface Places {
  readonly folder: string;
  readonly https: number;
  /** Ports, or Unix sockets. */
  readonly gateway: number | string;
  readonly grpc: number | string;
}

interface Proxy {
  readonly program: string;
  /** The language of its block. */
  readonly block: string;
  /** The whole configuration around the block. */
  readonly wrap: (block: string, places: Places) => string;
  readonly toArgs: (config: string, folder: string) => readonly string[];
}

const modules = [
  "mpm_event",
  "authz_core",
  "ssl",
  "socache_shmcb",
  "headers",
  "http2",
  "proxy",
  "proxy_http",
  "proxy_http2",
];

const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    program: "nginx",
    block: "nginx",
    wrap: (block, { folder }) =>
      `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\nclient_body_temp_path ${folder}/body;\n${block}\n}\n`,
    toArgs: (config, folder) => ["-p", folder, "-c", config, "-e", "stderr", "-g", "daemon off;"],
  },
  Caddy: {
    program: "caddy",
    block: "caddyfile",
    // The test's own authority in place of a public one.
    wrap: (block, { folder }) =>
      `{\n\tadmin off\n\tauto_https off\n}\n${block.replace("{\n", `{\n\ttls ${folder}/cert.pem ${folder}/key.pem\n`)}\n`,
    toArgs: (config) => ["run", "--adapter", "caddyfile", "--config", config],
  },
  HAProxy: {
    program: "haproxy",
    block: "haproxy",
    wrap: (block) => `${block}\n`,
    toArgs: (config) => ["-db", "-f", config],
  },
  Apache: {
    program: "apache2",
    block: "apache",
    wrap: (block, { folder, https }) =>
      [
        `ServerRoot ${folder}\nServerName localhost\nPidFile ${folder}/pid\nErrorLog ${folder}/error.log\nMutex file:${folder}`,
        ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
        `User www-data\nGroup www-data\nListen ${https}\n${block}\n`,
      ].join("\n"),
    toArgs: (config) => ["-f", config, "-DFOREGROUND"],
  },
};

/** The row of the page's table about sockets: what replaces the address of the services, and that of agents. */
function readSockets(page: string, name: string): readonly [http: string, agents: string] | undefined {
  const row = new RegExp(`^\\| ${name} \\| \`(\\S+)\` \\| \`(\\S+)\``, "mu").exec(page);
  return row === null ? undefined : [row[1] ?? "", row[2] ?? ""];
}

/** The block of the page that serves one port, for this machine's ports and files. */
async function readBlock(
  name: string,
  language: string,
  { folder, https, gateway, grpc }: Places,
): Promise<string> {
  let page = await readFile(join(projectFolder, "docs/reverse-proxy.md"), "utf8");
  if (typeof gateway === "string") {
    const [http = "", agents = ""] = readSockets(page, name) ?? [];
    page = page
      .replaceAll("127.0.0.1:8000", http.replace("/run/trivet", folder))
      .replaceAll(
        language === "caddyfile" ? "h2c://127.0.0.1:50051" : "127.0.0.1:50051",
        agents.replace("/run/trivet", folder),
      );
  }
  const block = new RegExp(`\`\`\`${language}\n([^]+?)\n\`\`\``, "u").exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/reverse-proxy.md has no block for ${language}`);
  return block
    .replaceAll(/\b443\b/gu, String(https))
    .replaceAll("127.0.0.1:8000", `127.0.0.1:${gateway}`)
    .replaceAll("127.0.0.1:50051", `127.0.0.1:${grpc}`)
    .replaceAll("/etc/ssl/example.org.pem", `${folder}/cert.pem`)
    .replaceAll("/etc/ssl/example.org.key", `${folder}/key.pem`)
    .replaceAll(
      /^(status\.example\.org.*) \{$/gmu,
      (_, sites: string) => `${sites.replaceAll(/([a-z]+\.example\.org)/gu, `$1:${https}`)} {`,
    );
}

async function must(command: string, args: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await runProcess({ command, args, cwd, timeoutMs: 60_000 });
  if (code !== 0) throw new Error(`${command} ${args[0]}: ${output}`);
}

/** An authority, and a certificate of it for all names: cert.pem with its key in it as well, key.pem, ca.pem. */
async function makeCertificate(folder: string): Promise<void> {
  const script = `
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=Lab CA' -keyout ca.key -out ca.pem \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=keyCertSign
openssl req -newkey rsa:2048 -nodes -subj /CN=${HOST} -keyout key.pem -out request.pem
printf 'subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}\n' > names
openssl x509 -req -in request.pem -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names -out cert.pem
cat key.pem >> cert.pem`;
  await must("sh", ["-ec", script], folder);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

async function visitOne(
  name: string,
  proxy: Proxy & { readonly row: string; readonly hasSockets: boolean },
  say: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-proxy-"));
  await chmod(folder, 0o755);
  await mkdir(join(folder, "body"));
  const programs = await createPrograms();
  let child: ChildProcess | undefined;
  let said: FileHandle | undefined;
  try {
    await makeCertificate(folder);
    const [https = 0, ...ports] = await findFreePorts(3);
    const [gateway = 0, grpc = 0] = proxy.hasSockets
      ? [`unix:${folder}/trivet.sock`, `unix:${folder}/agents.sock`]
      : ports;
    const places = { folder, https, gateway, grpc };
    const config = join(folder, "config");
    await writeFile(config, proxy.wrap(await readBlock(proxy.row, proxy.block, places), places));
    const program = programs.run({
      ADMIN_TOKEN: TOKEN,
      GATEWAY_PORT: String(gateway),
      GRPC_PORT: String(grpc),
      PUBLIC_URL: `https://${HOST}:${https}`,
      AUTH_PUBLIC_URL: `https://accounts.example.org:${https}`,
      SHOP_PUBLIC_URL: `https://shop.example.org:${https}`,
      PUBLIC_GRPC: `tls://${HOST}:${https}`,
      // Proxies here run as users of their own.
      SOCKET_MODE: "666",
      TRUSTED_PROXIES: proxy.hasSockets ? "unix" : "127.0.0.1,::1",
    });
    const log = program.output;
    await program.find(/gateway +(?:http|unix)/u);
    said = await open(join(folder, "proxy.log"), "w");
    child = spawn(proxy.program, proxy.toArgs(config, folder), {
      stdio: ["ignore", "ignore", said.fd],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    });
    const visit = await runProcess({
      command: process.execPath,
      args: ["--import", "tsx", "test/lab/worlds/visit.ts", String(https), folder],
      cwd: projectFolder,
      env: { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") },
      timeoutMs: 300_000,
    });
    for (const line of visit.output.trim().split("\n")) say(`${name}: ${line}`);
    if (visit.code !== 0) {
      const proxyLog = await readFile(join(folder, "proxy.log"), "utf8");
      throw new Error(`${name}: not every promise holds\n${log().slice(-1_500)}\n${proxyLog.slice(-800)}`);
    }
    if (
      log().includes("203.0.113.9") ||
      !/"route":"\/api\/auth\/login"[^\n]*"client":"127\.0\.0\.7"/u.test(log())
    )
      throw new Error(`${name}: a client chooses its address, or its own is lost`);
    say(`${name}: a client cannot choose its address`);
    // One that a proxy cuts comes back with another connection.
    const connections = log().match(/"Agent connected"/gu)?.length;
    if (connections !== 2) throw new Error(`${name}: ${connections} connections of two agents`);
    say(`${name}: two agents kept their connections, one that reports every 75 s too`);
    terminate(program);
    await program.ended;
  } finally {
    if (child !== undefined) await stop(child);
    await said?.close();
    await programs.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Visits all proxies that are installed, one after the other, and says which are not. */
export async function walkProxies(
  say: (line: string) => void,
  { only }: { readonly only: string },
): Promise<void> {
  for (const [name, proxy] of Object.entries(proxies)) {
    if (!name.toLowerCase().includes(only.toLowerCase())) continue;
    const program = findProgram(proxy.program, ["/usr/sbin"]);
    if (program === undefined) {
      say(`Skipped: ${name} is not installed (apt install ${proxy.program})`);
      continue;
    }
    await visitOne(name, { ...proxy, row: name, program, hasSockets: false }, say);
    const page = await readFile(join(projectFolder, "docs/reverse-proxy.md"), "utf8");
    if (readSockets(page, name) === undefined)
      say(`Skipped: ${name} by sockets, which the page does not describe`);
    else await visitOne(`${name} by sockets`, { ...proxy, row: name, program, hasSockets: true }, say);
  }
}
