/**
 * For the bundles of browser code: a file with schemas that src/web imports comes as the description of its schemas
 * (src/kit/fields/describe.ts), so that forms know their bounds without the library that checks them.
 */
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
import { z } from "zod";
import { describeSchema } from "../src/kit/fields/describe.ts";
import { projectFolder } from "./process.ts";

const NAMESPACE = "described";
const web = join(projectFolder, "src", "web");
const describer = join(projectFolder, "src", "kit", "fields", "describe.ts");

/** What a browser gets of an export: descriptions of objects, and plain values as they are. */
function toShown(value: unknown): unknown {
  if (value instanceof z.ZodObject) return describeSchema(value);
  return value instanceof z.ZodType || typeof value === "function" ? undefined : value;
}

async function describeFile(path: string): Promise<string> {
  const members: unknown = await import(pathToFileURL(path).href);
  return Object.entries(members ?? {})
    .map(([name, value]) => [name, JSON.stringify(toShown(value))] as const)
    .map(([name, json]) => (json === undefined ? "" : `export const ${name} = ${json};`))
    .join("\n");
}

/** The plugin. */
export const schemaDescriptions: Plugin = {
  name: "descriptions of schemas",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /(?:[-/]schema|[/]describe)\.ts$/ }, ({ path, resolveDir }) => {
      const file = join(resolveDir, path);
      const isFromWeb = !relative(web, resolveDir).startsWith("..") && relative(web, file).startsWith("..");
      // Relative: names of built files contain a hash of it, and must be the same wherever the project is.
      return isFromWeb
        ? { path: relative(projectFolder, file), namespace: NAMESPACE, sideEffects: false }
        : undefined;
    });
    onLoad({ filter: /./, namespace: NAMESPACE }, async ({ path }) => {
      const file = join(projectFolder, path);
      // What comes of a schema is its description already.
      const contents =
        file === describer
          ? "export const describeSchema = (described) => described;"
          : await describeFile(file);
      return { contents, resolveDir: dirname(file), loader: "js" };
    });
  },
};
