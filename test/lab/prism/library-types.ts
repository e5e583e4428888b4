/** Forms held against the types of Stripe's library, which are made from Stripe's newest OpenAPI file. */
import { join } from "node:path";
import ts from "typescript";
import { projectFolder } from "../../support/process.ts";

/** What the library calls the parameters of each operation that has a form. */
const types: Readonly<Record<string, string>> = {
  "/v1/checkout/sessions": "Stripe.Checkout.SessionCreateParams",
  "/v1/checkout/sessions/{session}/expire": "Stripe.Checkout.SessionExpireParams",
  "/v1/refunds": "Stripe.RefundCreateParams",
};

/** What is wrong with forms, one line each. */
export function findTypeErrors(
  forms: readonly { readonly path: string; readonly json: unknown }[],
): string[] {
  const lines = forms.map(
    ({ path, json }, index) =>
      `export const form${index}: ${types[path] ?? "never"} = ${JSON.stringify(json)};`,
  );
  const text = ['import type Stripe from "stripe";', ...lines].join("\n");
  const file = join(projectFolder, "test/lab/prism/forms-as-sent.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, text, target) : getSourceFile(name, target, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
