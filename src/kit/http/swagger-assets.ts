/** The few files of swagger-ui-dist that the page needs, by name. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { readPacked } from "../files/packed-file.ts";
import { createEntityTag } from "./etag.ts";

/** A file as it is sent. */
export interface SwaggerAsset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  readonly etag: string;
}

const require = createRequire(import.meta.url);

/** Version of the bundled Swagger UI. */
export const swaggerVersion: string = z
  .object({ version: z.string() })
  .parse(require("swagger-ui-dist/package.json")).version;

const SCRIPT = "text/javascript; charset=utf-8";
const bundled = new Map([
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", SCRIPT],
]);

/** A separate file, because the policy allows no inline script. The validator would be a foreign host. */
const INITIALIZER = `"use strict";
window.addEventListener("load", () => {
  window.ui = window.SwaggerUIBundle({
    url: "../openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    validatorUrl: null,
    persistAuthorization: true,
    filter: true,
    tryItOutEnabled: true,
  });
});
`;

async function toAsset(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<SwaggerAsset> {
  return { bytes, contentType, etag: await createEntityTag(bytes) };
}

/** Read once in a process, whatever the number of services. */
const loaded = new Map<string, Promise<SwaggerAsset>>([
  ["swagger-initializer.js", toAsset(new TextEncoder().encode(INITIALIZER), SCRIPT)],
]);

async function load(name: string, contentType: string): Promise<SwaggerAsset> {
  const folder = pathToFileURL(require.resolve("swagger-ui-dist/package.json"));
  // A build has the large files packed, npm has them as they are.
  const bytes = await readPacked(new URL(`${name}.gz`, folder)).catch(() => readFile(new URL(name, folder)));
  return toAsset(new Uint8Array(bytes), contentType);
}

/** The file of that exact name, or undefined when it is not one of those that are served. */
export async function findSwaggerAsset(name: string): Promise<SwaggerAsset | undefined> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const contentType = bundled.get(name);
  if (contentType === undefined) return undefined;
  const asset = load(name, contentType);
  loaded.set(name, asset);
  asset.catch(() => loaded.delete(name)); // a failed read is tried again with the next request
  return asset;
}
