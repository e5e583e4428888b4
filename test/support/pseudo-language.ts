/** A language that a program makes of English: with accents, longer, and marked, so that a page shows what no file says. */
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectFolder, runProcess } from "./process.ts";

/** Among the codes that ISO 639 leaves for private use. */
export const PSEUDO = "qps";

const accents: Readonly<Record<string, string>> = {
  a: "á",
  c: "ç",
  e: "ë",
  i: "í",
  n: "ñ",
  o: "ö",
  s: "š",
  u: "ü",
  y: "ý",
  A: "Å",
  E: "É",
  O: "Ø",
  U: "Û",
};

/** Words a third longer, as German is. */
function toLonger(words: string): string {
  const accented = words.replaceAll(/[aceinosuyAEOU]/gu, (letter) => accents[letter] ?? letter);
  return accented + "ø".repeat(Math.ceil(words.trim().length / 3));
}

/** Top-level braces with their contents. */
const BRACES = /\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\}/gu;
const CHOICE = /^\{\w+, *(?:plural|select),/u;

function accent(text: string): string {
  let accented = "";
  let from = 0;
  for (const { 0: braces, index } of text.matchAll(BRACES)) {
    accented += text.slice(from, index).replaceAll(/[A-Za-z]+/gu, toLonger);
    const head = CHOICE.exec(braces)?.[0];
    accented +=
      head === undefined
        ? braces
        : head +
          braces.slice(head.length, -1).replaceAll(BRACES, (inner) => `{${accent(inner.slice(1, -1))}}`) +
          "}";
    from = index + braces.length;
  }
  return accented + text.slice(from).replaceAll(/[A-Za-z]+/gu, toLonger);
}

/** A text of that language: between brackets, behind a mark of writing from right to left. */
export function toPseudo(text: string): string {
  return text.trim() === "" ? text : `\u200f⟦${accent(text)}⟧`;
}

/** What a page says outside of the brackets, such as names that people gave; numbers and signs are left out. */
export function listForeign(text: string): string[] {
  let rest = text;
  for (let before = ""; before !== rest;) {
    before = rest;
    rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gu, "");
  }
  return rest
    .split(/[\n\u200f]+/u)
    .filter((line) => /\p{L}{2}/u.test(line))
    .map((line) => line.trim());
}

export interface PseudoProject {
  /** A copy of the project which has the language, as ARCHITECTURE.md says that one is added. */
  readonly folder: string;
  /** Runs a script of it. @throws Error when it fails */
  run(script: string, args?: readonly string[]): Promise<string>;
  dispose(): Promise<void>;
}

/** @param direction of the writing of the language */
export async function createPseudoProject(direction: "ltr" | "rtl" = "ltr"): Promise<PseudoProject> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-pseudo-"));
  for (const path of ["src", "scripts", "package.json", "package-lock.json", "tsconfig.json"])
    await cp(join(projectFolder, path), join(folder, path), { recursive: true });
  await symlink(join(projectFolder, "node_modules"), join(folder, "node_modules"));
  const texts = join(folder, "src/texts");
  await mkdir(join(texts, PSEUDO));
  for (const name of await readdir(join(texts, "en"))) {
    const english: unknown = JSON.parse(await readFile(join(texts, "en", name), "utf8"));
    const pseudo = Object.entries(Object(english)).map(([key, text]) => [key, toPseudo(String(text))]);
    await writeFile(join(texts, PSEUDO, name), JSON.stringify(Object.fromEntries(pseudo)));
  }
  const languages = join(folder, "src/kit/text/languages.ts");
  const source = await readFile(languages, "utf8");
  await writeFile(languages, source.replace('de: "Deutsch"', `de: "Deutsch", ${PSEUDO}: "⟦Pšëüdö⟧"`));
  if (direction === "rtl") {
    const table = join(folder, "src/kit/text/direction.ts");
    const known = await readFile(table, "utf8");
    await writeFile(table, known.replace('"ar",', `"ar", "${PSEUDO}",`));
  }
  const run: PseudoProject["run"] = async (script, args = []) => {
    const all = ["--import", "tsx", join(folder, "scripts", script), ...args];
    const { code, output } = await runProcess({ command: "node", args: all, cwd: folder });
    if (code !== 0) throw new Error(output);
    return output;
  };
  await run("texts.ts");
  return { folder, run, dispose: () => rm(folder, { recursive: true, force: true }) };
}
