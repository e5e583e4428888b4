/**
 * What a page costs: the sign-in page beside Hono that answers the same bytes from a ready string to the same request,
 * and a sign-in by its form beside the API's. `npm run bench -- pages`; run as a process of its own this is the bare server.
 */
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { type AuthProgram, browser, startAuthProgram } from "./auth-program.ts";
import { type AuthSide, type AuthWork, type SideResult, runInTurn } from "./auth-sides.ts";
import { assertAll, runLoad } from "./load.ts";
import { type Bench, startServer } from "./measure.ts";

const script = new URL(import.meta.url);
const size = { accounts: 10_000, sessions: 100 };
const CALLERS = 64;
const WARMUP_SECONDS = 10;

async function startBareSide(page: string): Promise<AuthSide> {
  const server = await startServer<{ url: string }>(script, [page]);
  return {
    name: "bare Hono, c.html of a ready string",
    run: async (_work, load) =>
      assertAll(await runLoad({ url: `${server.info.url}/sign-in`, headers: browser, ...load }), 200),
    usage: async () => ({ ...(await server.usage()), peakBytes: Number.NaN }),
    resetPeak: async () => undefined,
    stop: () => server.stop(),
  };
}

/** The same program as a side with one fixed kind of work. */
function toSide(program: AuthProgram, work: AuthWork): AuthSide {
  return { ...program, run: (_work, load) => program.run(work, load) };
}

const cost = ({ cpuMicrosecondsEach, p99Ms }: SideResult): string =>
  `${cpuMicrosecondsEach.toFixed(0)} µs of CPU each, p99 ${p99Ms.toFixed(1)} ms`;

/** Measures both. */
export const benchPages: Bench = async (effort) => {
  const program = await startAuthProgram(size);
  const page = await (await fetch(`${program.url}/sign-in`, { headers: { accept: "text/html" } })).text();
  const bare = await startBareSide(page);
  try {
    const sides = [program, bare];
    // A busy machine is long in compiling what runs often: neither side is measured before.
    for (const side of sides) await side.run("page", { connections: CALLERS, seconds: WARMUP_SECONDS });
    const [ours, other] = await runInTurn(sides, { work: "page", connections: CALLERS, effort });
    const signIns = [toSide(program, "form"), toSide(program, "sign-in")];
    const [form, api] = await runInTurn(signIns, { work: "form", connections: 8, effort });
    if (ours === undefined || other === undefined || form === undefined || api === undefined) return [];
    return [
      {
        name: `GET /sign-in, ${page.length.toLocaleString("en")} bytes, ${CALLERS} callers`,
        unit: "/s",
        ours: ours.perSecond,
        other: { name: bare.name, value: other.perSecond },
        target: "≥ 0.5 of it",
        isReached: ours.perSecond >= 0.5 * other.perSecond,
        note: `${cost(ours)}; bare ${cost(other)}`,
      },
      {
        name: "GET /sign-in, p99",
        unit: "ms",
        ours: ours.p99Ms,
        other: { name: bare.name, value: other.p99Ms },
        target: "≤ 20 ms",
        isReached: ours.p99Ms <= 20,
      },
      {
        name: "sign-in by the form, 8 connections",
        unit: "/s",
        ours: form.perSecond,
        other: { name: "by the API", value: api.perSecond },
        target: "≥ 0.95 of it",
        isReached: form.perSecond >= 0.95 * api.perSecond,
        note: `${cost(form)}; API ${cost(api)}`,
      },
    ];
  } finally {
    await bare.stop();
    await program.stop();
  }
};

async function serve(page: string): Promise<string> {
  const app = new Hono();
  app.get("/sign-in", (c) => c.html(page));
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.once("disconnect", () => process.exit(0));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
}

if (process.argv[1] === fileURLToPath(script) && process.send !== undefined) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system, rssBytes: process.memoryUsage.rss() });
  });
  process.send({ url: await serve(process.argv[2] ?? "") });
}
