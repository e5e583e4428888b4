/**
 * `npm run clients [-- --deno] [--only sign-in|licenses] [PART OF A NAME …]`: clients that others wrote. Those of OpenID
 * Connect sign a person in at a center that runs, those of Lemon Squeezy's License API ask a shop that runs. Prints what
 * each did; the last lines count what passed and name what was skipped.
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
import { openLicenseLab } from "./licenses.ts";
import { createNativeTrial } from "./native.ts";
import { createResourceTrial } from "./resource-server.ts";

killAllOnSignal();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { deno: { type: "boolean", default: false }, only: { type: "string" } },
});
const [deno] = values.deno ? denoRunner() : [];
const own = values.deno ? denoRunner() : undefined;
const runner: Runner =
  deno === undefined ? [process.execPath] : [deno, "run", "-A", "--no-check", "--node-modules-dir=manual"];
const skipped: string[] = [];
let tried = 0;
let passed = 0;

async function runAll(trials: readonly { name: string; run: () => Promise<string> }[]): Promise<void> {
  for (const { name, run } of trials) {
    if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
    tried += 1;
    try {
      console.log(`ok    ${name}: ${await run()}`);
      passed += 1;
    } catch (error) {
      console.log(`FAIL  ${name}: ${textOf(error)}`);
    }
  }
}

async function trySignIns(): Promise<void> {
  const { folder, remove } = await installClients("apps");
  const trials: Trial[] = npmApps.map((app) => toTrial(app, toStart(app.file, { runner, cwd: folder })));
  trials.push(
    createNativeTrial(toStart("appauth.mjs", { runner, cwd: folder })),
    createResourceTrial(toStart("jwt-bearer.mjs", { runner, cwd: folder })),
  );
  if ((await findChromium()) === undefined) skipped.push("oidc-client-ts: there is no Chromium");
  else trials.push(createChromiumTrial(folder));
  const debian = await findDebianTrials();
  trials.push(...debian.trials);
  skipped.push(...debian.skipped);
  const lab = await openLab(own);
  try {
    await runAll(trials.map(({ name, run }) => ({ name, run: () => run(lab) })));
  } finally {
    await lab.stop();
    await remove();
  }
}

async function tryLicenses(): Promise<void> {
  const { folder, remove } = await installClients("licenses");
  const lab = await openLicenseLab(folder, { runner, own });
  try {
    await runAll(lab.trials);
  } finally {
    await lab.stop();
    await remove();
  }
}

await buildPages();
if (values.only !== "licenses") await trySignIns();
if (values.only !== "sign-in") await tryLicenses();
for (const line of skipped) console.log(`skip  ${line}`);
console.log(
  `${passed} of ${tried} clients passed on ${values.deno ? "Deno" : "Node"}, ${skipped.length} skipped`,
);
process.exitCode = passed === tried && tried > 0 ? 0 : 1;
