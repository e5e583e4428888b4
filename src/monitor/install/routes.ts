/** Downloads of a new agent: the script, the programs and their checksums. */
import { z } from "@hono/zod-openapi";
import { AppError } from "../../kit/errors.ts";
import type { ServiceApp } from "../../kit/http/app.ts";
import { isLoopbackAddress } from "../../kit/outbound/allowed-networks.ts";
import { jsonResponse } from "../../kit/http/schemas.ts";
import { type ListDownloads, downloadListSchema, toSums } from "./download-schema.ts";
import type { PublicAddress } from "../base/public-url.ts";
import { lacking } from "../site/private-networks.ts";
import { createRoute } from "../edge/create-route.ts";

export interface InstallRoutesOptions {
  readonly listDownloads: ListDownloads;
  /** The text of install.sh, with `@URL@` and `@VERSION@` in it. */
  readonly script: string;
  readonly version: string;
  /** Where people reach the service; without it, what the request says. */
  readonly address: PublicAddress;
}

/**
 * The URL at which machines reach this monitor. It goes into commands and a script that run as root: it must be
 * nothing but a URL. Throws `bad_request` for an invalid host name.
 */
export function toOwnUrl(requestUrl: string, address: PublicAddress): string {
  const url = address.toUrl(requestUrl);
  if (/^https?:\/\/[A-Za-z0-9.:[\]_~%/-]+$/u.test(url)) return url;
  throw new AppError(
    "bad_request",
    "The host name of the request is invalid. Set the public URL in the settings, or PUBLIC_URL",
    lacking("publicUrl"),
  );
}

/**
 * The address in the script, which runs as root: the configured one, or this machine's own. The Host header of a request
 * may be another's word: then the script has none and asks for --url, which the lines of the console contain.
 */
function toScriptUrl(requestUrl: string, address: PublicAddress): string {
  const url = toOwnUrl(requestUrl, address);
  return address.publicUrl !== undefined || isOwnHost(url) ? url : "";
}

function isOwnHost(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/gu, ""));
}

/** The line for the shell of a machine that gets an agent, as an administrator at `requestUrl` is shown it. */
export function toInstallLine(url: string, code: string, address: PublicAddress): string {
  const named = address.publicUrl !== undefined || isOwnHost(url) ? "" : ` --url ${url}`;
  return `curl -fsSL ${url}/install.sh | sudo sh -s -- ${code}${named}`;
}

const binary = (mediaType: string, description: string) => ({
  description,
  content: { [mediaType]: { schema: z.string().openapi({ format: "binary" }) } },
});

function addScript(app: ServiceApp, { script, version, address }: InstallRoutesOptions): void {
  const route = createRoute({
    method: "get",
    path: "/install.sh",
    operationId: "getInstallScript",
    tags: ["agents"],
    "x-access": "public",
    summary: "Get the script that installs, upgrades or removes the agent on a Linux machine",
    responses: { 200: binary("text/x-shellscript", "For `sh -s -- KEY`") },
    errors: ["bad_request"],
  });
  app.openapi(route, (c) => {
    const url = toScriptUrl(c.req.url, address);
    const text = script.replaceAll("@URL@", () => url).replaceAll("@VERSION@", () => version);
    return c.body(text, 200, {
      "content-type": "text/x-shellscript; charset=utf-8",
      "cache-control": "no-cache",
    });
  });
}

function addFiles(app: ServiceApp, { listDownloads, version }: InstallRoutesOptions): void {
  const list = createRoute({
    method: "get",
    path: "/download",
    operationId: "listDownloads",
    tags: ["agents"],
    "x-access": "public",
    summary: "List the agent programs of the monitor's version",
    responses: {
      200: jsonResponse("The files with name, size and checksum", downloadListSchema, {
        version: "0.1.0",
        items: [{ name: "agent.js", sizeBytes: 876_576, sha256: "0".repeat(64) }],
      }),
    },
  });
  app.openapi(list, async (c) => {
    const downloads = await listDownloads();
    const items = downloads.items.map(({ open: _open, ...file }) => file);
    return c.json({ version, items, signature: downloads.signature }, 200);
  });

  const sums = createRoute({
    method: "get",
    path: "/download/SHA256SUMS",
    operationId: "getDownloadSums",
    tags: ["agents"],
    "x-access": "public",
    summary: "Get the checksums, for sha256sum -c",
    responses: { 200: binary("text/plain", "One line per file") },
  });
  app.openapi(sums, async (c) => c.text(toSums((await listDownloads()).items), 200));

  const signatureRoute = createRoute({
    method: "get",
    path: "/download/SHA256SUMS.minisig",
    operationId: "getDownloadSignature",
    tags: ["agents"],
    "x-access": "public",
    summary: "Get the release's signature of the checksums, for minisign -V",
    responses: { 200: binary("text/plain", "Four lines, as minisign writes them") },
    errors: ["not_found"],
  });
  app.openapi(signatureRoute, async (c) => {
    const { signature } = await listDownloads();
    if (signature === undefined)
      throw new AppError("not_found", "These programs were built here and are not signed. Releases are");
    return c.text(signature, 200);
  });

  const one = createRoute({
    method: "get",
    path: "/download/{name}",
    operationId: "getDownload",
    tags: ["agents"],
    "x-access": "public",
    summary: "Download an agent program",
    request: { params: z.object({ name: z.string() }) },
    responses: { 200: binary("application/octet-stream", "The file") },
    errors: ["not_found"],
  });
  app.openapi(one, async (c) => {
    const { name } = c.req.valid("param");
    const file = (await listDownloads()).items.find((each) => each.name === name);
    if (file === undefined)
      throw new AppError(
        "not_found",
        `The file "${name}" does not exist. "npm run build:agent" creates the single-file programs`,
      );
    return c.body(file.open(), 200, {
      "content-type": "application/octet-stream",
      "content-length": String(file.sizeBytes),
      "cache-control": "no-cache",
      etag: `"${file.sha256.slice(0, 32)}"`,
    });
  });
}

/** Adds /install.sh and /download. */
export function addInstallRoutes(app: ServiceApp, options: InstallRoutesOptions): void {
  addScript(app, options);
  addFiles(app, options);
}
