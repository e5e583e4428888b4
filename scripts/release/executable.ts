/** Node's single executable applications: https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { projectFolder } from "../process.ts";
import { must } from "./packages.ts";
import { stripSymbols } from "../../src/runtime/strip-symbols.ts";

const SENTINEL = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Compresses what is to be downloaded. */
export const compress = (bytes: Uint8Array): Promise<Buffer> =>
  promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION });

export interface BlobOptions {
  /** The Node that the file will be: it makes its own blob. */
  readonly node: string;
  /** An empty folder for what arises on the way. */
  readonly folder: string;
  /** CommonJS, the only thing that such a file starts with. */
  readonly script: Uint8Array | string;
  /** Options of Node and V8 that the file always has. */
  readonly nodeOptions: readonly string[];
  /** Files that come along, by the names that `node:sea` hands them out. */
  readonly assets?: Readonly<Record<string, string>>;
}

/**
 * Creates the blob to inject into Node; it has no compiled code, so that it is the same for all processors.
 */
export async function makeBlob({ node, folder, script, nodeOptions, assets }: BlobOptions): Promise<string> {
  await writeFile(join(folder, "main.cjs"), script);
  const settings = {
    main: "main.cjs",
    output: "main.blob",
    disableExperimentalSEAWarning: true,
    useCodeCache: false,
    execArgv: nodeOptions,
    execArgvExtension: "none",
    assets,
  };
  await writeFile(join(folder, "sea.json"), JSON.stringify(settings));
  await must(node, ["--experimental-sea-config", "sea.json"], folder);
  return join(folder, "main.blob");
}

/** Copies Node, without its symbols, to `file` with the blob inside. */
export async function putIntoNode(file: string, parts: { node: string; blob: string }): Promise<void> {
  await writeFile(file, stripSymbols(await readFile(parts.node)));
  await chmod(file, 0o755);
  const postject = join(projectFolder, "node_modules", "postject", "dist", "cli.js");
  const args = [postject, file, "NODE_SEA_BLOB", parts.blob, "--sentinel-fuse", SENTINEL];
  await must(process.execPath, args, projectFolder);
}
