/**
 * Lints the OpenAPI document of every service with redocly, and compiles clients that are generated from them,
 * without a port and without the network.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { compileClients } from "./openapi-client.ts";
import { projectFolder, runNode } from "./process.ts";

const source = join(projectFolder, "scripts", "openapi.ts");

/** What scripts/openapi.ts exports: the documents by service, made from the apps themselves. */
const openApiModule = z.object({
  openApiDocuments: z.custom<() => unknown>((value) => typeof value === "function"),
});
const documentsByService = z.record(z.string().regex(/^[a-z]+$/u), z.looseObject({ openapi: z.string() }));

/** The hook: reads the documents of `createMonitorApp` and its like through scripts/openapi.ts. */
async function readDocuments(): Promise<z.infer<typeof documentsByService>> {
  const { openApiDocuments } = openApiModule.parse(await import(pathToFileURL(source).href));
  return documentsByService.parse(await openApiDocuments());
}

async function lintDocuments(): Promise<number> {
  const documents = await readDocuments();
  const services = Object.keys(documents);
  if (services.length === 0) {
    console.error("scripts/openapi.ts gives no document");
    return 1;
  }
  const folder = await mkdtemp(join(tmpdir(), "trivet-openapi-"));
  try {
    const paths = services.map((service) => join(folder, `${service}.json`));
    for (const service of services) {
      await writeFile(join(folder, `${service}.json`), JSON.stringify(documents[service], undefined, 2));
    }
    const redocly = join(projectFolder, "node_modules", "@redocly", "cli", "bin", "cli.js");
    const config = `--config=${join(projectFolder, "redocly.yaml")}`;
    Object.assign(process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
    const args = [redocly, "lint", "--format=stylish", config, ...paths];
    const { code, output } = await runNode(args, { cwd: folder, timeoutMs: 60_000 });
    console.log(output.trimEnd());
    if (code !== 0) return code ?? 1;
    const clients = await compileClients(folder, services);
    console.log(clients.code === 0 ? "Clients generated from the documents compile" : clients.output);
    return clients.code ?? 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (existsSync(source)) {
  process.exitCode = await lintDocuments();
} else {
  console.log("scripts/openapi.ts is not there: no document to lint");
}
