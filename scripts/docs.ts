/**
 * `npm run docs [-- --to FOLDER]`: the documentation as static pages, in src/web/built-docs, from where the monitor serves
 * them and the build takes them along. Any web server can serve the folder, and its pages open from the disk.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, posix, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import MiniSearch from "minisearch";
import sharp from "sharp";
import { searchOptions } from "../src/web/documentation/search-options.ts";
import { VERSION } from "../src/version.ts";
import { type Site, toDocument, toRelative } from "./docs/layout.ts";
import { type Picture, readAttribute, render } from "./docs/markdown.ts";
import {
  HOME,
  type Page,
  findSource,
  isExternal,
  readGroups,
  readPages,
  toFlatPath,
  toPagePath,
  toTarget,
} from "./docs/pages.ts";
import { listSections } from "./docs/sections.ts";
import { findPackageFolders, readLicenceTexts } from "./licence-texts.ts";
import { projectFolder } from "./process.ts";

const usual = join(projectFolder, "src/web/built-docs");

/** Where a file that is not Markdown goes: pictures as they are, everything else as text that browsers show. */
function toFilePath(target: string): string {
  const isPicture = /\.(?:webp|png|svg|jpg)$/u.test(target);
  return toFlatPath(isPicture ? target.replace(/^docs\//u, "") : `files/${target}.txt`);
}

/** Everything that the pages link to in the repository: pages, or files that are copied. */
function createLinks(pages: ReadonlyMap<string, Page>) {
  const files = new Map<string, string>();
  const toHref = (page: Page, href: string): string => {
    if (isExternal(href)) return href;
    const target = toTarget(page.source, href);
    const anchor = href.includes("#") ? `#${href.split("#", 2)[1] ?? ""}` : "";
    if (target === page.source) return anchor;
    const source = findSource(target);
    if (source !== undefined && pages.has(source)) return toRelative(page.path, toPagePath(source)) + anchor;
    const path = toFilePath(target);
    files.set(target, path);
    return toRelative(page.path, path);
  };
  return { files, toHref };
}

async function measurePictures(pages: ReadonlyMap<string, Page>): Promise<ReadonlyMap<string, Picture>> {
  const sizes = new Map<string, Picture>();
  for (const { source, tokens } of pages.values())
    for (const { children } of tokens)
      for (const token of children ?? []) {
        if (token.type !== "image") continue;
        const target = toTarget(source, readAttribute(token, "src"));
        const { width, height } = await sharp(join(projectFolder, target)).metadata();
        sizes.set(target, { width, height });
      }
  return sizes;
}

async function bundle(folder: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: {
      documentation: "src/web/documentation/documentation.css",
      search: "src/web/documentation/search.ts",
    },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const packages = findPackageFolders(Object.keys(metafile.inputs));
  await writeFile(join(folder, "licences.txt"), await readLicenceTexts(packages));
  await copyFile(join(projectFolder, "src/kit/http/icon.svg"), join(folder, "icon.svg"));
}

async function write(folder: string, path: string, text: string): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function writeSearch(folder: string, pages: ReadonlyMap<string, Page>): Promise<void> {
  const index = new MiniSearch(searchOptions);
  index.addAll([...pages.values()].flatMap(listSections));
  // A script rather than JSON: pages that are opened from the disk may load scripts, and nothing else.
  await write(folder, "search-index.js", `globalThis.searchIndex=${JSON.stringify(index)}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: "string" } } });
  const folder = resolve(values.to ?? usual);
  const pages = await readPages();
  const home = pages.get(HOME);
  if (home === undefined) throw new Error(`${HOME} is missing`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeSearch(folder, pages);
  await bundle(folder);
  const site: Site = {
    version: VERSION,
    groups: readGroups(home),
    style: "documentation.css",
    script: "search.js",
    icon: "icon.svg",
  };
  const { files, toHref } = createLinks(pages);
  const sizes = await measurePictures(pages);
  for (const page of pages.values()) {
    const body = render(page.tokens, {
      toHref: (href) => toHref(page, href),
      toSize: (href) => sizes.get(toTarget(page.source, href)),
    });
    await write(folder, page.path, toDocument(page, body, site));
  }
  for (const [target, path] of files) {
    const bytes = await readFile(join(projectFolder, target));
    await mkdir(posix.dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  console.log(`${pages.size} pages and ${files.size} files in ${folder}`);
}

await main();
