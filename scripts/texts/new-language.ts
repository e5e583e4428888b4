/** A language that is added: its line in the list of languages, and texts with the plural forms that it has. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseCases } from "../../src/kit/text/message.ts";
import { projectFolder } from "../process.ts";

const list = join(projectFolder, "src/kit/text/languages.ts");

/** @throws Error for a code that is no language, or one that is listed already */
export async function addLanguage(language: string): Promise<void> {
  if (!/^[a-z]{2,3}$/u.test(language))
    throw new Error(`"${language}" is no code of a language, such as "fr" or "ckb" (ISO 639)`);
  const name = new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;
  const own = name.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(language));
  const text = await readFile(list, "utf8");
  const line = /(export const languageNames = \{[^}]*?)( \} as const;)/u;
  if (!line.test(text) || new RegExp(`\\b${language}: "`, "u").test(text))
    throw new Error(`"${language}" is in src/kit/text/languages.ts already`);
  await writeFile(
    list,
    text.replace(line, (_, before: string, after: string) => `${before}, ${language}: "${own}"${after}`),
  );
}

/** In the order of CLDR. */
const categories = ["zero", "one", "two", "few", "many", "other"] as const;

/** Begins a plural. */
const PLURAL = /\{\w+, *plural,/gu;

/** The end of the braces that begin at `from`. */
function findEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "{") depth += 1;
    else if (text[at] === "}" && (depth -= 1) === 0) return at + 1;
  }
  return text.length;
}

/** A text with a case for each plural category of the language (CLDR); a new one says what "other" says. */
export function toOwnCases(text: string, language: string): string {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  const needed = categories.filter((on) => pluralCategories.includes(on));
  let made = "";
  let from = 0;
  for (const { index, 0: head } of text.matchAll(PLURAL)) {
    if (index < from) continue;
    const end = findEnd(text, index);
    const cases = parseCases(text.slice(index + head.length, end - 1));
    const exact = [...cases].filter(([on]) => on.startsWith("="));
    const own = needed.map((on) => [on, cases.get(on) ?? cases.get("other") ?? ""] as const);
    const isOne = cases.size === exact.length + 1;
    const kept = isOne ? [...cases] : [...exact, ...own];
    made += `${text.slice(from, index)}${head} ${kept.map(([on, said]) => `${on} {${said}}`).join(" ")}}`;
    from = end;
  }
  return made + text.slice(from);
}
