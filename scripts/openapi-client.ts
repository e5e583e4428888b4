/**
 * Clients generated from the OpenAPI documents, compiled: what another program gets from them must be types that
 * TypeScript takes.
 */
import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProcessResult, projectFolder, runNode } from "./process.ts";

const TIMEOUT_MS = 120_000;

/** Calls of each service; they never run. A wrong expectation is an error, so that types which allow anything are noticed. */
const CALLER = `import createClient from "openapi-fetch";
import type { paths as Monitor } from "./monitor.d.ts";
import type { paths as Auth } from "./auth.d.ts";
import type { paths as Shop } from "./shop.d.ts";

const monitor = createClient<Monitor>({ baseUrl: "http://127.0.0.1:8080" });
export async function readState(id: string): Promise<string> {
  const { data, error } = await monitor.GET("/api/servers/{id}", { params: { path: { id } } });
  return data === undefined ? error.code : data.state;
}
// @ts-expect-error: there is no such route
export const wrongPath = (): unknown => monitor.GET("/api/no-such-route");

const auth = createClient<Auth>({ baseUrl: "http://127.0.0.1:8082" });
export const signIn = (identifier: string, password: string): unknown =>
  auth.POST("/api/auth/login", { body: { identifier, password } });
// @ts-expect-error: a sign-in needs a password
export const wrongBody = (): unknown => auth.POST("/api/auth/login", { body: { identifier: "ann" } });

const shop = createClient<Shop>({ baseUrl: "http://127.0.0.1:8081" });
export const search = (q: string): unknown => shop.GET("/api/products", { params: { query: { q } } });
export const notify = (provider: string): unknown =>
  shop.POST("/api/webhooks/{provider}-pay", { params: { path: { provider } }, body: {} });
`;

const CONFIG = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: false,
    types: [],
    target: "es2023",
    lib: ["es2023", "dom"],
    module: "nodenext",
    allowImportingTsExtensions: true,
  },
  include: ["*.ts"],
};

/** Generates a client of each document `<service>.json` in `folder` and compiles them; stops at the first failure. */
export async function compileClients(folder: string, services: readonly string[]): Promise<ProcessResult> {
  const modules = join(projectFolder, "node_modules");
  await symlink(modules, join(folder, "node_modules"));
  const run = (script: readonly string[], args: readonly string[]): Promise<ProcessResult> =>
    runNode([join(modules, ...script), ...args], { cwd: folder, timeoutMs: TIMEOUT_MS });
  for (const service of services) {
    const generator = ["openapi-typescript", "bin", "cli.js"];
    const made = await run(generator, [`${service}.json`, "-o", `${service}.d.ts`]);
    if (made.code !== 0) return made;
  }
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "caller.ts"), CALLER);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(CONFIG));
  return run(["typescript-native", "bin", "tsc"], ["--project", "tsconfig.json"]);
}
