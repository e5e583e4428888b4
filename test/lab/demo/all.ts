/**
 * `npm run demo -- all`: monitor, accounts and shop in one program, filled. Nothing leaves the machine: there is no mail
 * server, notifications go to a receiver of the demo, and demo payments move no money.
 */
import { join } from "node:path";
import process from "node:process";
import { newSecret } from "../../../src/kit/secrets/id.ts";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { PASSWORD, createAccountsWorld } from "../../support/accounts/world.ts";
import { findFreePort, findFreePorts } from "../../support/free-ports.ts";
import { type Program, type Programs, createPrograms, terminate } from "../../support/program.ts";
import { startTargets } from "./checks.ts";
import { startReceiver } from "./extras.ts";
import { openFront } from "./front.ts";
import type { DemoAgent } from "./past.ts";
import { runRounds } from "./rounds.ts";
import { createApi } from "./shop/api.ts";
import { fillShop } from "./shop/fill.ts";
import { createSignIn } from "./shop/people.ts";
import { startAgents, writeMonitorPast } from "./start.ts";

/** The rest of the environment stays out: a mail server or database of the machine is not the demo's. */
const KEPT = [
  "HOST",
  "GATEWAY_PORT",
  "PUBLIC_URL",
  "AUTH_PUBLIC_URL",
  "SHOP_PUBLIC_URL",
  "LOG_LEVEL",
  "TZ",
  "LANG",
] as const;

const ports = { MONITOR_PORT: "8080", SHOP_PORT: "8081", AUTH_PORT: "8082", GRPC_PORT: "50051" } as const;

/** Environment of the demo from that of its caller. */
export function toDemoEnvironment(
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const chosen = Object.entries(ports).map(([name, port]) => [name, given[name] ?? port] as const);
  return { LOG_LEVEL: "warn", ...Object.fromEntries([...kept, ...chosen]) };
}

export interface WholeDemo {
  /** Length of the monitor's past. */
  readonly days: number;
  readonly env: Readonly<Record<string, string>>;
  readonly say: (text: string) => void;
  /** Told while the monitor's past is made: how much of it there is, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly adminToken?: string;
}

/** Environment of a demo beside the addresses that its caller gives. */
export const demoBase = {
  SHOP_DEMO: "1",
  NOTIFY_PRIVATE: "1",
  CHECKS_PRIVATE: "1",
  SCRUB_EVERY: "0",
} as const;

/**
 * The ports that visitors use, and the environment of a program behind them: it has other ports, so that the next one
 * can start beside it, and knows the addresses of visitors.
 */
export function toFrontEnvironment(env: Readonly<Record<string, string>>): {
  readonly ports: Readonly<Record<string, number>>;
  readonly env: Readonly<Record<string, string>>;
} {
  const names = [...Object.keys(ports), "GATEWAY_PORT"].filter((name) => Number(env[name]) > 0);
  const address = (name: string): string => `http://${env["HOST"] ?? "127.0.0.1"}:${env[name]}`;
  const usual = {
    PUBLIC_URL: address("MONITOR_PORT"),
    AUTH_PUBLIC_URL: address("AUTH_PORT"),
    SHOP_PUBLIC_URL: address("SHOP_PORT"),
  };
  const { HOST: _host, ...rest } = env;
  return {
    ports: Object.fromEntries(names.map((name) => [name, Number(env[name])])),
    env: env["GATEWAY_PORT"] === undefined ? { ...usual, ...rest } : rest,
  };
}

/** A demo on the disk, filled and not started. */
interface Filled {
  readonly programs: Programs;
  readonly agents: readonly DemoAgent[];
}

/** Accounts that the terminal shows. */
const accounts = { admin: "carla", user: "bob" } as const;

export interface RunningDemo {
  readonly urls: { readonly monitor: string; readonly shop: string; readonly auth: string };
  readonly adminToken: string;
  /** Of every account. */
  readonly password: string;
  readonly accounts: typeof accounts;
  stop(): Promise<void>;
}

/** Stops a program and waits for its end, so that everything is on the disk. */
async function end(program: Program): Promise<void> {
  terminate(program);
  await program.ended;
}

/** Creates demos: each a folder with the data of all services. */
export async function createWholeDemo(given: WholeDemo) {
  const { days, env, say, onProgress, adminToken = newSecret("adm") } = given;
  const [receiver, targets] = [await startReceiver(), await startTargets()];
  const base = { ADMIN_TOKEN: adminToken, ...demoBase };
  const folders = new Set<Programs>();

  async function readUrls(programs: Programs, program: Program): Promise<RunningDemo["urls"]> {
    const monitor = (await program.find(/monitor {2}(http:\/\/\S+:\d+)\//u))[1] ?? "";
    return { monitor, auth: await programs.authUrl(program), shop: await programs.shopUrl(program) };
  }

  async function fillServices(programs: Programs): Promise<void> {
    // On free ports, beside a demo that runs.
    const program = programs.run({ ...base, LOG_LEVEL: "warn", AUTH_PORT: String(await findFreePort()) });
    const { monitor, auth, shop } = await readUrls(programs, program);
    await createAccountsWorld(auth, adminToken);
    say("6 people, 2 groups and 5 applications");
    const api = createApi({ send: (path, init) => fetch(new URL(path, shop), init), adminToken });
    await fillShop(api, { say, signIn: createSignIn(auth, adminToken) });
    const site = createApi({ send: (path, init) => fetch(new URL(path, monitor), init), adminToken });
    await site.admin("PATCH", "/api/admin/settings", { json: { siteTitle: "Northwind servers" } });
    await end(program);
  }

  async function fill(): Promise<Filled> {
    const programs = await createPrograms([], {
      runner: [process.execPath, ...nodeOptions],
      entry: "scripts/start.js",
    });
    folders.add(programs);
    try {
      const agents = await writeMonitorPast({
        dataDir: join(programs.folder, "data"),
        days,
        receiverUrl: receiver.url,
        targets,
        onProgress,
      });
      say(`24 servers with ${days === 1 ? "1 day" : `${days} days`} of history`);
      await fillServices(programs);
      return { programs, agents };
    } catch (error) {
      await drop(programs);
      throw error;
    }
  }

  async function drop(programs: Programs): Promise<void> {
    folders.delete(programs);
    await programs.dispose();
  }

  /** Starts a filled demo; with `isReadOnly` visitors can change nothing in it. */
  async function start(
    { programs, agents }: Filled,
    { isReadOnly, more = {} }: { isReadOnly: boolean; more?: Readonly<Record<string, string>> },
  ): Promise<RunningDemo> {
    try {
      const program = programs.run({ ...base, ...env, ...more, READ_ONLY: isReadOnly ? "1" : "0" });
      const urls = await readUrls(programs, program);
      const grpc = (await program.find(/agents \(gRPC\) +(\S+:\d+)/u))[1] ?? "";
      const reporting = startAgents(agents, grpc);
      return {
        urls,
        adminToken,
        password: PASSWORD,
        accounts,
        async stop() {
          await reporting.stop();
          await end(program);
          await drop(programs);
        },
      };
    } catch (error) {
      await drop(programs);
      throw error;
    }
  }

  return {
    fill,
    start,
    /** Ends everything, also what is being filled. */
    async close(): Promise<void> {
      receiver.close();
      targets.close();
      await Promise.all([...folders].map(drop));
    },
  };
}

/** Where everything is, and how one gets in. */
export function describeDemo({ urls, adminToken, accounts: { admin, user }, ...rest }: RunningDemo): string {
  return `
  ${urls.monitor}/        dashboard
  ${urls.shop}/        storefront; the demo payment takes no money
  ${urls.auth}/sign-in as "${user}", password "${rest.password}"

  Consoles: ${Object.values(urls)
    .map((url) => `${url}/admin`)
    .join(", ")}
  Sign in as "${admin}" with the same password, or with the token ${adminToken}
`;
}

/** Read-only, behind ports that stay while one demo replaces the other. Resolves when it was stopped. */
async function runReadOnly(
  demo: Awaited<ReturnType<typeof createWholeDemo>>,
  { env, everyMinutes, say }: WholeDemo & { readonly everyMinutes: number },
  stopped: Promise<unknown>,
): Promise<void> {
  const behind = toFrontEnvironment(env);
  const names = Object.keys(behind.ports);
  const front = await openFront(behind.ports, env["HOST"] ?? "127.0.0.1");
  const start = async (filled: Filled): Promise<RunningDemo> => {
    const free = await findFreePorts(names.length);
    const own = Object.fromEntries(names.map((name, at) => [name, String(free[at])]));
    const running = await demo.start(filled, { isReadOnly: true, more: { ...behind.env, ...own } });
    names.forEach((name, at) => front.lead(name, free[at] ?? 0));
    return running;
  };
  try {
    const first = await Promise.race([demo.fill().then(start), stopped.then(() => undefined)]);
    if (first === undefined) return;
    const { PUBLIC_URL: monitor = "", AUTH_PUBLIC_URL: auth = "", SHOP_PUBLIC_URL: shop = "" } = behind.env;
    console.log(describeDemo({ ...first, urls: { monitor, auth, shop } }));
    console.log(`Read-only. Starts over every ${everyMinutes} minutes. Ctrl+C ends it.`);
    const wait = (): Promise<void> =>
      new Promise((resolve) => setTimeout(resolve, everyMinutes * 60_000).unref());
    await runRounds(first, { fill: demo.fill, start, wait, stopped, say });
  } finally {
    await front.close();
  }
}

/** Runs until a signal comes; a read-only demo starts over every so often, with a history that ends now. */
export async function runWholeDemo(
  given: WholeDemo & { readonly isReadOnly: boolean; readonly everyMinutes: number },
): Promise<void> {
  const demo = await createWholeDemo(given);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  try {
    if (given.isReadOnly) return await runReadOnly(demo, given, stopped);
    const filled = await Promise.race([demo.fill(), stopped.then(() => undefined)]);
    if (filled === undefined) return;
    const running = await demo.start(filled, { isReadOnly: false });
    console.log(describeDemo(running));
    console.log("Ctrl+C ends it.");
    await stopped;
    await running.stop();
  } finally {
    await demo.close();
  }
}
