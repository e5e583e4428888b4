/**
 * All mutants of a file at once: each place where one is asks by its number whether it is the one that lives. The bundle
 * of the tests is built once.
 */
import ts from "typescript";

export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  /** What was there, and what is there in its place. */
  readonly change: string;
}

const swaps: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "%": "*",
  "&&": "||",
  "||": "&&",
  "??": "&&",
};

/** Whether a part of an expression must run in the function that it is in. */
function waits(node: ts.Node): boolean {
  if (ts.isAwaitExpression(node) || ts.isYieldExpression(node)) return true;
  return (
    ts.forEachChild(node, (child) => (ts.isFunctionLike(child) ? undefined : waits(child) || undefined)) ===
    true
  );
}

const isText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && isText(node.left));

/** The source with its mutants; `firstId` is the number of the first. */
export function instrument(
  file: string,
  text: string,
  firstId: number,
): { text: string; mutants: readonly Mutant[] } {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, change: string): number => {
    const id = firstId + mutants.length;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    mutants.push({ id, file, line: line + 1, change });
    return id;
  };
  const show = (node: ts.Node): string => node.getText().replaceAll(/\s+/gu, " ").slice(0, 60);

  /** The text of a node with what is put in place of its parts. */
  function emitChildren(node: ts.Node): string {
    let made = "";
    let from = node.getFullStart();
    ts.forEachChild(node, (child) => {
      made += text.slice(from, child.getFullStart()) + emit(child);
      from = child.end;
    });
    return made + text.slice(from, node.end);
  }

  const spaceBefore = (node: ts.Node): string => text.slice(node.getFullStart(), node.getStart());

  function emitBinary(node: ts.BinaryExpression): string | undefined {
    const sign = node.operatorToken.getText();
    const other = swaps[sign];
    if (other === undefined || (sign === "+" && (isText(node.left) || isText(node.right)))) return undefined;
    const isLogical = ["&&", "||", "??"].includes(sign);
    if (isLogical && waits(node.right)) return undefined;
    const id = add(node, `${show(node)}: ${sign} → ${other}`);
    const [left, right] = [emit(node.left), emit(node.right)];
    const call = isLogical ? `(${left}), () => (${right})` : `(${left}), (${right})`;
    return `${spaceBefore(node)}__mutants.binary(${id}, ${JSON.stringify(sign)}, ${call})`;
  }

  function emitCondition(node: ts.Expression): string {
    const [always, never] = [add(node, `${show(node)} → true`), add(node, `${show(node)} → false`)];
    return `${spaceBefore(node)}__mutants.condition(${always}, ${never}, (${emit(node)}))`;
  }

  function emit(node: ts.Node): string {
    if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node))
      return text.slice(node.getFullStart(), node.end);
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node))
      return text.slice(node.getFullStart(), node.end);
    if (ts.isBinaryExpression(node)) return emitBinary(node) ?? emitChildren(node);
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      const id = add(node, `${show(node)} without !`);
      return `${spaceBefore(node)}__mutants.not(${id}, (${emit(node.operand)}))`;
    }
    if (ts.isIfStatement(node) && !waits(node.expression)) {
      const before = text.slice(node.getFullStart(), node.expression.getFullStart());
      const middle = text.slice(node.expression.end, node.thenStatement.getFullStart());
      const rest =
        node.elseStatement === undefined
          ? ""
          : text.slice(node.thenStatement.end, node.elseStatement.getFullStart()) + emit(node.elseStatement);
      return before + emitCondition(node.expression) + middle + emit(node.thenStatement) + rest;
    }
    if (ts.isConditionalExpression(node)) {
      const rest = text.slice(node.condition.end, node.whenTrue.getFullStart());
      const colon = text.slice(node.whenTrue.end, node.whenFalse.getFullStart());
      return emitCondition(node.condition) + rest + emit(node.whenTrue) + colon + emit(node.whenFalse);
    }
    if (ts.isNumericLiteral(node) && !ts.isPropertyAssignment(node.parent) && !ts.isEnumMember(node.parent)) {
      const id = add(node, `${node.getText()} → ${node.getText()} + 1`);
      return `${spaceBefore(node)}__mutants.number(${id}, ${node.getText()})`;
    }
    if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
      const id = add(node, `${show(node)} removed`);
      return `${spaceBefore(node)}if (__mutants.stays(${id})) {${emitChildren(node)}}`;
    }
    return emitChildren(node);
  }

  return { text: emit(source), mutants };
}

/** Put before each bundle: which mutant lives is in MUTANT; the numbers of those that were reached go to MUTANTS_REACHED. */
export const runtimeText = `
import { writeFileSync as writeReached } from "node:fs";
const living = Number(process.env.MUTANT ?? -1);
const reached = new Set();
if (process.env.MUTANTS_REACHED) process.on("exit", () => writeReached(process.env.MUTANTS_REACHED, JSON.stringify([...reached])));
const is = (id) => (reached.add(id), id === living);
const signs = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "===": (a, b) => a === b, "!==": (a, b) => a !== b, "+": (a, b) => a + b, "-": (a, b) => a - b,
  "*": (a, b) => a * b, "/": (a, b) => a / b, "%": (a, b) => a % b,
  "&&": (a, b) => a && b(), "||": (a, b) => a || b(), "??": (a, b) => a ?? b(),
};
const swaps = ${JSON.stringify(swaps)};
globalThis.__mutants = {
  binary: (id, sign, a, b) => signs[is(id) ? swaps[sign] : sign](a, b),
  condition: (always, never, value) => (is(always) ? true : is(never) ? false : value),
  not: (id, value) => (is(id) ? Boolean(value) : !value),
  number: (id, value) => (is(id) ? value + 1 : value),
  stays: (id) => !is(id),
};
`;
