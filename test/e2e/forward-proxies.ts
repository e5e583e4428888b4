/** The proxies of docs/forward-auth-proxies.md with the blocks cut out of it, before two applications on this machine. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";

const docs = await readFile(new URL("../../docs/forward-auth-proxies.md", import.meta.url), "utf8");

export interface ProxyPorts {
  readonly proxy: number;
  /** Where it speaks HTTP/2 without TLS. */
  readonly http2: number;
  readonly center: number;
}

/** An application behind the proxy. */
export interface ProxiedApp {
  readonly id: string;
  readonly host: string;
  readonly port: number;
}

/** The block of that language, for an application and this machine's ports. */
function readBlock(language: string, { id, host, port }: ProxiedApp, { center }: ProxyPorts): string {
  const block = new RegExp(`\`\`\`${language}\n([^]+?)\n\`\`\``, "u").exec(docs)?.[1];
  return (block ?? assert.fail(language))
    .replaceAll("127.0.0.1:8082", `127.0.0.1:${center}`)
    .replaceAll("127.0.0.1:4901", `127.0.0.1:${port}`)
    .replaceAll("notes.example.org", host)
    .replaceAll("/api/auth/forward/notes", `/api/auth/forward/${id}`);
}

/** How each is configured for some applications, and run. */
export const proxies = {
  nginx: {
    toConfig: (apps: readonly ProxiedApp[], ports: ProxyPorts): string => {
      const listen = `listen 127.0.0.1:${ports.proxy}; listen 127.0.0.1:${ports.http2} http2;`;
      const servers = apps.map((app) => readBlock("nginx", app, ports).replace("listen 443 ssl;", listen));
      return `pid nginx.pid;\nevents {}\nhttp {\naccess_log off;\nerror_log stderr;\n${servers.join("\n")}\n}\n`;
    },
    toArgs: (folder: string) => [
      "-p",
      folder,
      "-c",
      join(folder, "config"),
      "-e",
      "stderr",
      "-g",
      "daemon off;",
    ],
  },
  caddy: {
    toConfig: (apps: readonly ProxiedApp[], ports: ProxyPorts): string => {
      const sites = apps.map((app) =>
        readBlock("caddyfile", app, ports).replace(
          `${app.host} {`,
          `http://${app.host}:${ports.proxy}, http://${app.host}:${ports.http2} {`,
        ),
      );
      const options = "admin off\n\tauto_https off\n\tservers {\n\t\tprotocols h1 h2 h2c\n\t}";
      return `{\n\t${options}\n}\n${sites.join("\n")}\n`;
    },
    toArgs: (folder: string) => ["run", "--adapter", "caddyfile", "--config", join(folder, "config")],
  },
} as const;

export interface RunningProxy {
  stop(): Promise<void>;
}

/** Starts a proxy with its configuration; resolves once it takes connections. */
export async function startProxy(
  program: string,
  { config, toArgs, port }: { config: string; toArgs: (folder: string) => readonly string[]; port: number },
): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-forward-"));
  // As root nginx gives its workers to "nobody", who has to come in here.
  await chmod(folder, 0o755);
  await writeFile(join(folder, "config"), config);
  const child: ChildProcess = spawn(program, toArgs(folder), { stdio: "ignore", env: { HOME: folder } });
  await eventually(() => sendRaw(port, "GET / HTTP/1.1\r\nHost: none\r\nConnection: close\r\n\r\n"));
  return {
    stop: async () => {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends bytes as they are; resolves with the status of the first answer, 0 when there is none. */
export async function sendRaw(port: number, text: string): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  // Left open: nginx gives up requests of clients that have closed their half.
  socket.write(text);
  socket.setTimeout(10_000, () => socket.destroy());
  let answer = "";
  for await (const part of socket) answer += String(part);
  return Number(/^HTTP\/1\.[01] (\d{3})/u.exec(answer)?.[1] ?? 0);
}

/** The same over HTTP/2, with any pseudo-headers; 0 when the stream or connection is refused. */
export async function sendHttp2(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  try {
    return await new Promise<number>((resolve) => {
      const stop = (): void => resolve(0);
      session.once("error", stop);
      const stream = session.request({ ...headers }, { endStream: true });
      stream.once("response", (told) => resolve(Number(told[":status"])));
      stream.once("error", stop);
      stream.once("close", stop);
      stream.resume();
    });
  } finally {
    session.destroy();
  }
}
