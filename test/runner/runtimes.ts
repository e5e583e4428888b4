/** The runtimes that run tests, and how each reports on them. */
import { dirname, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { denoRunner, isDeno } from "../support/own-runtime.ts";
import {
  type FileCounts,
  parseJunitCounts,
  parseJunitFiles,
  parseTapCounts,
  parseTapFiles,
  type TestCounts,
} from "./counts.ts";

export interface RuntimeKind {
  readonly name: "node" | "deno";
  readonly command: () => string;
  readonly args: (file: string, report: string) => readonly string[];
  /** The report of one file; undefined when it stops before its end. */
  readonly parse: (report: string) => TestCounts | undefined;
  /** The report of several files, each a suite with its name: those that came to their end. */
  readonly parseFiles: (report: string) => FileCounts[];
  /** Where the output begins to speak of the failures alone. */
  readonly failures: RegExp;
}

/** test/runner/untracked.ts lies beside each bundle. */
const toPreload = (bundle: string): string =>
  `--import=${pathToFileURL(join(dirname(bundle), "untracked.mjs")).href}`;

let denoPath: string | undefined;

/** Node, then Deno. */
export const runtimes: readonly RuntimeKind[] = [
  {
    name: "node",
    command: () => (isDeno ? "node" : process.execPath),
    // Run directly and not by `--test`: that counts a file without a test as a test that passed.
    args: (file, report) => [
      ...(file.endsWith(".mjs") ? ["--enable-source-maps", toPreload(file)] : ["--import", "tsx"]),
      "--test-reporter=spec",
      "--test-reporter-destination=stdout",
      "--test-reporter=tap",
      `--test-reporter-destination=${report}`,
      file,
    ],
    parse: parseTapCounts,
    parseFiles: parseTapFiles,
    failures: /^✖ failing tests:$/mu,
  },
  {
    name: "deno",
    // The wrapper that npm installs is a Node program that would wait beside each file.
    command: () => (denoPath ??= denoRunner()[0]),
    args: (file, report) => ["test", "-A", "--no-check", `--junit-path=${report}`, file],
    parse: parseJunitCounts,
    parseFiles: parseJunitFiles,
    failures: /^ ERRORS $/mu,
  },
];
