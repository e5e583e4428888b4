/**
 * `npm run texts` writes src/texts/<room>.ts, by which servers read the texts of src/texts/<language>/<room>.json.
 * With `--check` it writes nothing and fails when one of them is not what the folders give, when a language lacks
 * texts, when its places or cases differ from those of English, or when no source names a text. With
 * `--missing <language>` it prints what that language lacks, and with `--same` as well what still is as in English.
 * `--new <language>` creates the files of a language with the English texts.
 */
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { languages } from "../src/kit/text/languages.ts";
import { listPlaces, parseCases } from "../src/kit/text/message.ts";
import { projectFolder } from "./process.ts";
import { addLanguage, toOwnCases } from "./texts/new-language.ts";

const folder = join(projectFolder, "src/texts");
const NOTE = "// Made by `npm run texts` from the folders of languages. Do not edit.\n";

type Texts = Readonly<Record<string, string>>;
/** Language → room → texts. */
type All = ReadonlyMap<string, ReadonlyMap<string, Texts>>;

async function readRoom(path: string): Promise<Texts> {
  const read: unknown = JSON.parse(await readFile(path, "utf8"));
  if (typeof read !== "object" || read === null) throw new Error(`${path} holds no texts`);
  for (const [key, text] of Object.entries(read))
    if (typeof text !== "string") throw new Error(`${path}: ${key} is not a text`);
  return read as Texts;
}

async function readAll(): Promise<All> {
  const all = new Map<string, ReadonlyMap<string, Texts>>();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const rooms = new Map<string, Texts>();
    for (const name of (await readdir(join(folder, entry.name))).sort())
      rooms.set(name.replace(/\.json$/u, ""), await readRoom(join(folder, entry.name, name)));
    all.set(entry.name, rooms);
  }
  return new Map([...all].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Texts of browser code are separate files: see scripts/web.ts. */
function isOfServers(room: string): boolean {
  return !/^web(?:-|$)/u.test(room);
}

/** The module of each room that servers read. */
function makeModules(all: All): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  for (const room of all.get("en")?.keys() ?? []) {
    if (!isOfServers(room)) continue;
    const found = [...all].filter(([, rooms]) => rooms.has(room)).map(([language]) => language);
    const imports = found.map(
      (language) => `import ${language} from "./${language}/${room}.json" with { type: "json" };\n`,
    );
    const name = room.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase());
    modules.set(
      `${room}.ts`,
      `${NOTE}${imports.join("")}\nexport const ${name} = { ${found.join(", ")} };\n`,
    );
  }
  return modules;
}

async function listStale(modules: ReadonlyMap<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of modules) {
    const found = await readFile(join(folder, name), "utf8").catch(() => "");
    if (found !== text) stale.push(name);
  }
  const present = (await readdir(folder)).filter((name) => name.endsWith(".ts"));
  return [...stale, ...present.filter((name) => !modules.has(name))];
}

async function write(modules: ReadonlyMap<string, string>): Promise<void> {
  for (const name of await listStale(modules))
    await (modules.has(name)
      ? writeFile(join(folder, name), modules.get(name) ?? "")
      : rm(join(folder, name)));
}

interface Choice {
  readonly name: string;
  readonly kind: string;
  readonly cases: ReadonlyMap<string, string>;
}

/** What begins a choice, however it goes on. */
const CHOICE = /\{(\w+), *(plural|select),/gu;

/** The places of a text (`values`: not in choices alone), its choices, and what is wrong with its form. */
function readText(text: string): {
  places: string[];
  values: string[];
  choices: Choice[];
  faults: string[];
} {
  const choices: Choice[] = [];
  const faults: string[] = [];
  const places = new Set<string>();
  const values = new Set<string>();
  // As the formatter divides it: each choice is put where its place is, and seen by its cases.
  const read = (part: string, isInPlural: boolean): void => {
    for (const { name, kind, cases } of listPlaces(part)) {
      places.add(name);
      if (kind === undefined) {
        values.add(name);
        continue;
      }
      const found = parseCases(cases);
      choices.push({ name, kind, cases: found });
      if (!found.has("other")) faults.push(`{${name}} has no case "other"`);
      if (isInPlural && kind === "plural") faults.push(`{${name}} is a plural in a plural`);
      for (const said of found.values()) read(said, isInPlural || kind === "plural");
    }
  };
  read(text, false);
  const begun = [...text.matchAll(CHOICE)].length;
  if (begun !== choices.length) faults.push("has a choice that is not closed, or lies too deep");
  return { places: [...places], values: [...values], choices, faults };
}

/** What is wrong with the cases of a text: a plural has those of its language (CLDR), a select those of English. */
function listCaseFaults(choices: readonly Choice[], language: string, english: readonly Choice[]): string[] {
  return choices.flatMap(({ name, kind, cases }) => {
    const names = [...cases.keys()].filter((on) => !on.startsWith("="));
    const like = english.find((one) => one.name === name && one.kind === kind);
    const wanted =
      kind === "plural"
        ? new Intl.PluralRules(language).resolvedOptions().pluralCategories
        : [...(like?.cases ?? cases).keys()];
    const missing = names.length === 1 ? [] : wanted.filter((on) => !names.includes(on));
    const unknown = names.filter((on) => !wanted.includes(on) && on !== "other");
    return [
      ...missing.map((on) => `{${name}} lacks the case "${on}"`),
      ...unknown.map((on) => `{${name}} has a case "${on}" that is never chosen`),
    ];
  });
}

function findFault(text: string, { language, like }: { language: string; like: string }): string | undefined {
  const [own, english] = [readText(text), readText(like)];
  if (text.trim() === "" && like.trim() !== "") return "is empty";
  if (own.faults[0] !== undefined) return own.faults[0];
  const unknown = own.places.find((name) => !english.places.includes(name));
  if (unknown !== undefined) return `has a place {${unknown}} that English lacks`;
  // By which another language chooses, one may say nothing.
  const missing = english.values.find((name) => !own.places.includes(name));
  if (missing !== undefined) return `lacks the place {${missing}}`;
  return listCaseFaults(own.choices, language, english.choices)[0];
}

/** What a language lacks, as "room: key". */
function listMissing(all: All, language: string, isRoom = (_: string): boolean => true): string[] {
  return [...(all.get("en") ?? [])].flatMap(([room, english]) => {
    const own = all.get(language)?.get(room) ?? {};
    if (!isRoom(room)) return [];
    return Object.keys(english).flatMap((key) => (Object.hasOwn(own, key) ? [] : [`${room}: ${key}`]));
  });
}

function listFaults(all: All, language: string): string[] {
  return [...(all.get(language) ?? [])].flatMap(([room, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const like = all.get("en")?.get(room)?.[key];
      if (like === undefined) return [`${room}: ${key} is not in English`];
      const fault = findFault(text, { language, like });
      return fault === undefined ? [] : [`${room}: ${key} ${fault}`];
    }),
  );
}

async function readSources(): Promise<string> {
  const entries = await readdir(join(projectFolder, "src"), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.(?:tsx?|html)$/u.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes("/web/built/"));
  return (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
}

/** Texts that no source names, neither whole nor by a beginning or an end that a template completes. */
async function listUnused(all: All): Promise<string[]> {
  const sources = await readSources();
  const named = sources.matchAll(/["'`.]([\w-]+(?:\.[\w-]+)*)\b|\b(\w+)\b/gu);
  const words = new Set(Array.from(named, ([, dotted, word = ""]) => dotted ?? word));
  const begun = new Set(Array.from(sources.matchAll(/`([\w-]+[\w.-]*\.)\$\{/gu), ([, word = ""]) => word));
  const ended = Array.from(sources.matchAll(/\$\{\w+\}(\.[\w.-]+)`/gu), ([, word = ""]) => word);
  // Resources and kinds of fields name the beginning of their texts.
  for (const [, word = ""] of sources.matchAll(/\b(?:words|texts): "([\w.-]+)"/gu)) begun.add(`${word}.`);
  const isNamed = (key: string): boolean => {
    if (words.has(key)) return true;
    const parts = key.split(".");
    if (parts.some((_, at) => begun.has(`${parts.slice(0, at).join(".")}.`))) return true;
    if (ended.some((end) => key.endsWith(end) && words.has(key.slice(0, -end.length)))) return true;
    // Hints of labels, and choices of a setting, are named by the label or the setting.
    return parts.length > 2 && words.has(parts.slice(0, -1).join("."));
  };
  return [...(all.get("en") ?? [])].flatMap(([room, texts]) =>
    Object.keys(texts).flatMap((key) => (isNamed(key) ? [] : [`${room}: ${key}`])),
  );
}

async function check(all: All): Promise<number> {
  const stale = (await listStale(makeModules(all))).map((name) => `${name}: run npm run texts`);
  const missing = languages.flatMap((language) =>
    listMissing(all, language).map((text) => `${language}: lacks ${text}`),
  );
  const faults = [...all.keys()].flatMap((language) =>
    listFaults(all, language).map((text) => `${language}: ${text}`),
  );
  const unused = (await listUnused(all)).map((text) => `unused: ${text}`);
  const found = [...stale, ...missing, ...faults, ...unused];
  for (const line of found) console.error(line);
  return found.length === 0 ? 0 : 1;
}

/** Texts that say the same as in English: a name in both languages, or one that was not translated yet. */
function listSame(all: All, language: string): string[] {
  return [...(all.get(language) ?? [])].flatMap(([room, texts]) =>
    Object.entries(texts).flatMap(([key, text]) => {
      const english = all.get("en")?.get(room)?.[key] ?? "";
      return /\p{L}{2}/u.test(text) && text === toOwnCases(english, language) ? [`${room}: ${key}`] : [];
    }),
  );
}

async function createLanguage(all: All, language: string): Promise<void> {
  if (all.has(language)) throw new Error(`There is a folder for "${language}" already`);
  await addLanguage(language);
  const target = join(folder, language);
  await mkdir(target);
  let count = 0;
  for (const [room, english] of all.get("en") ?? []) {
    const texts = Object.entries(english).map(([key, text]) => [key, toOwnCases(text, language)]);
    count += texts.length;
    await writeFile(
      join(target, `${room}.json`),
      `${JSON.stringify(Object.fromEntries(texts), undefined, 2)}\n`,
    );
  }
  await write(makeModules(await readAll()));
  console.log(
    `${count} texts in src/texts/${language}, in English. Translate them; then npm run texts -- --check`,
  );
}

function printMissing(all: All, language: string, withSame: boolean): void {
  const missing = listMissing(all, language);
  for (const line of missing) console.log(line);
  const rooms = new Map<string, number>();
  for (const line of missing) {
    const room = line.split(":")[0] ?? "";
    rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  const counts = [...rooms].map(([room, count]) => `${room} ${count}`).join(", ");
  console.log(missing.length === 0 ? `${language} has every text` : `${missing.length} texts: ${counts}`);
  const same = listSame(all, language);
  if (withSame) for (const line of same) console.log(line);
  else if (same.length > 0) console.log(`${same.length} are as in English; --same lists them`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      check: { type: "boolean" },
      missing: { type: "string" },
      same: { type: "boolean", default: false },
      new: { type: "string" },
    },
  });
  const all = await readAll();
  if (values.missing !== undefined) {
    printMissing(all, values.missing, values.same);
    return 0;
  }
  if (values.new !== undefined) {
    await createLanguage(all, values.new);
    return 0;
  }
  if (values.check === true) return check(all);
  await write(makeModules(all));
  return 0;
}

process.exitCode = await main();
