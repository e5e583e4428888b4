/** The files in src/web/built, which scripts/pages.js builds, read once: the dashboard and what it names, and the style sheet of all other pages. */
import { readFile, readdir } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Context } from "hono";
import { z } from "zod";
import type { AppEnv, ServiceApp } from "./app.ts";
import { AppError } from "../errors.ts";
import { escapeHtml } from "../text/html.ts";
import { readThemeCookie } from "./cookies.ts";
import { createEntityTag, isKnownTag } from "./etag.ts";

const compress = promisify(gzip);
const folder = new URL("../../web/built/", import.meta.url);
const PAGE = "index.html";
const MANIFEST = "site.webmanifest";
/** All flags as one file: country → SVG. */
const FLAGS = "flags.json";
const MIN_COMPRESSED = 1_024;
const FOREVER = "public, max-age=31536000, immutable";
const FOR_A_WEEK = "public, max-age=604800";

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".webp": "image/webp",
  ".html": "text/html; charset=utf-8",
};

/** A file as it is sent. */
export interface WebAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Absent when compression gains nothing. */
  readonly gzipped?: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly etag: string;
  /** How long browsers keep it. */
  readonly cacheControl: string;
}

function toCacheControl(name: string): string {
  // The name holds a hash of the content: it never changes.
  if (/-[A-Za-z0-9]{8,}\.\w+$/u.test(name)) return FOREVER;
  // Flags hardly ever change.
  return name.startsWith("flag-") ? FOR_A_WEEK : "no-cache";
}

async function toAsset(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<WebAsset> {
  const isWorthIt = bytes.length >= MIN_COMPRESSED && !/\.(?:png|webp|woff2)$/u.test(name);
  return {
    bytes,
    ...(isWorthIt
      ? { gzipped: new Uint8Array(await compress(bytes, { level: constants.Z_BEST_COMPRESSION })) }
      : {}),
    contentType: contentTypes[extname(name)] ?? "application/octet-stream",
    etag: await createEntityTag(bytes),
    cacheControl: toCacheControl(name),
  };
}

async function readAsset(name: string, from = folder): Promise<WebAsset> {
  return toAsset(name, new Uint8Array(await readFile(new URL(name, from))));
}

async function readFlags(): Promise<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(new URL(FLAGS, folder), "utf8")));
}

/** @throws Error that says what to do when the folder is missing */
async function listFiles(from = folder): Promise<string[]> {
  const entries = await readdir(from, { withFileTypes: true }).catch((error: unknown) => {
    const remedy = 'In a clone, run "npm run web". Otherwise install the release again';
    throw new Error(`The pages are missing in "${decodeURI(from.pathname)}".  ${remedy}`, { cause: error });
  });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Reads the files. @throws Error when the folder is missing */
export async function loadWebAssets() {
  const files = await listFiles();
  const names = files.filter((name) => ![PAGE, MANIFEST, FLAGS].includes(name));
  const assets = new Map<string, WebAsset>();
  for (const name of names) assets.set(name, await readAsset(name));
  for (const [country, svg] of Object.entries(await readFlags())) {
    const name = `flag-${country}.svg`;
    assets.set(name, await toAsset(name, new TextEncoder().encode(svg)));
  }
  const languages = names.flatMap((name) => /^locale-([\w-]+)\.json$/u.exec(name)?.[1] ?? []);
  return {
    /** The file of that exact name, or undefined. */
    find: (name: string): WebAsset | undefined => assets.get(name),
    /** The app's manifest; `{{title}}` is replaced by the site's title. */
    manifest: await readFile(new URL(MANIFEST, folder), "utf8"),
    /** The HTML page; `{{title}}` and `{{theme}}` are placeholders. */
    page: await readFile(new URL(PAGE, folder), "utf8"),
    /** Languages that there are texts for, such as "en". */
    languages: languages.sort(),
  };
}

export type WebAssets = Awaited<ReturnType<typeof loadWebAssets>>;

/** A console that is not part of the dashboard. */
export interface ConsoleAssets {
  /** The HTML page; `{{title}}` and `{{theme}}` are placeholders. */
  readonly page: string;
  find(name: string): WebAsset | undefined;
}

/** Reads the console of `service`. @throws Error when it is missing */
export async function loadConsoleAssets(service: "auth" | "shop"): Promise<ConsoleAssets> {
  const from = new URL(`${service}/`, folder);
  const assets = new Map<string, WebAsset>();
  for (const name of await listFiles(from)) if (name !== PAGE) assets.set(name, await readAsset(name, from));
  return { page: await readFile(new URL(PAGE, from), "utf8"), find: (name) => assets.get(name) };
}

export interface StoreStyle {
  readonly style: string;
  readonly fonts: readonly string[];
}

/**
 * Files for pages rendered on the server: by name, and which of them are the style sheets, the script of passkeys and
 * the icon.
 */
export interface PageAssets {
  readonly style: string;
  /** The style sheet of the storefront in each of its looks, with the fonts that it names. */
  readonly storeStyles: Readonly<Record<"plain" | "editorial" | "market", StoreStyle>>;
  /** The style sheet of status pages. */
  readonly statusStyle: string;
  /** The script that keeps a status page up to date. */
  readonly statusScript: string;
  readonly passkeys: string;
  /** The script of pages on which people buy. */
  readonly buying: string;
  /** The script of every page of the storefront. */
  readonly store: string;
  /** The script of a product's page. */
  readonly browsing: string;
  readonly icon: string;
  find(name: string): WebAsset | undefined;
}

/** Reads them. @throws Error when one is missing */
export async function loadPageAssets(): Promise<PageAssets> {
  const names = await listFiles();
  const findName = (form: RegExp): string => {
    const found = names.find((name) => form.test(name));
    if (found === undefined)
      throw new Error(`No file in src/web/built matches ${form.source}. Run "npm run web"`);
    return found;
  };
  const style = findName(/^pages-\w+\.css$/u);
  const readStoreStyle = async (form: RegExp): Promise<StoreStyle> => {
    const name = findName(form);
    const css = await readFile(new URL(name, folder), "utf8");
    return {
      style: name,
      fonts: Array.from(
        css.matchAll(/url\("?\.\/([a-z]{1,20}-[A-Z\d]{8}\.woff2)/gu),
        ([, font = ""]) => font,
      ),
    };
  };
  const storeStyles = {
    plain: await readStoreStyle(/^storefront-plain-\w+\.css$/u),
    editorial: await readStoreStyle(/^storefront-editorial-\w+\.css$/u),
    market: await readStoreStyle(/^storefront-market-\w+\.css$/u),
  };
  const statusStyle = findName(/^public-status-\w+\.css$/u);
  const statusScript = findName(/^public-status-\w+\.js$/u);
  const passkeys = findName(/^passkeys-\w+\.js$/u);
  const buying = findName(/^buying-\w+\.js$/u);
  const store = findName(/^store-\w+\.js$/u);
  const browsing = findName(/^browsing-\w+\.js$/u);
  const icon = findName(/^icon-\w+\.svg$/u);
  const known = { style, statusStyle, statusScript, passkeys, buying, store, browsing, icon };
  const looks = Object.values(storeStyles).flatMap((look) => [look.style, ...look.fonts]);
  const assets = new Map<string, WebAsset>();
  for (const name of [...Object.values(known), ...looks]) assets.set(name, await readAsset(name));
  return { ...known, storeStyles, find: (name) => assets.get(name) };
}

/** The documentation, as `npm run docs` builds it: files are read when they are requested, and kept. */
export interface Documentation {
  isBuilt(): Promise<boolean>;
  /** The file of that exact path below the folder, or undefined. */
  find(path: string): Promise<WebAsset | undefined>;
}

export function createDocumentation(from = new URL("../../web/built-docs/", import.meta.url)): Documentation {
  const assets = new Map<string, Promise<WebAsset>>();
  let paths: ReadonlySet<string> = new Set();
  const list = async (): Promise<ReadonlySet<string>> => {
    if (paths.size > 0) return paths;
    const found = await readdir(from, { recursive: true }).catch((): string[] => []);
    // Folders have no ending.
    paths = new Set(found.map((path) => path.replaceAll("\\", "/")).filter((path) => extname(path) !== ""));
    return paths;
  };
  return {
    isBuilt: async () => (await list()).size > 0,
    find: async (path) => {
      if (!(await list()).has(path)) return undefined;
      const asset = assets.get(path) ?? readAsset(path, from);
      assets.set(path, asset);
      return asset;
    },
  };
}

/** Whether the client takes gzip (RFC 9110 section 12.5.3), and does not say "q=0". */
function takesGzip(header: string | undefined): boolean {
  return /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/iu.test(header ?? "");
}

/** Answers with a file: not at all when the client has it, compressed when it takes that. */
export function sendAsset(c: Context<AppEnv>, asset: WebAsset): Response {
  const { bytes, gzipped, contentType, etag, cacheControl } = asset;
  const headers: Record<string, string> = {
    "cache-control": cacheControl,
    etag,
    vary: "Accept-Encoding",
  };
  if (isKnownTag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  headers["content-type"] = contentType;
  if (gzipped === undefined || !takesGzip(c.req.header("accept-encoding")))
    return c.body(bytes, 200, headers);
  return c.body(gzipped, 200, { ...headers, "content-encoding": "gzip" });
}

/** Adds the path of files, which has their name as `:file`. */
export function addAssets(app: ServiceApp, path: string, find: (name: string) => WebAsset | undefined): void {
  app.get(path, (c) => {
    const asset = find(c.req.param("file") ?? "");
    if (asset === undefined) throw new AppError("not_found", "This file does not exist");
    return sendAsset(c, asset);
  });
}

const themes = new Set(["light", "dark"]);

/** A page of ours with its title, and the theme that the browser's cookie chooses, or else `theme`. */
export function fillPage(
  c: Context<AppEnv>,
  page: string,
  { title, theme }: { title: string; theme: string },
): string {
  const chosen = readThemeCookie(c) ?? "";
  return (
    page
      // A function, because `$&` and the like in a replacement text would insert parts of the page.
      .replaceAll("{{title}}", () => escapeHtml(title))
      .replaceAll("{{theme}}", themes.has(chosen) ? chosen : theme)
  );
}
