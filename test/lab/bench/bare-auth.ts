/**
 * What the auth center cannot be faster than: the argon2 library alone on both cores, and a bare node:http
 * server with a Map of hashed tokens. Run as a process of its own with the kind as argument: it sends what it
 * measured or its port, as `startServer` of `measure.ts` wants it.
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { hash, verify } from "@node-rs/argon2";
import { type BenchServer, startServer } from "./measure.ts";

/** argon2id as the auth center has it (OWASP: 19 MiB, two passes, one lane). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const PASSWORD = "correct horse battery staple";

const script = new URL(import.meta.url);

/** What `bare-argon2` does all the time: make hashes (registration) or check them (sign-in). */
export type Argon2Work = "hash" | "verify";

/** How fast the library is alone. */
export interface Argon2Result {
  readonly perSecond: number;
  readonly cpuMicrosecondsEach: number;
}

/** Hashes of the library alone, `atOnce` at a time, in a process of its own. */
export async function measureBareArgon2(
  work: Argon2Work,
  { seconds, atOnce = 2 }: { readonly seconds: number; readonly atOnce?: number },
): Promise<Argon2Result> {
  const server = await startServer<Argon2Result>(script, [work, String(seconds), String(atOnce)]);
  await server.stop();
  return server.info;
}

/** Where a bare server listens, and some of its tokens. */
export interface BareServerInfo {
  readonly url: string;
  readonly tokens: readonly string[];
}

/**
 * Starts a node:http server: "ok" answers two bytes, "session" looks the SHA-256 of a Bearer up among
 * `sessions` in a Map and answers with a small JSON, 401 where there is none.
 */
export function startBareServer(kind: "ok" | "session", sessions = 0): Promise<BenchServer<BareServerInfo>> {
  return startServer<BareServerInfo>(script, [kind, String(sessions)]);
}

async function runArgon2(work: Argon2Work, seconds: number, atOnce: number): Promise<Argon2Result> {
  const known = await hash(PASSWORD, cost);
  let done = 0;
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const repeat = async (): Promise<void> => {
    while (performance.now() - startMs < seconds * 1_000) {
      if (work === "hash") await hash(PASSWORD, cost);
      else if (!(await verify(known, PASSWORD))) throw new Error("The library refused its own hash");
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, repeat));
  const { user, system } = process.cpuUsage(cpu);
  return {
    perSecond: done / ((performance.now() - startMs) / 1_000),
    cpuMicrosecondsEach: (user + system) / done,
  };
}

function toKey(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function createSessionListener(sessions: number): { listener: RequestListener; tokens: string[] } {
  const users = new Map<string, { id: string; expiresAt: number }>();
  const tokens: string[] = [];
  for (let n = 0; n < sessions; n += 1) {
    const token = `acc_${randomBytes(32).toString("base64url")}`;
    users.set(toKey(token), { id: `usr_${n}`, expiresAt: Date.now() + 900_000 });
    tokens.push(token);
  }
  const listener: RequestListener = (request, response) => {
    const user = users.get(toKey((request.headers.authorization ?? "").slice(7)));
    const isValid = user !== undefined && user.expiresAt > Date.now();
    const body = JSON.stringify(isValid ? { valid: true, user } : { valid: false });
    response.writeHead(isValid ? 200 : 401, {
      "content-type": "application/json",
      "content-length": body.length,
    });
    response.end(body);
  };
  return { listener, tokens };
}

async function serve(kind: string, sessions: number): Promise<BareServerInfo> {
  const ok: RequestListener = (_request, response) => {
    response.writeHead(200, { "content-length": 2 });
    response.end("ok");
  };
  const { listener, tokens } = kind === "ok" ? { listener: ok, tokens: [] } : createSessionListener(sessions);
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.once("disconnect", () => process.exit(0));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, tokens };
}

if (process.argv[1] === fileURLToPath(script) && process.send !== undefined) {
  const [kind = "ok", first = "0", second = "2"] = process.argv.slice(2);
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() });
  });
  if (kind === "hash" || kind === "verify")
    process.send(await runArgon2(kind, Number(first), Number(second)));
  else process.send(await serve(kind, Number(first)));
}
