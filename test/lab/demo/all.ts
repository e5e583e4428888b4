/**
 * `npm run demo -- all`: monitor, accounts and shop in one program, filled. Nothing leaves the machine: there is no mail
 * server, notifications go to a receiver of the demo, and demo payments move no money.
 */
import { join } from "node:path";
import process from "node:process";
import { newSecret } from "../../../src/kit/secrets/id.ts";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { PASSWORD, createAccountsWorld } from "../../support/accounts/world.ts";
import { findFreePort } from "../../support/free-ports.ts";
import { type Program, type Programs, createPrograms, terminate } from "../../support/program.ts";
import { startTargets } from "./checks.ts";
import { startReceiver } from "./extras.ts";
import type { DemoAgent } from "./past.ts";
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
  readonly adminToken?: string;
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
export async function createWholeDemo({ days, env, say, adminToken = newSecret("adm") }: WholeDemo) {
  const [receiver, targets] = [await startReceiver(), await startTargets()];
  const base = {
    ADMIN_TOKEN: adminToken,
    SHOP_DEMO: "1",
    NOTIFY_PRIVATE: "1",
    CHECKS_PRIVATE: "1",
    SCRUB_EVERY: "0",
  };

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
    try {
      const agents = await writeMonitorPast({
        dataDir: join(programs.folder, "data"),
        days,
        receiverUrl: receiver.url,
        targets,
      });
      say(`24 servers with ${days === 1 ? "1 day" : `${days} days`} of history`);
      await fillServices(programs);
      return { programs, agents };
    } catch (error) {
      await programs.dispose();
      throw error;
    }
  }

  /** Starts a filled demo; with `isReadOnly` visitors can change nothing in it. */
  async function start({ programs, agents }: Filled, isReadOnly: boolean): Promise<RunningDemo> {
    const program = programs.run({ ...base, ...env, READ_ONLY: isReadOnly ? "1" : "0" });
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
        await programs.dispose();
      },
    };
  }

  return {
    fill,
    start,
    close(): void {
      receiver.close();
      targets.close();
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

const HOUR_MS = 3_600_000;

/** Runs until a signal comes; a read-only demo starts over every hour, with a history that ends now. */
export async function runWholeDemo(given: WholeDemo & { readonly isReadOnly: boolean }): Promise<void> {
  const demo = await createWholeDemo(given);
  const stopped = new Promise<"stop">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve("stop"));
  });
  try {
    let running = await demo.start(await demo.fill(), given.isReadOnly);
    console.log(describeDemo(running));
    console.log(given.isReadOnly ? "Read-only; starts over every hour. Ctrl+C ends it." : "Ctrl+C ends it.");
    while (given.isReadOnly) {
      let timer: NodeJS.Timeout | undefined;
      const due = new Promise<"due">((resolve) => {
        timer = setTimeout(() => resolve("due"), HOUR_MS);
      });
      const ended = (await Promise.race([stopped, due])) === "stop";
      clearTimeout(timer);
      if (ended) break;
      const next = await demo.fill();
      await running.stop();
      running = await demo.start(next, true);
    }
    await stopped;
    await running.stop();
  } finally {
    demo.close();
  }
}
