/**
 * The import table of ARCHITECTURE.md, proved by planting each forbidden import in a copy of the
 * lint settings and looking for the complaint.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { projectFolder } from "../../scripts/process.ts";
import { isDeno, runtimeArguments } from "../support/own-runtime.ts";

/** Importing file → sources that it must not import. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  "src/monitor/servers.ts": [
    ...["hono", "hono/cors", "@hono/zod-openapi", "@hono/node-server", "node:crypto", "node:fs/promises"],
    ...[
      "ws",
      "nice-grpc",
      "@grpc/grpc-js",
      "protobufjs",
      "protobufjs/minimal.js",
      "lowdb",
      "lowdb/node",
      "pg",
    ],
    ...["kysely", "@nats-io/transport-node", "../auth/tokens.ts", "../shop/orders.ts", "../agent/main.ts"],
    ...[
      "../store/journal/journal-store.ts",
      "../runtime/node.ts",
      "../bus/local.ts",
      "#runtime",
      "../config.ts",
    ],
    ...["./http.ts", "./feed.ts", "./agent-stream.ts", "./proto/codec.ts", "../main.ts", "../kit/app.ts"],
  ],
  "src/auth/tokens.ts": [
    "../monitor/servers.ts",
    "../shop/orders.ts",
    "hono",
    "node:crypto",
    "./http/routes.ts",
  ],
  "src/shop/orders.ts": [
    "../monitor/servers.ts",
    "../auth/accounts.ts",
    "pg",
    "nodemailer",
    "@node-rs/argon2",
  ],
  "src/monitor/http.ts": [
    "../auth/tokens.ts",
    "node:fs",
    "ws",
    "lowdb",
    "nice-grpc",
    "#runtime",
    "../config.ts",
  ],
  "src/shop/http/orders.ts": ["../../auth/http.ts", "node:crypto", "../../store/journal/journal-store.ts"],
  "src/monitor/feed.ts": ["ws", "node:zlib", "../shop/chat.ts"],
  "src/monitor/agent-stream.ts": ["../shop/orders.ts", "node:http2", "../runtime/node.ts"],
  "src/store/store.ts": ["../monitor/records.ts", "../config.ts", "#runtime", "./journal/journal-store.ts"],
  "src/store/journal/journal-store.ts": ["../../shop/records.ts", "../../auth/records.ts"],
  "src/bus/bus.ts": ["../monitor/feed.ts", "../shop/chat.ts"],
  "src/kit/app.ts": ["../monitor/http.ts", "../auth/tokens.ts", "../runtime/node.ts", "../utils/text.ts"],
  "src/runtime/node.ts": ["../monitor/agent-stream.ts", "../config.ts"],
  "src/agent/collect.ts": [
    "../monitor/servers.ts",
    "../auth/tokens.ts",
    "../store/store.ts",
    "../monitor/protocol.ts",
  ],
  "src/web/dashboard.ts": ["node:fs", "hono", "../monitor/servers.ts", "../auth/schema.ts"],
  "src/compose/monitor.ts": ["#runtime", "../main.ts", "../kit/index.ts"],
  "src/kit/log.ts": ["../compose/monitor.ts"],
  "src/config.ts": ["hono", "lowdb", "#runtime"],
  "src/main.ts": ["./kit/index.ts", "./lib/text.ts", "./kit/utils.ts"],
};

/** Importing file → sources that the table allows. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/main.ts": [
    "#runtime",
    "./config.ts",
    "./store/journal/journal-store.ts",
    "./bus/nats.ts",
    "./monitor/http.ts",
  ],
  "src/monitor/ingest.ts": [
    "zod",
    "./schema.ts",
    "./records.ts",
    "./history.ts",
    "../store/store.ts",
    "../kit/clock.ts",
  ],
  "src/monitor/http.ts": ["hono", "@hono/zod-openapi", "./servers.ts", "../kit/app.ts", "../runtime.ts"],
  "src/auth/http/sessions.ts": ["hono/cookie", "../sessions.ts", "../schema.ts", "../../kit/problem.ts"],
  "src/monitor/agent-stream.ts": [
    "nice-grpc",
    "protobufjs",
    "./proto/codec.ts",
    "./ingest.ts",
    "../runtime.ts",
  ],
  "src/store/journal/journal-store.ts": ["lowdb", "node:fs/promises", "../store.ts", "../../kit/clock.ts"],
  "src/runtime/node.ts": ["ws", "@hono/node-server", "node:http", "@grpc/grpc-js", "../runtime.ts"],
  "src/kit/secret.ts": ["node:crypto", "hono", "./clock.ts"],
  "src/agent/main.ts": [
    "../monitor/proto/codec.ts",
    "../store/file-layer.ts",
    "../kit/log.ts",
    "systeminformation",
    "node:os",
    "nice-grpc",
  ],
};

const lintReport = z.object({
  diagnostics: z.array(
    z.object({
      code: z.string(),
      filename: z.string(),
      labels: z.array(z.object({ span: z.object({ line: z.number() }) })),
    }),
  ),
});

/** Writes each file of the table with one import on each line, under a copy of the lint settings. */
async function plant(folder: string, table: Readonly<Record<string, readonly string[]>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(projectFolder, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
  for (const [file, lines] of Object.entries(table)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${lines.join("\n")}\n`);
  }
}

/** Gives "file:line" of every import that the linter refuses below `folder`. */
async function findRefused(folder: string): Promise<Set<string>> {
  const linter = join(projectFolder, "node_modules", "oxlint", "bin", "oxlint");
  const args = [...(isDeno ? runtimeArguments : []), linter, "--format=json"];
  const report = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 1 << 24 }, (_, stdout) => resolve(stdout));
  });
  return new Set(
    lintReport
      .parse(JSON.parse(report))
      .diagnostics.filter(({ code }) => code === "eslint(no-restricted-imports)")
      .map(({ filename, labels }) => `${filename}:${labels[0]?.span.line ?? 0}`),
  );
}

/** Plants the table and splits it into what the linter refused and what it let through, as "file → source". */
async function judge(
  folder: string,
  table: Readonly<Record<string, readonly string[]>>,
): Promise<{ refused: string[]; passed: string[] }> {
  const toLines = (sources: readonly string[]): string[] =>
    sources.map((source) => `import ${JSON.stringify(source)};`);
  await plant(
    folder,
    Object.fromEntries(Object.entries(table).map(([file, sources]) => [file, toLines(sources)])),
  );
  const complaints = await findRefused(folder);
  const verdicts = Object.entries(table).flatMap(([file, sources]) =>
    sources.map((source, index) => ({
      name: `${file} → ${source}`,
      bad: complaints.has(`${file}:${index + 1}`),
    })),
  );
  return {
    refused: verdicts.filter(({ bad }) => bad).map(({ name }) => name),
    passed: verdicts.filter(({ bad }) => !bad).map(({ name }) => name),
  };
}

describe("import table", () => {
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-imports-"));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("refuses every forbidden import", async () => {
    const { passed } = await judge(join(folder, "forbidden"), forbidden);
    assert.deepEqual(passed, []);
  });

  it("allows what the table allows", async () => {
    const { refused } = await judge(join(folder, "allowed"), allowed);
    assert.deepEqual(refused, []);
  });

  it("sees type imports, re-exports and dynamic imports too", async () => {
    const file = "src/monitor/servers.ts";
    const forms = [
      'import type { x } from "hono";',
      'export { x } from "hono";',
      'export const y = import("hono");',
    ];
    await plant(join(folder, "forms"), { [file]: forms });
    const refused = await findRefused(join(folder, "forms"));
    assert.deepEqual([...refused].sort(), [`${file}:1`, `${file}:2`, `${file}:3`]);
  });
});

describe("rooms", () => {
  it("hold no utils, lib, helpers, common or index file", async () => {
    const entries = await readdir(join(projectFolder, "src"), { recursive: true });
    assert.deepEqual(
      entries.filter((entry) => /(?:^|[/\\])(?:utils?|lib|helpers?|common|index)(?:\.ts)?$/u.test(entry)),
      [],
    );
  });

  it("keep src to the folders of ARCHITECTURE.md", async () => {
    const known = new Set([
      "agent",
      "auth",
      "bus",
      "compose",
      "kit",
      "monitor",
      "runtime",
      "shop",
      "store",
      "web",
    ]);
    const entries = await readdir(join(projectFolder, "src"), { withFileTypes: true });
    assert.deepEqual(
      entries.filter((entry) => entry.isDirectory() && !known.has(entry.name)).map(({ name }) => name),
      [],
    );
  });
});
