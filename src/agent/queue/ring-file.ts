/** The ring's file: one JSON line for each report kept or acknowledged. */
import type { AppendFile, FileLayer } from "../../kit/files/file-layer.ts";
import type { Report } from "./report-queue.ts";

export interface RingContent {
  /** Reports that were not acknowledged, in order of collection. */
  readonly reports: readonly Report[];
  /** The newest time of collection that the file knows of. */
  readonly last: number | undefined;
}

type Line = { readonly kept: Report } | { readonly settled: number } | { readonly last: number };

function toLine(line: Line): string {
  if ("kept" in line)
    return `${JSON.stringify({ t: line.kept.collectedAtUnixMs, p: line.kept.payloadJson })}\n`;
  return `${JSON.stringify("settled" in line ? { a: line.settled } : { last: line.last })}\n`;
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

function parseLine(text: string): Line | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  if ("t" in value && isTime(value.t) && "p" in value && typeof value.p === "string") {
    return { kept: { collectedAtUnixMs: value.t, payloadJson: value.p } };
  }
  if ("a" in value && isTime(value.a)) return { settled: value.a };
  return "last" in value && isTime(value.last) ? { last: value.last } : undefined;
}

async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = parseLine(part);
      if (line !== undefined) yield line;
    }
  }
  // What follows the last newline was torn, even if it happens to parse.
}

/** The file at `path`, made when it is first written. */
export function createRingFile(files: FileLayer, path: string) {
  const encoder = new TextEncoder();
  let handle: AppendFile | undefined;
  let lines = 0;

  /** Closes the handle; later calls open it again. */
  async function close(): Promise<void> {
    const old = handle;
    handle = undefined;
    await old?.close();
  }

  async function write(file: AppendFile, content: readonly Line[]): Promise<void> {
    await file.append(encoder.encode(content.map(toLine).join("")));
    await file.datasync();
  }

  /** Replaces everything, by a second file and a rename. */
  async function rewrite(content: RingContent): Promise<void> {
    await close();
    const head: Line[] = content.last === undefined ? [] : [{ last: content.last }];
    const all = [...head, ...content.reports.map((kept) => ({ kept }))];
    const next = await files.openAppend(`${path}.next`, { truncate: true });
    try {
      await write(next, all);
    } finally {
      await next.close();
    }
    await files.rename(`${path}.next`, path);
    lines = all.length;
  }

  return {
    async load(): Promise<RingContent> {
      const reports = new Map<number, Report>();
      let last: number | undefined;
      for await (const line of readLines((await files.readChunks(path)) ?? (async function* () {})())) {
        if ("kept" in line) reports.set(line.kept.collectedAtUnixMs, line.kept);
        else if ("settled" in line) reports.delete(line.settled);
        const time = "kept" in line ? line.kept.collectedAtUnixMs : "last" in line ? line.last : line.settled;
        last = Math.max(last ?? time, time);
        lines += 1;
      }
      return { reports: [...reports.values()], last };
    },
    /** Adds reports, and marks others as settled; on disk when it resolves. */
    async append(reports: readonly Report[], settled: readonly number[]): Promise<void> {
      handle ??= await files.openAppend(path);
      await write(handle, [
        ...reports.map((kept) => ({ kept })),
        ...settled.map((time) => ({ settled: time })),
      ]);
      lines += reports.length + settled.length;
    },
    rewrite,
    /** Drops everything. */
    async clear(): Promise<void> {
      await close();
      await files.remove(path);
      lines = 0;
    },
    close,
    /** Lines since the last rewrite. */
    get lines(): number {
      return lines;
    },
  };
}

export type RingFile = ReturnType<typeof createRingFile>;
