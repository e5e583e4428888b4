/** Which lines of the program a simulation reaches, by room: what V8 counts in the bundle, by the lines of the sources. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { projectFolder } from "../../support/process.ts";
import { buildSimulation } from "../build.ts";
import type { simulate } from "../entry.ts";

export interface RoomCoverage {
  /** Such as "shop/orders". */
  readonly room: string;
  readonly lines: number;
  readonly reached: number;
}

interface Counted {
  readonly functionName: string;
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

/** For each character, whether it ran. Inner ranges come after those around them. */
function paint(length: number, functions: readonly Counted[]): Uint8Array {
  const ran = new Uint8Array(length);
  const ranges = functions
    .flatMap(({ ranges: own }) => own)
    .toSorted((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

const PREFIX = "//# sourceMappingURL=data:application/json;base64,";

function readMap(text: string): SourceMap {
  const encoded = text.slice(text.lastIndexOf(PREFIX) + PREFIX.length).trim();
  return new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()) as SourceMapPayload); // esbuild's
}

/** The lines of src by room: "src/shop/orders/order.ts" is in "shop/orders". */
function count(text: string, ran: Uint8Array): RoomCoverage[] {
  const map = readMap(text);
  const rooms = new Map<string, Map<string, boolean>>();
  let offset = 0;
  for (const [number, line] of text.slice(0, text.lastIndexOf(PREFIX)).split("\n").entries()) {
    const column = line.search(/\S/u);
    // Empty where there is none.
    const entry: Partial<SourceMapping> = column < 0 ? {} : map.findEntry(number, column);
    const { originalSource = "", generatedLine, originalLine } = entry;
    const [, path] = /^(?:\.\.\/)*src\/(.*)$/u.exec(originalSource) ?? [];
    if (path !== undefined && generatedLine === number) {
      const room = path.split("/").slice(0, -1).slice(0, 2).join("/");
      const lines = rooms.get(room) ?? new Map<string, boolean>();
      const name = `${path}:${originalLine}`;
      rooms.set(room, lines.set(name, lines.get(name) === true || ran[offset + column] === 1));
    }
    offset += line.length + 1;
  }
  return Array.from(rooms, ([room, lines]) => ({
    room,
    lines: lines.size,
    reached: [...lines.values()].filter(Boolean).length,
  })).toSorted((a, b) => (a.room < b.room ? -1 : 1));
}

/** Runs simulations in this process and counts what they reach. On Node.js alone. */
export async function measureCoverage(
  run: (given: typeof simulate) => Promise<void>,
): Promise<RoomCoverage[]> {
  const parent = join(projectFolder, "node_modules", ".simulation");
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, "coverage-"));
  const session = new Session();
  session.connect();
  try {
    const file = join(folder, "simulation.mjs");
    await buildSimulation(file);
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    const url = pathToFileURL(file).href;
    const loaded = (await import(url)) as { simulate: typeof simulate }; // what build.ts bundles
    await run(loaded.simulate);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const text = await readFile(file, "utf8");
    const script = result.find((found) => found.url === url);
    return count(text, paint(text.length, script?.functions ?? []));
  } finally {
    session.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}
