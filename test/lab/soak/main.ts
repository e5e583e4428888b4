/** `npm run soak`: the three services under everything at once, for a long time; see --help. */
import { fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import process from "node:process";
import { textOf } from "../../../src/kit/thrown.ts";
import { machineLine } from "../bench/measure.ts";
import { killAllOnSignal } from "../../support/process.ts";
import { createBeside } from "./beside.ts";
import { hearChild } from "./children.ts";
import { type SoakErrors, type SoakRow, type Verdict, judgeSoak } from "./judge.ts";
import type { LoadNews, LoadOrder } from "./load.ts";
import { type SoakSettings, parseSoakSettings, soakHelp } from "./options.ts";
import { type Subjects, startSubjects } from "./subjects.ts";

const MIB = 1024 * 1024;
/** The load tells every ten seconds; what it tells is printed each minute. */
const NEWS_SECONDS = 10;
const NEWS_A_LINE = 6;

interface Heard extends SoakRow {
  readonly news: LoadNews;
}

/** How many examples of failures were printed. */
let shownExamples = 0;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function describe({ processes, news }: Heard): string {
  const { fleet, kinds } = news;
  const head =
    `${Math.round(fleet.elapsedSeconds)} s · ${fleet.connected} agents, ${fleet.acknowledged} reports, ` +
    `ack ms ${fleet.ackMs.p50}/${fleet.ackMs.p99}/${fleet.ackMs.p999} · ` +
    `${fleet.viewers.connected} viewers, ${fleet.viewers.gaps} gaps`;
  const services = processes.map(
    ({ name, rssBytes, cpuPercent, openFiles, loopDelayMs }) =>
      `  ${name}: ${Math.round(rssBytes / MIB)} MiB, ${cpuPercent} % CPU, ${openFiles} files, loop late by ${loopDelayMs} ms`,
  );
  const people = kinds
    .filter(({ answered, failed }) => answered + failed > 0)
    .map(
      ({ kind, answered, failed, p50, p99, p999 }) =>
        `${kind} ${answered / NEWS_SECONDS}/s${failed === 0 ? "" : ` (${failed} failed)`} ${p50}/${p99}/${p999} ms`,
    );
  return [head, ...services, `  ${people.join(" · ")}`].join("\n");
}

/** Prints new examples: failures are reported when they happen. */
function tellExamples(examples: readonly string[]): void {
  for (const example of examples.slice(shownExamples)) print(`  failed, for example ${example}`);
  shownExamples = examples.length;
}

/** Starts the load and listens to it to its end; gives what went wrong with it or with a service. */
async function runLoad(
  subjects: Subjects,
  { settings, onNews }: { settings: SoakSettings; onNews: (news: LoadNews) => Promise<void> },
): Promise<string | undefined> {
  const order: LoadOrder = {
    seconds: settings.minutes * 60,
    agents: settings.agents,
    viewers: settings.viewers,
    people: settings.people,
    adminToken: subjects.adminToken,
    monitorUrl: subjects.monitorUrl,
    grpc: subjects.grpc,
    authUrl: subjects.authUrl,
    shopUrl: subjects.shopUrl,
  };
  const load = fork(new URL("load.ts", import.meta.url), { execArgv: process.execArgv });
  // The other end of this channel is soak/load.ts.
  return hearChild(load, { order, onNews: (news) => onNews(news as LoadNews) });
}

function sumErrors(heard: readonly Heard[]): SoakErrors {
  const last = heard.at(-1)?.news;
  const kinds = heard.flatMap(({ news }) => news.kinds);
  // Under way something always waits.
  const waiting = last?.isLast === true ? last.fleet.waiting : 0;
  return {
    lostReports: (last?.missingReports ?? 0) + (last?.fleet.lost ?? 0) + waiting,
    rejectedReports: last?.fleet.rejected ?? 0,
    failedRequests: kinds.reduce((sum, { failed }) => sum + failed, 0),
    feedGaps: (last?.fleet.viewers.gaps ?? 0) + (last?.fleet.viewers.malformed ?? 0),
  };
}

function tell(verdict: Verdict): void {
  for (const remark of verdict.remarks) print(remark);
  for (const failure of verdict.failures) print(`FAILED: ${failure}`);
  print(verdict.failures.length === 0 ? "The soak passed" : `${verdict.failures.length} failures`);
}

const toUrls = ({ monitorUrl, authUrl, shopUrl }: Subjects) => ({
  monitor: monitorUrl,
  auth: authUrl,
  shop: shopUrl,
});
const tellCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(", ");

async function soak(settings: SoakSettings): Promise<number> {
  print(machineLine());
  const beside = await createBeside();
  const subjects = await startSubjects({ ...settings, env: beside.env });
  const heard: Heard[] = [];
  let besideProblems: readonly string[] = [];
  let codes: readonly (number | string | null)[] = [];
  let failure: string | undefined;
  try {
    failure = await runLoad(subjects, {
      settings,
      onNews: async (news) => {
        const { elapsedSeconds } = news.fleet;
        // By then the other load has set up the shop.
        if (heard.length === 0) beside.start(toUrls(subjects));
        const records = news.records + beside.records;
        const row = { elapsedSeconds, processes: await subjects.sample(), records, news };
        heard.push(row);
        if (news.isLast || heard.length % NEWS_A_LINE === 0) print(describe(row));
        tellExamples(news.examples);
      },
    });
    besideProblems = await beside.stop();
    print(`Beside: ${tellCounts(beside.counts())}`);
  } finally {
    codes = await subjects.stop();
    await beside.close();
  }
  const verdict = judgeSoak(heard, sumErrors(heard));
  const failures = [
    ...(failure === undefined ? [] : [failure]),
    ...verdict.failures,
    ...besideProblems,
    ...(codes.some((code) => code !== 0) ? [`the services ended with ${codes.join(", ")}`] : []),
  ];
  tell({ ...verdict, failures });
  if (settings.reportFile !== undefined)
    await writeFile(
      settings.reportFile,
      `${JSON.stringify({ settings, failures, rows: heard }, undefined, 1)}\n`,
    );
  return failures.length === 0 ? 0 : 1;
}

async function main(): Promise<number> {
  const parsed = parseSoakSettings(process.argv.slice(2));
  if (!parsed.ok) {
    process.stderr.write(`${parsed.problems.join("\n")}\n`);
    return 2;
  }
  if (parsed.settings.help) {
    print(soakHelp);
    return 0;
  }
  killAllOnSignal();
  try {
    return await soak(parsed.settings);
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();
