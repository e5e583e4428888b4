/**
 * `npm run nodes`: two nodes of all three services on one PostgreSQL and one NATS behind nginx, on loopback, for
 * as long as one looks; with --test the suites of test/nodes run against them. Needs Debian's nginx and
 * nats-server, or fetches them.
 */
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { CLUSTER_VARIABLE, openControl } from "./control.ts";
import { installTools } from "./tools.ts";
import { killAll, projectFolder, runProcess } from "../../support/process.ts";

const help = `Usage: npm run nodes [-- OPTIONS] [part of a test's path …]

  --test     runs the suites of test/nodes against the front, and stops
  --deno     runs the nodes on Deno
  --mixed    runs one on Node and one on Deno
  --install  installs Debian's nginx and nats-server where they are missing, and ends
  --verbose  shows what each test says
  --help     prints this`;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe({ addresses }: Cluster): string {
  const { front, nodes } = addresses;
  const lines = (["monitor", "auth", "shop"] as const).map(
    (service) =>
      `  ${service.padEnd(8)} ${front[service]}/   a ${nodes.a[service]}/   b ${nodes.b[service]}/`,
  );
  return [
    "",
    ...lines,
    `  agents   ${front.grpc}               a ${nodes.a.grpc}           b ${nodes.b.grpc}`,
    `  database ${addresses.databaseUrl}`,
    `  bus      ${addresses.natsUrl}`,
    `\n  Administrator token: ${addresses.adminToken}`,
    "",
    "Ctrl-C ends it.",
  ].join("\n");
}

async function runTests(
  cluster: Cluster,
  options: { verbose: boolean; filters: readonly string[] },
): Promise<number> {
  const control = await openControl(cluster);
  try {
    const args = ["--nodes", "--node", "--jobs=1", ...(options.verbose ? ["--verbose"] : [])];
    const { code } = await runProcess({
      command: process.execPath,
      args: [
        "--import",
        "tsx",
        join(projectFolder, "test", "runner", "main.ts"),
        ...args,
        ...options.filters,
      ],
      env: { [CLUSTER_VARIABLE]: JSON.stringify(control.access) },
      inherit: true,
    });
    return code ?? 1;
  } finally {
    await control.close();
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      test: { type: "boolean", default: false },
      deno: { type: "boolean", default: false },
      mixed: { type: "boolean", default: false },
      install: { type: "boolean", default: false },
      verbose: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    say(help);
    return 0;
  }
  if (values.install) {
    await installTools();
    return 0;
  }
  const b = values.deno || values.mixed ? "deno" : "node";
  const ended = new Promise<number>((resolve) => {
    const end = (code: number): void => {
      killAll();
      resolve(code);
    };
    // A terminal and npm both tell of Ctrl-C: the second telling must not cut the end short.
    process.on("SIGINT", () => end(130));
    process.on("SIGTERM", () => end(143));
  });
  const cluster = await startCluster({ runtimes: { a: values.deno ? "deno" : "node", b }, say });
  try {
    if (values.test)
      return await Promise.race([
        runTests(cluster, { verbose: values.verbose, filters: positionals }),
        ended,
      ]);
    say(describe(cluster));
    await ended;
    return 0;
  } finally {
    await cluster.stop();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
}
