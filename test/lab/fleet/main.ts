/** `npm run fleet`: simulated agents and viewers against a monitor; see --help. The work is in fleet/run.ts. */
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { textOf } from "../../../src/kit/thrown.ts";
import { type FleetSettings, fleetHelp, parseFleetSettings } from "./options.ts";
import { type FleetProgress, type FleetResult, runFleet } from "./run.ts";
import { hasOtherNodes, verifyFleet } from "./verify.ts";
import { verifyWatched } from "./watched.ts";

const MIB = 1024 * 1024;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describeProgress(progress: FleetProgress): string {
  const { ackMs, viewers, serverProcess } = progress;
  const parts = [
    `${progress.elapsedSeconds} s`,
    `connected ${progress.connected}`,
    `sent ${progress.sent}`,
    `acknowledged ${progress.acknowledged}`,
    `rejected ${progress.rejected}`,
    `duplicates ${progress.duplicates}`,
    `waiting ${progress.waiting}`,
    `lost ${progress.lost}`,
    `ack ms p50 ${ackMs.p50} p99 ${ackMs.p99} p99.9 ${ackMs.p999}`,
  ];
  if (viewers.connected + viewers.disconnects + viewers.frames > 0) {
    const each = Math.max(1, viewers.connected);
    parts.push(
      `viewers ${viewers.connected}, each ${Math.round(viewers.frames / each)} frames ${(viewers.bytes / each / MIB).toFixed(1)} MiB`,
      `gaps ${viewers.gaps} malformed ${viewers.malformed} dropped ${viewers.disconnects}`,
      `slowest first frame ${Math.round(viewers.slowestFirstFrameMs)} ms`,
    );
  }
  if (progress.watched !== undefined) {
    const { tries, pings, acknowledged, failed, pingMs, downAfterMs, alertAfterMs } = progress.watched;
    parts.push(
      `tries ${tries} · pings ${pings} acknowledged ${acknowledged} failed ${failed} ms p50 ${pingMs.p50} p99 ${pingMs.p99}`,
      `down known after ${downAfterMs} ms, alert after ${alertAfterMs} ms`,
    );
  }
  if (serverProcess !== undefined) {
    parts.push(`server ${serverProcess.cpuPercent} % CPU ${Math.round(serverProcess.rssBytes / MIB)} MiB`);
  }
  parts.push(`fleet ${progress.ownCpuPercent} % CPU, late by ${progress.ownLagMs} ms`);
  return parts.join(" · ");
}

/** Checks and heartbeats, when there were any; gives how much is missing. */
async function verifyWatchedOf(
  settings: FleetSettings,
  { checksAndJobs, watched }: FleetResult,
): Promise<number> {
  if (!settings.verify || checksAndJobs === undefined) return 0;
  const { url, adminToken } = settings;
  const { pingsMissing, pingsSurplus, triesMissing } = await verifyWatched(
    { url, adminToken },
    checksAndJobs,
  );
  print(
    `Verified: ${pingsMissing} acknowledged pings missing, ${pingsSurplus} beyond them; ${triesMissing ?? "an unknown number of"} tries missing in the history`,
  );
  return pingsMissing + (triesMissing ?? 1) + (watched?.failed ?? 0);
}

async function run(settings: FleetSettings): Promise<number> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const result = await runFleet({
    ...settings,
    signal: stop.signal,
    onProgress: (progress) => print(describeProgress(progress)),
  });
  print(`End: ${describeProgress(result)}`);
  for (const [reason, count] of Object.entries(result.reasons)) print(`Disconnected ${count} ×: ${reason}`);
  const verification = settings.verify
    ? await verifyFleet({ url: settings.url, adminToken: settings.adminToken, accounts: result.accounts })
    : undefined;
  if (verification !== undefined) {
    const { checked, unknown, missing } = verification;
    print(
      `Verified: ${checked} servers checked, ${missing} acknowledged reports missing, ${unknown} could not be told`,
    );
    if (missing > 0 && (await hasOtherNodes(settings.url)))
      print(
        "A node that was killed has its latest reports in its sample log: charts have them once it runs again",
      );
  }
  if (settings.reportFile !== undefined) {
    await writeFile(settings.reportFile, `${JSON.stringify({ ...result, verification }, undefined, 1)}\n`);
  }
  const watched = await verifyWatchedOf(settings, result);
  const failed = result.lost + result.waiting + result.rejected;
  // What was to be verified and could not be has not passed.
  const unproven = (verification?.missing ?? 0) + (verification?.unknown ?? 0) + watched;
  return failed + unproven > 0 ? 1 : 0;
}

async function main(): Promise<number> {
  const parsed = parseFleetSettings(process.argv.slice(2), process.env);
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problems.join("\n")}\n`);
    return 2;
  }
  if (parsed.settings.help) {
    print(fleetHelp);
    return 0;
  }
  try {
    return await run(parsed.settings);
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();
