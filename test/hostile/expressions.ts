/** Every regular expression of `src`, with its position. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";

/** One expression as the source has it. */
export interface Expression {
  /** File and line, "src/config.ts:104". */
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

/** Texts that the file gives a name to. */
function readNames(file: ts.SourceFile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const walk = (node: ts.Node): void => {
    const { initializer, name } = ts.isVariableDeclaration(node)
      ? node
      : { initializer: undefined, name: undefined };
    if (initializer !== undefined && name !== undefined && ts.isStringLiteralLike(initializer))
      names.set(name.getText(file), initializer.text);
    ts.forEachChild(node, walk);
  };
  walk(file);
  return names;
}

/** The text of a template; a name that the file does not define is replaced by a plain word. */
function fill(node: ts.Expression, names: ReadonlyMap<string, string>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(
    ({ expression, literal }) => `${names.get(expression.getText()) ?? "word"}${literal.text}`,
  );
  return node.head.text + parts.join("");
}

function readExpression(
  node: ts.Node,
  names: ReadonlyMap<string, string>,
): Omit<Expression, "where"> | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf("/");
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  const isCall = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (!isCall || node.expression.getText() !== "RegExp") return undefined;
  const [pattern, flags] = node.arguments ?? [];
  const source = pattern === undefined ? undefined : fill(pattern, names);
  if (source === undefined) throw new Error(`Cannot tell what ${node.getText()} makes: write a template`);
  return { source, flags: flags === undefined ? "" : (fill(flags, names) ?? "") };
}

/** The expressions of one file's text. */
export function readExpressions(path: string, text: string): Expression[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names = readNames(file);
  const found: Expression[] = [];
  const walk = (node: ts.Node): void => {
    const expression = readExpression(node, names);
    if (expression !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
      found.push({ where: `${path}:${line}`, ...expression });
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

/** The expressions of every source file below a folder; what is built from them is left out. */
export async function listExpressions(folder: string): Promise<Expression[]> {
  const names = await readdir(folder, { recursive: true });
  const sources = names.filter((name) => /\.tsx?$/u.test(name) && !name.includes("/built/"));
  const found: Expression[] = [];
  for (const name of sources.sort()) {
    const text = await readFile(join(folder, name), "utf8");
    found.push(...readExpressions(`src/${name}`, text));
  }
  return found;
}
