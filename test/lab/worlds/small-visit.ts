/** Inside of the small machine: starts the services by the script that limits them, and lives a first day with them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type ProgramFile, createPrograms, terminate } from "../../support/program.ts";
import { runProcess } from "../../support/process.ts";
import { type Services, TOKEN, awaitReport, makeAgentKey, makeFirstSale } from "./first-day.ts";

const [folder = "", bundle = "", node = ""] = process.argv.slice(2);
const say = (text: string): void => console.log(`> ${text}`);
const settings = `ADMIN_TOKEN=${TOKEN} MONITOR_PORT=0 SHOP_PORT=0 AUTH_PORT=8082 GRPC_PORT=0`.split(" ");

const addresses = Object.values(networkInterfaces()).flat();
assert.ok(!addresses.some((each) => each?.family === "IPv6"), "IPv6 is off");
// The script ends with the program's own arguments, of which there are none: what it gets are variables.
const file: ProgramFile = { runner: ["sh", join(folder, "start.sh")], entry: settings[0] ?? "" };
const programs = await createPrograms(settings.slice(1), file);
try {
  const from = performance.now();
  const program = programs.run();
  const services: Services = {
    shop: await programs.shopUrl(program),
    auth: await programs.authUrl(program),
    monitor: `http://127.0.0.1:${(await programs.ports(program)).http}`,
  };
  say(`all limits at once: ready after ${((performance.now() - from) / 1_000).toFixed(1)} s`);
  await makeFirstSale(services);
  const agent = spawn(
    node,
    [join(bundle, "agent.js"), "--enrol", await makeAgentKey(services), "--url", services.monitor],
    { env: { PATH: process.env["PATH"] ?? "", TRIVET_DATA: join(folder, "agent") }, stdio: "ignore" },
  );
  say(`first sale, first report after ${(await awaitReport(services)).toFixed(1)} s`);
  agent.kill("SIGTERM");
  const status = await readFile(`/proc/${program.child.pid}/status`, "utf8");
  say(`resident: ${(Number(/VmRSS:\s+(\d+)/u.exec(status)?.[1]) / 1_024).toFixed(0)} MiB`);
  const data = join(folder, "a disk/my data");
  const open = await runProcess({ command: "find", args: [data, "-perm", "/077"] });
  assert.equal(open.output, "", "umask 077");
  terminate(program);
  assert.equal(await program.ended, 0, program.output());
  const again = programs.run();
  await programs.shopUrl(again);
  terminate(again);
  assert.equal(await again.ended, 0, again.output());
  say("SIGTERM ends it with 0, and it starts again on its data");
} finally {
  await programs.dispose();
}
