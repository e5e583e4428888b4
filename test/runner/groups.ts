/**
 * Which test files share a process. Each process loads the packages and warms up, which takes longer than the tests of
 * most files; files that start programs, measure or take long have separate processes.
 */
import { readFile } from "node:fs/promises";
import { relative, sep } from "node:path";
import { meetsRuntime } from "./reach.ts";

/** Rooms whose tests run in their own process alone and leave nothing behind, also where they listen or start programs. */
const sharedRooms: ReadonlySet<string> = new Set(["auth", "kit", "monitor", "records", "shop", "web"]);

/** Rooms whose tests do so unless they listen or start programs. */
const partlySharedRooms: ReadonlySet<string> = new Set(["agent", "contract", "hostile", "store"]);

/** Measures memory, or changes what the whole process has. */
const alone = /(?:memory|property|health|kill|crash|web[\\/]format)[^\\/]*\.test\.ts$/u;

/** Waits while it loads, at the margin or in a loop there: its suites would come when those of all others are known. */
const awaitsAtLoad =
  /^(?:const .* = )?await |^(?:for|if) [^\n]*\n(?:(?: {2}[^\n]*)?\n)*? {2}(?:const [^\n]* = )?\(?await /mu;

/** Seconds of tests, and files, after which a process has enough. */
const FULL_SECONDS = 40;
const FULL_FILES = 40;

/** A file that takes longer is better begun by itself, beside others. */
const LONG_SECONDS = 15;

/**
 * Puts files that may share a process together, neighbours first.
 * @param secondsOf how long a file takes in a process of its own
 */
export async function groupFiles(
  files: readonly string[],
  options: { folder: string; secondsOf: (file: string) => number },
): Promise<string[][]> {
  const groups: string[][] = [];
  let open: { room: string; seconds: number; group: string[] } | undefined;
  for (const file of files) {
    const room = relative(options.folder, file).split(sep)[0] ?? "";
    const seconds = options.secondsOf(file);
    const isShared = sharedRooms.has(room) || (partlySharedRooms.has(room) && !meetsRuntime(file));
    if (
      !isShared ||
      alone.test(file) ||
      seconds > LONG_SECONDS ||
      awaitsAtLoad.test(await readFile(file, "utf8"))
    ) {
      groups.push([file]);
    } else if (
      open?.room === room &&
      open.seconds + seconds <= FULL_SECONDS &&
      open.group.length < FULL_FILES
    ) {
      open.group.push(file);
      open.seconds += seconds;
    } else {
      open = { room, seconds, group: [file] };
      groups.push(open.group);
    }
  }
  return groups;
}
