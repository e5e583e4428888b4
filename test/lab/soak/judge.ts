/** Whether a long run was a good one. Pure. */

/** A service's process at one moment. */
export interface ProcessSample {
  readonly name: string;
  readonly rssBytes: number;
  readonly cpuPercent: number;
  readonly openFiles: number;
  /** Longest delay of its event loop since the sample before, milliseconds. */
  readonly loopDelayMs: number;
}

/** What happened between two looks. */
export interface SoakRow {
  readonly elapsedSeconds: number;
  readonly processes: readonly ProcessSample[];
  /** Records that the load has made since the start: orders, accounts, sessions. */
  readonly records: number;
}

/** What must be zero at the end. */
export interface SoakErrors {
  readonly lostReports: number;
  readonly rejectedReports: number;
  readonly failedRequests: number;
  readonly feedGaps: number;
}

export interface Verdict {
  /** Sentences; none means that the run was good. */
  readonly failures: readonly string[];
  /** What can be said besides. */
  readonly remarks: readonly string[];
}

/** Rings of single reports fill for 15 minutes, and spans of history gather for five: before, growth means nothing. */
const SETTLED_SECONDS = 17 * 60;
/** A run whose settled part is shorter than this says nothing of growth. */
const JUDGED_SECONDS = 3 * 60;
/** What a stored record may take with its indexes, notice, mails and audit; see docs/benchmarks.md, memory of the shop after the start. */
const RECORD_BYTES = 12 * 1024;
/** Collections come when they come: resident memory of a quiet process moves by this much. */
const NOISE_BYTES = 24 * 1024 * 1024;
const NOISE_SHARE = 0.05;
const MORE_FILES = 32;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function toMib(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MiB`;
}

interface Spans {
  readonly before: readonly SoakRow[];
  readonly after: readonly SoakRow[];
}

/** The first and the last third of what came after everything had settled; undefined when that was too short. */
function findSpans(rows: readonly SoakRow[]): Spans | undefined {
  const settled = rows.filter(({ elapsedSeconds }) => elapsedSeconds >= SETTLED_SECONDS);
  const [first] = settled;
  const last = settled.at(-1);
  if (first === undefined || last === undefined) return undefined;
  if (last.elapsedSeconds - first.elapsedSeconds < JUDGED_SECONDS) return undefined;
  const third = Math.max(1, Math.floor(settled.length / 3));
  return { before: settled.slice(0, third), after: settled.slice(-third) };
}

function judgeProcess(name: string, { before, after }: Spans): Verdict {
  const read = (rows: readonly SoakRow[], pick: (sample: ProcessSample) => number): number =>
    median(rows.flatMap(({ processes }) => processes.filter((one) => one.name === name).map(pick)));
  const failures: string[] = [];
  const rssBefore = read(before, ({ rssBytes }) => rssBytes);
  const rssAfter = read(after, ({ rssBytes }) => rssBytes);
  const records = median(after.map((row) => row.records)) - median(before.map((row) => row.records));
  const allowed = records * RECORD_BYTES + Math.max(NOISE_BYTES, rssBefore * NOISE_SHARE);
  const grown = rssAfter - rssBefore;
  if (grown > allowed)
    failures.push(
      `${name}: memory grew by ${toMib(grown)}, and ${records} records explain ${toMib(allowed)}`,
    );
  const filesBefore = read(before, ({ openFiles }) => openFiles);
  const filesAfter = read(after, ({ openFiles }) => openFiles);
  if (filesAfter > filesBefore + MORE_FILES)
    failures.push(`${name}: open files grew from ${filesBefore} to ${filesAfter}`);
  const delayBefore = read(before, ({ loopDelayMs }) => loopDelayMs);
  const delayAfter = read(after, ({ loopDelayMs }) => loopDelayMs);
  if (delayAfter > 3 * delayBefore + 100)
    failures.push(`${name}: the event loop's delay grew from ${delayBefore} to ${delayAfter} ms`);
  const remark = `${name}: ${toMib(rssBefore)} when settled, ${toMib(rssAfter)} at the end, ${records} records more`;
  return { failures, remarks: [remark] };
}

/** Judges a whole run. */
export function judgeSoak(rows: readonly SoakRow[], errors: SoakErrors): Verdict {
  const failures: string[] = [];
  if (errors.lostReports > 0) failures.push(`${errors.lostReports} acknowledged reports are missing`);
  if (errors.rejectedReports > 0) failures.push(`${errors.rejectedReports} reports were rejected`);
  if (errors.failedRequests > 0) failures.push(`${errors.failedRequests} requests failed`);
  if (errors.feedGaps > 0) failures.push(`${errors.feedGaps} frames were missing in the feed`);
  const spans = findSpans(rows);
  if (spans === undefined)
    return {
      failures,
      remarks: ["Growth was not judged: that takes 20 minutes, until everything has settled"],
    };
  const names = new Set(rows.flatMap(({ processes }) => processes.map(({ name }) => name)));
  const verdicts = [...names].map((name) => judgeProcess(name, spans));
  return {
    failures: [...failures, ...verdicts.flatMap((verdict) => verdict.failures)],
    remarks: verdicts.flatMap(({ remarks }) => remarks),
  };
}
