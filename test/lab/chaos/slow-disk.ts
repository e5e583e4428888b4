/** A disk whose every sync takes two seconds: reads and health must not wait for it. */
import { startCareless } from "./careless.ts";
import { type ChaosCase, type Found, type Surroundings, pause, toSeconds } from "./case.ts";
import { type Answer, ask, askOften, toQuantile } from "./requests.ts";
import { createSubject } from "./subject.ts";
import { createTraffic, toFound } from "./traffic.ts";

const SYNC_MS = 2_000;
const READ_LIMIT_MS = 500;

function judge(answers: readonly Answer[], limitMs: number): { problems: string[]; p99: number } {
  const p99 = toQuantile(answers, 0.99);
  const refused = answers.filter(({ status }) => status !== 200).length;
  const problems = refused > 0 ? [`${refused} of ${answers.length} reads were not answered with 200`] : [];
  if (!(p99 <= limitMs)) problems.push(`p99 ${p99.toFixed(0)} ms`);
  return { problems, p99 };
}

async function slowPrograms(around: Surroundings): Promise<Found> {
  const services = ["monitor", "auth", "shop"] as const;
  const subject = await createSubject(around, { services, isFragile: true });
  await subject.start();
  const traffic = createTraffic(subject, services);
  await traffic.prepare();
  traffic.start();
  await pause(500);
  subject.harm({ syncMs: SYNC_MS });
  await pause(200);
  const endMs = performance.now() + (around.isQuick ? 6_000 : 20_000);
  const answers = await askOften(() => performance.now() > endMs, {
    urls: [
      `${subject.url("shop")}/api/products`,
      `${subject.url("monitor")}/api/servers`,
      ...services.map((service) => `${subject.url(service)}/api/health`),
    ],
    everyMs: 50,
  });
  subject.harm({});
  await pause(SYNC_MS + 500);
  await traffic.stop();
  const books = await traffic.audit();
  const { problems, p99 } = judge(answers, around.within(READ_LIMIT_MS));
  problems.push(...books.problems);
  return {
    isKept: problems.length === 0,
    done: `syncs of ${toSeconds(SYNC_MS)} under load`,
    acknowledged: books.acknowledged,
    found: `${toFound(problems)}; ${answers.length} reads, p99 ${p99.toFixed(0)} ms`,
  };
}

async function slowCareless(around: Surroundings): Promise<Found> {
  const { url } = await startCareless(around, "sync");
  const endMs = performance.now() + 5_000;
  const isOver = (): boolean => performance.now() > endMs;
  const writing = (async () => {
    while (!isOver()) await ask(url, { method: "POST", body: {} });
  })();
  const answers = await askOften(isOver, { urls: [url], everyMs: 50 });
  await writing;
  // Its syncs take two seconds on every machine: a limit that --slack makes longer than that would notice nothing.
  const { problems, p99 } = judge(answers, READ_LIMIT_MS);
  return {
    isKept: problems.length === 0,
    done: `syncs of ${toSeconds(SYNC_MS)} under load`,
    acknowledged: "",
    found: `${answers.length} reads, p99 ${p99.toFixed(0)} ms`,
  };
}

/** See the module's header. */
export const slowDisk: ChaosCase = {
  name: "slow-disk",
  promise: "Slow disk, 2 s a sync: reads p99 at most 500 ms, health answers",
  parts: [
    { name: "all services", run: slowPrograms },
    { name: "a server that syncs in the way of reads", isControl: true, run: slowCareless },
  ],
};
