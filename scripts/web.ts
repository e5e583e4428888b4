/**
 * `web.ts STATE`: builds src/web/built, what a browser gets, from src/web and the style sheets of src/html, and notes
 * beside it which state of the sources it is from. scripts/pages.js runs it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, extname, join, relative } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, type Metafile, type Plugin, build } from "esbuild";
import { findPackageFolders, readLicenceTexts } from "./licence-texts.ts";
import { projectFolder } from "./process.ts";
import { schemaDescriptions } from "./schema-descriptions.ts";

const source = join(projectFolder, "src/web");
const texts = join(projectFolder, "src/texts");
const target = join(source, "built");
const entry = "src/web/main.tsx";
/** A console that its service serves from its own origin: built separately, into its own folder. */
interface OwnConsole {
  /** In src/web, in `built`, and the beginning of its texts. */
  readonly name: string;
  /** The room of texts of the service's pages for people, whose words for refusals and events are the console's too. */
  readonly pageTexts?: string;
  /** Further rooms whose texts come with the first section that is opened. */
  readonly rooms?: readonly string[];
}

const consoles: readonly OwnConsole[] = [
  { name: "auth", pageTexts: "auth-pages" },
  { name: "shop", rooms: ["shop-import"] },
];
const laterStyles = "src/web/later.css";
/** The script of those pages that have passkeys. */
const pagesScript = "src/web/passkeys/main.ts";
/** The script of the storefront's pages on which people buy. */
const buyingScript = "src/web/storefront/buying.ts";
/** The script of every page of the storefront. */
const storeScript = "src/web/storefront/store.ts";
/** The script of a product's page: its pictures large, and products that were seen before. */
const browsingScript = "src/web/storefront/browsing.ts";
/** The style sheet of the pages that services render themselves. */
const pagesStyle = "src/html/styles/pages.css";
/** The same with what only the storefront has, in each of its looks. */
const storeStyles = ["plain", "editorial", "market"].map((look) => ({
  in: `src/html/styles/looks/${look}.css`,
  out: `storefront-${look}`,
}));
/** Fonts of the storefront with their licenses. */
const fonts = join(projectFolder, "src/html/fonts");
/** The same with what only status pages have, and the script that keeps them up to date. */
const statusStyle = "src/html/styles/public-status.css";
const statusScript = "src/web/public-status/refresh.ts";
/** Name of a file in `built` → its bytes. */
type Files = ReadonlyMap<string, Uint8Array>;

/** `name` with a hash of the bytes, so that browsers may keep it for ever. */
function toHashedName(name: string, bytes: Uint8Array): string {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 10);
  const extension = extname(name);
  return `${basename(name, extension)}-${hash}${extension}`;
}

interface Bundle {
  readonly files: Map<string, Uint8Array>;
  readonly script: string;
  readonly style: string;
  readonly laterStyle: string;
  readonly needed: readonly string[];
}

/** Making a schema does nothing else: what uses none of a file's schemas needs neither it nor the library. */
const schemasOnlyWhereUsed: Plugin = {
  name: "schemas only where used",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/schemas?\.ts$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    })),
};

/** Folders of what the first view may show. */
const firstFolders = ["app", "fleet", "pages", "ui"];

async function readFirstSources(): Promise<string[]> {
  const read = async (folder: string): Promise<string[]> => {
    const entries = await readdir(join(source, folder), { withFileTypes: true });
    // The page of a server is loaded later, with its own texts.
    const names = entries
      .filter((file) => file.isFile() && file.name !== "server.tsx")
      .map(({ name }) => name);
    return Promise.all(names.map((name) => readFile(join(source, folder, name), "utf8")));
  };
  return (await Promise.all(firstFolders.map(read))).flat();
}

/** Texts that come with a part of the page, beside its script: which file imports them, and how their names begin. */
const partTexts = [
  { importer: join("server", "texts.ts"), names: /^(?:chart|server|span|units)\./u },
  {
    importer: join("check-items", "texts.ts"),
    names: /^(?:check\.state|home\.(?:check|day|for|hours|kind|members|target))\b/u,
  },
] as const;

/** English of the first view, and of each part beside its script; consoles fetch the whole file. */
const toSuffix = (part: number): string => (part === -1 ? "" : `?${part}`);

const firstTexts: Plugin = {
  name: "texts of the first view",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /[\\/]texts[\\/]en[\\/]web\.json$/ }, ({ path, importer, resolveDir }) => ({
      path: join(resolveDir, path),
      suffix: toSuffix(partTexts.findIndex((part) => importer.endsWith(part.importer))),
    }));
    onLoad({ filter: /[\\/]texts[\\/]en[\\/]web\.json$/ }, async ({ path, suffix }) => {
      const texts: unknown = JSON.parse(await readFile(path, "utf8"));
      const all = typeof texts === "object" && texts !== null ? Object.entries(texts) : [];
      const isInFirst = createTextSearch(await readFirstSources());
      const findPart = (name: string): number =>
        isInFirst(name) ? -1 : partTexts.findIndex(({ names }) => names.test(name));
      const isWanted = (name: string): boolean =>
        !/^(?:admin|access)\./u.test(name) && toSuffix(findPart(name)) === suffix;
      const wanted = Object.fromEntries(all.filter(([name]) => isWanted(name)));
      return { contents: JSON.stringify(wanted), loader: "json" };
    });
  },
};

/** All texts of a console come from the service: none is in its scripts. */
const noTexts: Plugin = {
  name: "no texts",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]texts[\\/]en[\\/]web\.json$/ }, () => ({ contents: "{}", loader: "json" })),
};

/** What both bundles are made with. */
const common = {
  absWorkingDir: projectFolder,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  write: false,
  metafile: true,
  format: "esm",
  target: ["chrome109", "firefox115", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
} satisfies BuildOptions;

type Output = Metafile["outputs"][string];

function findOutput({ outputs }: Metafile, source: string): [path: string, output: Output] | undefined {
  return Object.entries(outputs).find(([, output]) => output.entryPoint === source);
}

/** What a script needs at once; the browser would else find out only after it has read that. */
function listNeeded({ imports }: Output): string[] {
  return imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
}

/** A script and all that it cannot run without. */
function listAtOnce({ outputs }: Metafile, script: string): string[] {
  const found = new Set([script]);
  for (const path of found)
    for (const each of outputs[path]?.imports ?? [])
      if (each.kind === "import-statement") found.add(each.path);
  return [...found].map((path) => basename(path));
}

async function readFontLicences(): Promise<string[]> {
  const names = (await readdir(fonts)).filter((name) => name.endsWith(".LICENSE.txt")).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(fonts, name), "utf8");
      return `${name.replace(".LICENSE.txt", "")} (font): OFL-1.1\n\n${text}`;
    }),
  );
}

async function bundle(): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: [entry, laterStyles, pagesStyle, statusStyle],
    outdir: target,
    plugins: [schemaDescriptions, schemasOnlyWhereUsed, firstTexts],
  });
  // Pages name their scripts one by one: each is a separate file.
  const pages = await build({
    ...common,
    splitting: false,
    entryPoints: [
      { in: pagesScript, out: "passkeys" },
      { in: buyingScript, out: "buying" },
      { in: storeScript, out: "store" },
      { in: browsingScript, out: "browsing" },
      { in: statusScript, out: "public-status" },
      ...storeStyles,
    ],
    loader: { ".woff2": "file" },
    outdir: target,
  });
  const made = [...outputFiles, ...pages.outputFiles];
  const files = new Map(made.map(({ path, contents }) => [basename(path), contents]));
  const inputs = [...Object.keys(metafile.inputs), ...Object.keys(pages.metafile.inputs)];
  const licences = await readLicenceTexts(findPackageFolders(inputs));
  const flags = await readFile(join(source, "flags", "LICENSE"), "utf8");
  const texts = [licences, `country-flag-icons: MIT\n\n${flags}`, ...(await readFontLicences())].join(
    `\n${"-".repeat(78)}\n`,
  );
  files.set("licences.txt", new TextEncoder().encode(texts));
  const [main, later] = [findOutput(metafile, entry), findOutput(metafile, laterStyles)];
  if (main?.[1].cssBundle === undefined || later === undefined)
    throw new Error("The dashboard has no style sheet");
  return {
    files,
    script: basename(main[0]),
    style: basename(main[1].cssBundle),
    laterStyle: basename(later[0]),
    needed: listNeeded(main[1]),
  };
}

/** Languages that have the room, such as "web". */
async function listLanguages(room: string): Promise<string[]> {
  const entries = (await readdir(texts, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return entries.map(({ name }) => name).filter((name) => existsSync(join(texts, name, `${room}.json`)));
}

/** The texts of a room; parsed and written again, so that invalid JSON fails here and the result has no spaces. */
async function readTexts(language: string, room: string): Promise<[string, unknown][]> {
  const path = join(texts, language, `${room}.json`);
  if (!existsSync(path)) return [];
  const read: unknown = JSON.parse(await readFile(path, "utf8"));
  if (typeof read !== "object" || read === null) throw new Error(`${path} holds no texts`);
  return Object.entries(read);
}

function toBytes(entries: readonly [string, unknown][]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
}

/** Tells which of the shared texts scripts show: by their whole name, or by its beginning where the end is put to it. */
function createTextSearch(scripts: readonly string[]): (name: string) => boolean {
  const all = scripts.join("\n");
  const whole = new Set([...all.matchAll(/"([\w-]+(?:\.[\w-]+)+)"/gu)].map(([, name]) => name));
  // Resources name the beginning of their texts.
  const named = [...all.matchAll(/\b(?:words|texts):\s*"([\w.-]+)"/gu)].map(([, name = ""]) => `${name}.`);
  const begun = [...all.matchAll(/`([\w-]+\.[\w.-]*)\$\{/gu)].map(([, name = ""]) => name).concat(named);
  return (name) =>
    whole.has(name) ||
    whole.has(name.replace(/\.[a-z]+$/u, "")) ||
    begun.some((beginning) => name.startsWith(beginning));
}

/** What is said of a form that was sent, and what an order's flags mean: the first view of a console has none. */
const OF_ALL_SECTIONS =
  /^(?:(?:error|event|(?:(?:admin|shop)\.)?fault|shop\.refusal)\.|shop\.order\.attention\.\w+\.text$)/u;

/** What the pages for people say of refusals and events, which the console says alike. */
async function readPageTexts(room: string, language: string): Promise<[string, unknown][]> {
  // What has a value in it is of a page that knows the value.
  return (await readTexts(language, room)).filter(
    ([key, words]) => OF_ALL_SECTIONS.test(key) && !String(words).includes("{"),
  );
}

/** The texts of a console, of each language: what the scripts that come at once show, and what comes with the first section that is opened. */
async function makeTexts(
  made: OwnConsole,
  scripts: { all: readonly string[]; atOnce: readonly string[] },
): Promise<Files> {
  const files = new Map<string, Uint8Array>();
  const isShown = createTextSearch(scripts.all);
  const isShownAtOnce = createTextSearch(scripts.atOnce);
  const isOfSection = (key: string): boolean => OF_ALL_SECTIONS.test(key) || !isShownAtOnce(key);
  for (const language of await listLanguages("web")) {
    const shared = (await readTexts(language, "web")).filter(([key]) => isShown(key));
    const own = await readTexts(language, `web-${made.name}`);
    const page = made.pageTexts === undefined ? [] : await readPageTexts(made.pageTexts, language);
    const all = [...shared, ...own];
    const further = await Promise.all((made.rooms ?? []).map((room) => readTexts(language, room)));
    files.set(`locale-${language}.json`, toBytes(all.filter(([key]) => !isOfSection(key))));
    files.set(
      `sections-${language}.json`,
      toBytes([...page, ...further.flat(), ...all.filter(([key]) => isOfSection(key))]),
    );
  }
  return files;
}

/** A console: its page, scripts and styles, and the texts that it shows. */
async function makeConsole(made: OwnConsole, icons: { name: string; bytes: Uint8Array }): Promise<Files> {
  const consoleEntry = `src/web/${made.name}/main.tsx`;
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: [consoleEntry],
    outdir: join(target, made.name),
    plugins: [schemaDescriptions, schemasOnlyWhereUsed, noTexts],
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), contents]));
  const main = findOutput(metafile, consoleEntry);
  if (main?.[1].cssBundle === undefined) throw new Error(`The console ${made.name} has no style sheet`);
  const atOnce = new Set(listAtOnce(metafile, main[0]));
  const scripts = {
    all: outputFiles.map(({ text }) => text),
    atOnce: outputFiles.filter(({ path }) => atOnce.has(basename(path))).map(({ text }) => text),
  };
  for (const [name, bytes] of await makeTexts(made, scripts)) files.set(name, bytes);
  const languages = [...files.keys()].flatMap((name) => /^locale-(.+)\.json$/u.exec(name)?.[1] ?? []).sort();
  files.set(icons.name, icons.bytes);
  const page = (await readFile(join(source, "console.html"), "utf8"))
    .replace("<!-- needed -->", toPreloads(listNeeded(main[1])))
    .replace("{{languages}}", languages.join(" "))
    .replaceAll("/assets/icon.svg", `/assets/${icons.name}`)
    .replaceAll("main.js", basename(main[0]))
    .replaceAll("main.css", basename(main[1].cssBundle));
  files.set("index.html", new TextEncoder().encode(page));
  return new Map([...files].map(([name, bytes]) => [join(made.name, name), bytes]));
}

function toPreloads(names: readonly string[]): string {
  return names.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`).join("");
}

/** Pictures of the program: in the browser's bar, on a phone's home screen. */
async function readIcons(): Promise<Files> {
  const folder = join(source, "icons");
  const icons = new Map([
    ["icon.svg", await readFile(join(projectFolder, "src", "kit", "http", "icon.svg"))],
  ]);
  for (const name of (await readdir(folder)).sort()) icons.set(name, await readFile(join(folder, name)));
  return icons;
}

async function makeFiles(): Promise<Files> {
  const { files, script, style, laterStyle, needed } = await bundle();
  const icons = await readIcons();
  const hashed = new Map([...icons].map(([name, bytes]) => [name, toHashedName(name, bytes)]));
  for (const [name, bytes] of icons) files.set(hashed.get(name) ?? name, bytes);
  const nameIcons = (text: string): string =>
    [...hashed].reduce((named, [name, to]) => named.replaceAll(`/assets/${name}`, `/assets/${to}`), text);
  const page = nameIcons(await readFile(join(source, "index.html"), "utf8"))
    .replace("<!-- needed -->", toPreloads(needed))
    .replaceAll("main.js", script)
    .replaceAll("later.css", laterStyle)
    .replaceAll("main.css", style);
  files.set("index.html", new TextEncoder().encode(page));
  const manifest = nameIcons(await readFile(join(source, "site.webmanifest"), "utf8"));
  files.set("site.webmanifest", new TextEncoder().encode(manifest));
  files.set("flags.json", await readFile(join(source, "flags", "flags.json")));
  for (const language of await listLanguages("web"))
    files.set(
      `locale-${language}.json`,
      toBytes([...(await readTexts(language, "web")), ...(await readTexts(language, "monitor-kinds"))]),
    );
  const icon = { name: hashed.get("icon.svg") ?? "", bytes: icons.get("icon.svg") ?? new Uint8Array() };
  for (const made of consoles)
    for (const [name, bytes] of await makeConsole(made, icon)) files.set(name, bytes);
  return files;
}

/**
 * Puts the files in place one by one, each whole: a program that starts meanwhile reads either the old or the new one,
 * and two that build the same pages at once write the same.
 */
async function writeFiles(files: Files, state: string): Promise<void> {
  const making = await mkdtemp(join(source, "built.making-"));
  try {
    for (const { name } of consoles) {
      await mkdir(join(making, name));
      await mkdir(join(target, name), { recursive: true });
    }
    // What a page names is there before the page.
    const isPage = ([name]: [string, Uint8Array]): boolean => name.endsWith(".html");
    for (const [name, bytes] of [...files].sort((a, b) => Number(isPage(a)) - Number(isPage(b)))) {
      const found = await readFile(join(target, name)).catch(() => undefined);
      if (found?.equals(bytes) === true) continue;
      await writeFile(join(making, name), bytes);
      await rename(join(making, name), join(target, name));
    }
    for (const { parentPath, name } of await readdir(target, { recursive: true, withFileTypes: true })) {
      const path = join(parentPath, name);
      const known = relative(target, path);
      if (!files.has(known) && !consoles.some((one) => one.name === known))
        await rm(path, { recursive: true, force: true });
    }
    await writeFile(join(making, "state"), state);
    await rename(join(making, "state"), `${target}.state`);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const [state = ""] = process.argv.slice(2);
  const files = await makeFiles();
  await writeFiles(files, state);
  for (const [name, bytes] of [...files].sort((a, b) => b[1].length - a[1].length))
    console.log(`${name.padEnd(32)} ${(gzipSync(bytes).length / 1024).toFixed(1).padStart(7)} KiB gzipped`);
}

await main();
