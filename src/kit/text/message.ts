/**
 * Texts with places for values, in the part of ICU's MessageFormat that they need: `{name}`,
 * `{count, plural, =0 {none} one {# day} other {# days}}` and `{kind, select, file {a file} other {something}}`, the
 * last two in one another too. Apostrophes quote nothing. What is here counts in the first view of every page.
 */

/** Values for the places of a text. */
export type TextValues = Readonly<Record<string, string | number>>;

/** The braces of a choice hold those of its cases, of a choice in one, of that one's cases, and of a place. */
const PLACE =
  /\{(\w+)(?:, *(plural|select),((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*\})*))?\}/gu;
const CASE = /\s*([=\w]+) *\{((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}/guy;

const rules = new Map<string, readonly [Intl.PluralRules, Intl.NumberFormat]>();

function findRules(language: string): readonly [Intl.PluralRules, Intl.NumberFormat] {
  let found = rules.get(language);
  if (found === undefined)
    rules.set(language, (found = [new Intl.PluralRules(language), new Intl.NumberFormat(language)]));
  return found;
}

const choices = new Map<string, ReadonlyMap<string, string>>();

/** The cases of a choice by what they are for: a value, a category of CLDR, "=" and a number, "other". */
export function parseCases(cases: string): ReadonlyMap<string, string> {
  let found = choices.get(cases);
  if (found === undefined)
    choices.set(
      cases,
      (found = new Map(Array.from(cases.matchAll(CASE), ([, on = "", said = ""]) => [on, said]))),
    );
  return found;
}

/** The places of a text, without those in the cases of its choices. */
export function listPlaces(text: string): { name: string; kind: string | undefined; cases: string }[] {
  return Array.from(text.matchAll(PLACE), ([, name = "", kind, cases = ""]) => ({ name, kind, cases }));
}

/** A text of the files with its places filled, by the rules of its language; a place without a value stays as it is. */
export function formatText(language: string, text: string, values: TextValues = {}): string {
  if (!text.includes("{")) return text;
  return text.replaceAll(PLACE, (whole, name: string, kind: string | undefined, cases: string) => {
    const value = values[name];
    if (kind === undefined || value === undefined) return String(value ?? whole);
    const all = parseCases(cases);
    const [plural, numbers] = findRules(language);
    const wanted = kind === "plural" ? plural.select(Number(value)) : String(value);
    const said = all.get(`=${value}`) ?? all.get(wanted) ?? all.get("other") ?? "";
    const counted = kind === "plural" ? said.replaceAll("#", numbers.format(Number(value))) : said;
    return formatText(language, counted, values);
  });
}
