/** Two nodes of everything with all that they need: PostgreSQL, NATS, nginx before them. */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { newSecret } from "../../../src/kit/secrets/id.ts";
import { findFreePorts } from "../../support/free-ports.ts";
import { type NatsServer, startNatsServer } from "../../support/nats-server.ts";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { denoRunner } from "../../support/own-runtime.ts";
import { buildPages } from "../../support/pages.ts";
import { type PostgresServer, startPostgresServer } from "../../support/postgres-server.ts";
import {
  type Program,
  type ProgramFile,
  type Programs,
  createPrograms,
  terminate,
} from "../../support/program.ts";
import {
  type ClusterAddresses,
  type NodeName,
  type ServicePorts,
  nodeNames,
  toServiceUrls,
} from "./addresses.ts";
import { projectFolder, runProcess } from "../../support/process.ts";
import { type Front, startFront } from "./front.ts";
import { findTools } from "./tools.ts";

export interface ClusterOptions {
  /** What each node runs on. */
  readonly runtimes: Readonly<Record<NodeName, "node" | "deno">>;
  /** Lines about the progress of the start. */
  readonly say: (text: string) => void;
}

/** One node, which can be ended and started again on its ports and data. */
export interface ClusterNode {
  start(): Promise<void>;
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL. */
  kill(): Promise<void>;
  output(): string;
}

export interface Cluster {
  readonly addresses: ClusterAddresses;
  readonly nodes: Readonly<Record<NodeName, ClusterNode>>;
  readonly postgres: PostgresServer;
  readonly nats: NatsServer;
  readonly front: Front;
  /** Ends everything and removes what it kept. */
  stop(): Promise<void>;
}

const READY_MS = 60_000;
const BUILD_MS = 120_000;
const LOG_CHARS = 4_000;

async function findPorts(): Promise<{ front: ServicePorts; a: ServicePorts; b: ServicePorts }> {
  const ports = await findFreePorts(12);
  const take = (): ServicePorts => {
    const [monitor = 0, auth = 0, shop = 0, grpc = 0] = ports.splice(0, 4);
    return { monitor, auth, shop, grpc };
  };
  return { front: take(), a: take(), b: take() };
}

/** The environment that all nodes share; what differs is added for each. */
function toEnvironment(addresses: ClusterAddresses): Record<string, string> {
  const { front } = addresses;
  return {
    DATABASE_URL: addresses.databaseUrl,
    NATS_URL: addresses.natsUrl,
    ADMIN_TOKEN: addresses.adminToken,
    AUTH_SECRET: newSecret("auth"),
    SHOP_SECRET: newSecret("shop"),
    MONITOR_SECRET: newSecret("monitor"),
    AUTH_URL: front.auth,
    AUTH_PUBLIC_URL: front.auth,
    SHOP_PUBLIC_URL: front.shop,
    PUBLIC_URL: front.monitor,
    PUBLIC_GRPC: front.grpc,
    TRUSTED_PROXIES: "127.0.0.1",
    // For fleets whose viewers all come from this machine.
    VIEWERS_PER_ADDRESS: "10000",
    NOTIFY_PRIVATE: "1",
    LOG_LEVEL: "info",
  };
}

function createNode(programs: Programs, env: Record<string, string>): ClusterNode {
  let program: Program | undefined;
  const outputs: string[] = [];
  return {
    async start() {
      if (program !== undefined) throw new Error("The node runs already");
      program = programs.run(env, []);
      await programs.ports(program);
      await programs.authUrl(program);
      await programs.shopUrl(program);
    },
    async stop() {
      if (program === undefined) return null;
      // A process that already exited cannot be signaled; the rest of the cluster is stopped anyway.
      if (program.child.exitCode === null && program.child.signalCode === null) terminate(program);
      const code = await program.ended;
      outputs.push(program.output());
      program = undefined;
      return code;
    },
    async kill() {
      if (program === undefined) return;
      program.child.kill("SIGKILL");
      await program.ended;
      outputs.push(program.output());
      program = undefined;
    },
    output: () => [...outputs, program?.output() ?? ""].join(""),
  };
}

/** The bundle that an install runs, for nodes on Node. */
async function makeBundle(folder: string): Promise<ProgramFile> {
  const script = join(projectFolder, "scripts", "build.ts");
  const args = ["--import", "tsx", script, "--to", folder];
  const { code, output } = await runProcess({ command: process.execPath, args, timeoutMs: BUILD_MS });
  if (code !== 0) throw new Error(`The bundle was not built: ${output}`);
  return { runner: [process.execPath, ...nodeOptions], entry: join(folder, "trivet.js") };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/api/health`);
    const health: unknown = await response.json();
    return response.ok && typeof health === "object" && health !== null && "status" in health
      ? health.status === "ok"
      : false;
  } catch {
    return false;
  }
}

async function waitUntilHealthy(cluster: Pick<Cluster, "addresses" | "nodes">): Promise<void> {
  const { front, nodes } = cluster.addresses;
  const waiting = [front, nodes.a, nodes.b].flatMap(({ monitor, auth, shop }) => [monitor, auth, shop]);
  const endMs = performance.now() + READY_MS;
  for (const url of waiting)
    while (!(await isHealthy(url))) {
      if (performance.now() > endMs) {
        const said = nodeNames.map((name) => cluster.nodes[name].output().slice(-LOG_CHARS)).join("\n");
        throw new Error(`${url}/api/health does not become "ok":\n${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
}

/** Starts everything; what already runs is stopped again when a later part does not start. */
export async function startCluster({ runtimes, say }: ClusterOptions): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-nodes-"));
  // The front's workers pass through here to a folder of theirs.
  await chmod(folder, 0o711);
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0)) await step();
  };
  try {
    const { nginx } = await findTools(join(folder, "programs"));
    say("Starting PostgreSQL, NATS and nginx");
    const postgres = await startPostgresServer({ fast: true });
    undo.unshift(() => postgres.stop());
    const nats = await startNatsServer();
    if (nats === undefined) throw new Error("nats-server was fetched, but is not found");
    undo.unshift(() => nats.stop());
    const ports = await findPorts();
    const addresses: ClusterAddresses = {
      front: toServiceUrls(ports.front),
      nodes: { a: toServiceUrls(ports.a), b: toServiceUrls(ports.b) },
      adminToken: newSecret("adm"),
      databaseUrl: postgres.url,
      natsUrl: nats.url,
    };
    const toFrontPort = (name: keyof ServicePorts) => ({
      name,
      port: ports.front[name],
      upstreams: nodeNames.map((node) => ports[node][name]),
    });
    const front = await startFront({
      nginx,
      folder: join(folder, "front"),
      http: (["monitor", "auth", "shop"] as const).map(toFrontPort),
      grpc: toFrontPort("grpc"),
    });
    undo.unshift(() => front.stop());

    await buildPages();
    const shared = toEnvironment(addresses);
    const files = {
      node: nodeNames.some((name) => runtimes[name] === "node")
        ? await makeBundle(join(folder, "program"))
        : undefined,
      deno: { runner: denoRunner(), entry: "src/main.ts" },
    };
    const makeNode = async (name: NodeName): Promise<ClusterNode> => {
      const programs = await createPrograms([], files[runtimes[name]]);
      undo.unshift(() => programs.dispose());
      return createNode(programs, {
        ...shared,
        DATA_DIR: join(folder, name),
        MONITOR_PORT: String(ports[name].monitor),
        AUTH_PORT: String(ports[name].auth),
        SHOP_PORT: String(ports[name].shop),
        GRPC_PORT: String(ports[name].grpc),
      });
    };
    const nodes = { a: await makeNode("a"), b: await makeNode("b") };
    say(`Starting the nodes: a on ${runtimes.a}, b on ${runtimes.b}`);
    await Promise.all(nodeNames.map((name) => nodes[name].start()));
    undo.unshift(() => Promise.all(nodeNames.map((name) => nodes[name].stop())));
    await waitUntilHealthy({ addresses, nodes });
    return { addresses, nodes, postgres, nats, front, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
