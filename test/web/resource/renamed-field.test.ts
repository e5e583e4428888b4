/** A field that is renamed where it is said breaks the form that asks for it when it is compiled, not when it is used. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import ts from "typescript";
import { projectFolder } from "../../support/process.ts";

const page = join(projectFolder, "src/web/shop/coupons/coupons-page.tsx");
const table = join(projectFolder, "src/shop/coupons/fields.ts");

/** Compiles the page; the file at `table` holds what `read` gives. */
function createCheck(read: () => string): () => string[] {
  const { config } = ts.readConfigFile(join(projectFolder, "tsconfig.json"), ts.sys.readFile) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(
    { ...Object(config), include: [] },
    ts.sys,
    projectFolder,
  );
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  const known = new Map<string, ts.SourceFile | undefined>();
  host.getSourceFile = (name, version, ...rest) => {
    if (name === table) return ts.createSourceFile(name, read(), version, true);
    if (!known.has(name)) known.set(name, getSourceFile(name, version, ...rest));
    return known.get(name);
  };
  let program: ts.Program | undefined;
  return () => {
    program = ts.createProgram([page], options, host, program);
    return program
      .getSemanticDiagnostics(program.getSourceFile(page))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  };
}

describe("the form of a coupon", () => {
  const present = readFileSync(table, "utf8");

  it("compiles as it is, and does not when a field of the table has another name", () => {
    let text = present;
    const findErrors = createCheck(() => text);
    assert.deepEqual(findErrors(), []);
    assert.match(present, /^ {2}maxUses: /mu);
    text = present.replace("  maxUses: ", "  mostUses: ");
    const errors = findErrors();
    assert.ok(
      errors.some((error) => error.includes("maxUses")),
      errors.join("\n"),
    );
  });
});
