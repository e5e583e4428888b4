/**
 * `npm run clients [-- --deno] [PART OF A NAME …]`: clients of OpenID Connect that others wrote sign a person in at a center
 * that runs. Prints what each did; the last lines count what passed and name what was skipped.
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { textOf } from "../../../src/kit/thrown.ts";
import { findChromium } from "../../support/browser/chromium.ts";
import { denoRunner } from "../../support/own-runtime.ts";
import { buildPages } from "../../support/pages.ts";
import { killAllOnSignal } from "../../support/process.ts";
import type { Runner } from "../../support/program.ts";
import { installClients, npmApps, toStart, toTrial } from "./apps.ts";
import { createChromiumTrial } from "./chromium.ts";
import { findDebianTrials } from "./debian.ts";
import { type Trial, openLab } from "./lab.ts";
import { createNativeTrial } from "./native.ts";
import { createResourceTrial } from "./resource-server.ts";

killAllOnSignal();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { deno: { type: "boolean", default: false } },
});
const skipped: string[] = [];
const trials: Trial[] = [];
const clients = await installClients();
const [deno] = values.deno ? denoRunner() : [];
const runner: Runner =
  deno === undefined ? [process.execPath] : [deno, "run", "-A", "--no-check", "--node-modules-dir=manual"];
trials.push(...npmApps.map((app) => toTrial(app, toStart(app.file, { runner, cwd: clients.folder }))));
trials.push(
  createNativeTrial(toStart("appauth.mjs", { runner, cwd: clients.folder })),
  createResourceTrial(toStart("jwt-bearer.mjs", { runner, cwd: clients.folder })),
);
if ((await findChromium()) === undefined) skipped.push("oidc-client-ts: there is no Chromium");
else trials.push(createChromiumTrial(clients.folder));
const debian = await findDebianTrials();
trials.push(...debian.trials);
skipped.push(...debian.skipped);

const chosen = trials.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
await buildPages();
const lab = await openLab(values.deno ? denoRunner() : undefined);
let passed = 0;
try {
  for (const { name, run } of chosen)
    try {
      console.log(`ok    ${name}: ${await run(lab)}`);
      passed += 1;
    } catch (error) {
      console.log(`FAIL  ${name}: ${textOf(error)}`);
    }
} finally {
  await lab.stop();
  await clients.remove();
}
for (const line of skipped) console.log(`skip  ${line}`);
console.log(
  `${passed} of ${chosen.length} clients passed on ${values.deno ? "Deno" : "Node"}, ${skipped.length} skipped`,
);
process.exitCode = passed === chosen.length && chosen.length > 0 ? 0 : 1;
