/** Columns of a table by the CREATE TABLE statement that SQLite keeps. */
export type Value = string | number | null;

export interface Column {
  readonly name: string;
  /** What a row has that is older than the column. */
  readonly fallback: Value;
}

export interface Columns {
  readonly columns: readonly Column[];
  /** The INTEGER PRIMARY KEY: rows store null for it, and it is their row ID. */
  readonly rowId: string | undefined;
}

/** Ends of comments and quotes are optional: without one, a search for each start would take quadratic time. */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"]|"")*"?|'(?:[^']|'')*'?|`(?:[^`]|``)*`?|\[[^\]]*\]?|[(),]|[^\s(),"'`[]+/gu;
const CONSTRAINTS = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"];

function unquote(token: string): string {
  const [quote = ""] = token;
  if (quote === "[") return token.slice(1, -1);
  return `"'\``.includes(quote) ? token.slice(1, -1).replaceAll(quote + quote, quote) : token;
}

/** The tokens of each definition in the outer parentheses. */
function splitDefinitions(sql: string): string[][] {
  const definitions: string[][] = [[]];
  let depth = 0;
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith("--") || token.startsWith("/*")) continue;
    if (token === ")") depth -= 1;
    if (token === "," && depth === 1) definitions.push([]);
    else if (depth > 0) definitions.at(-1)?.push(token);
    if (token === "(") depth += 1;
    // What follows the parentheses are options of the table.
    if (token === ")" && depth === 0) break;
  }
  return definitions;
}

/** A constant after DEFAULT; null for an expression, which only a column of the start can have. */
function findFallback(words: readonly string[], tokens: readonly string[]): Value {
  const given = tokens[words.indexOf("DEFAULT") + 1];
  if (!words.includes("DEFAULT") || given === undefined) return null;
  if (/^["'`[]/u.test(given)) return unquote(given);
  const word = given.toUpperCase();
  if (word === "TRUE" || word === "FALSE") return word === "TRUE" ? 1 : 0;
  const number = Number(given);
  return Number.isFinite(number) ? number : null;
}

export function parseColumns(sql: string): Columns {
  const columns: Column[] = [];
  let rowId: string | undefined;
  for (const tokens of splitDefinitions(sql)) {
    const words = tokens.map((token) => token.toUpperCase());
    const [first = ""] = words;
    const key = words.indexOf("PRIMARY");
    if (CONSTRAINTS.includes(first)) {
      if (key !== -1) rowId ??= unquote(tokens[key + 3] ?? "");
      continue;
    }
    // A virtual column is computed and not stored.
    if (words.includes("AS") && !words.includes("STORED")) continue;
    const name = unquote(tokens[0] ?? "");
    if (key !== -1 && words[1] === "INTEGER") rowId = name;
    columns.push({ name, fallback: findFallback(words, tokens) });
  }
  return { columns, rowId };
}
