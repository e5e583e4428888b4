/** The files of the dashboard in src/web/built, read once: the page, and what it names. */
import { readFile, readdir } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import { createEntityTag } from "./etag.ts";

const compress = promisify(gzip);
const folder = new URL("../../web/built/", import.meta.url);
const PAGE = "index.html";
const MIN_COMPRESSED = 1_024;

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
};

/** A file as it is sent. */
export interface WebAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Absent when compression gains nothing. */
  readonly gzipped?: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly etag: string;
  /** The name holds a hash of the content: it never changes. */
  readonly isHashed: boolean;
}

async function readAsset(name: string): Promise<WebAsset> {
  const bytes = new Uint8Array(await readFile(new URL(name, folder)));
  const isWorthIt = bytes.length >= MIN_COMPRESSED;
  return {
    bytes,
    ...(isWorthIt
      ? { gzipped: new Uint8Array(await compress(bytes, { level: constants.Z_BEST_COMPRESSION })) }
      : {}),
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    etag: await createEntityTag(bytes),
    isHashed: /-[A-Za-z0-9]{8,}\.\w+$/u.test(name),
  };
}

/** Reads the files. Throws when the folder is missing: it comes with the program. */
export async function loadWebAssets() {
  const names = (await readdir(folder)).filter((name) => name !== PAGE);
  const assets = new Map<string, WebAsset>();
  for (const name of names) assets.set(name, await readAsset(name));
  const languages = names.flatMap((name) => /^locale-([\w-]+)\.json$/u.exec(name)?.[1] ?? []);
  return {
    /** The file of that exact name, or undefined. */
    find: (name: string): WebAsset | undefined => assets.get(name),
    /** The HTML page; `{{title}}` and `{{theme}}` stand where texts go. */
    page: await readFile(new URL(PAGE, folder), "utf8"),
    /** Languages that there are texts for, such as "en". */
    languages: languages.sort(),
  };
}

export type WebAssets = Awaited<ReturnType<typeof loadWebAssets>>;
