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
import { projectFolder } from "../support/process.ts";
import { isDeno, runtimeArguments } from "../support/own-runtime.ts";

/** Importing file → sources that it must not import. */
const forbidden: Readonly<Record<string, readonly string[]>> = {
  "src/monitor/fleet/servers.ts": [
    "hono",
    "hono/cors",
    "@hono/zod-openapi",
    "@hono/node-server",
    "node:crypto",
    "node:fs/promises",
    "ws",
    "nice-grpc",
    "@grpc/grpc-js",
    "protobufjs",
    "protobufjs/minimal.js",
    "lowdb",
    "lowdb/node",
    "pg",
    "kysely",
    "@nats-io/transport-node",
    "#runtime",
    "../../config.ts",
    "../../main.ts",
    "../../auth/sessions/sessions.ts",
    "../../shop/orders/orders.ts",
    "../../agent/main.ts",
    "../../store/journal/journal-store.ts",
    "../../runtime/node.ts",
    "../../runtime/grpc/grpc.ts",
    "../../bus/local.ts",
    "../../kit/http/app.ts",
    "../app/app.ts",
    "../edge/create-route.ts",
    "../sessions/http/bearer-guard.ts",
    "../service.ts",
    "../../service/bus.ts",
    "./routes.ts",
    "./admin-routes.ts",
    "../ingest/routes.ts",
    "./feed.ts",
    "../ingest/agent-stream.ts",
    "../proto/codec.ts",
  ],
  "src/auth/sessions/sessions.ts": [
    "../../monitor/fleet/servers.ts",
    "../../shop/orders/orders.ts",
    "hono",
    "node:crypto",
    "./routes.ts",
    "../accounts/views.ts",
    "./token-routes.ts",
    "../pages/page.ts",
    "../../html/return-path.ts",
  ],
  "src/shop/orders/orders.ts": [
    "../../monitor/fleet/servers.ts",
    "../../auth/accounts/accounts.ts",
    "pg",
    "nodemailer",
    "@node-rs/argon2",
    "./views.ts",
    "../chat/picture-views.ts",
  ],
  "src/monitor/app/app.ts": [
    "../../auth/sessions/sessions.ts",
    "node:fs",
    "ws",
    "lowdb",
    "nice-grpc",
    "#runtime",
    "../../config.ts",
    "../service.ts",
  ],
  "src/shop/orders/routes.ts": [
    "../../auth/app/app.ts",
    "node:crypto",
    "../../store/journal/journal-store.ts",
  ],
  "src/shop/settings/routes.ts": ["node:crypto", "../../monitor/site/settings.ts", "@node-rs/argon2"],
  "src/monitor/fleet/feed.ts": ["ws", "node:zlib", "../../shop/chat/chat.ts"],
  "src/monitor/ingest/agent-stream.ts": [
    "../../shop/orders/orders.ts",
    "node:http2",
    "../../runtime/node.ts",
  ],
  "src/auth/pages/page.ts": ["../../shop/orders/orders.ts", "node:crypto", "../service.ts"],
  "src/html/form.ts": ["../auth/app/auth.ts", "../config.ts", "../service/run.ts"],
  "src/auth/second-factor/totp.ts": ["hono", "./routes.ts", "../../shop/orders/orders.ts"],
  "src/store/store.ts": [
    "../monitor/app/records.ts",
    "../config.ts",
    "#runtime",
    "./journal/journal-store.ts",
  ],
  "src/store/journal/journal-store.ts": ["../../shop/app/records.ts", "../../auth/app/records.ts"],
  "src/records/audit.ts": [
    "../shop/app/records.ts",
    "../store/postgres/postgres-store.ts",
    "../service/bus.ts",
  ],
  "src/bus/bus.ts": ["../monitor/fleet/feed.ts", "../shop/chat/chat.ts"],
  "src/kit/http/app.ts": [
    "../../monitor/app/app.ts",
    "../../auth/sessions/sessions.ts",
    "../../runtime/node.ts",
    "../utils/text.ts",
    "../../records/audit.ts",
    "../../store/every-page.ts",
    "../../bus/bus.ts",
    "../../html/return-path.ts",
  ],
  "src/clients/js/client.ts": ["../../kit/errors.ts", "node:crypto", "hono"],
  "src/runtime/node.ts": ["../monitor/ingest/agent-stream.ts", "../config.ts"],
  "src/agent/collect.ts": [
    "../monitor/fleet/servers.ts",
    "../auth/sessions/sessions.ts",
    "../store/store.ts",
    "../monitor/protocol.ts",
    "../records/audit.ts",
  ],
  "src/web/dashboard.ts": [
    "node:fs",
    "hono",
    "../monitor/fleet/servers.ts",
    "../auth/accounts/accounts.ts",
    "../monitor/app/records.ts",
    "../monitor/app/metrics.ts",
    "../monitor/alerts/evaluate.ts",
  ],
  "src/monitor/service.ts": ["#runtime", "../main.ts", "../kit/index.ts"],
  "src/service/storage.ts": ["#runtime", "../main.ts"],
  "src/kit/observe/log.ts": ["../../service/bus.ts", "../../monitor/service.ts"],
  "src/config.ts": ["hono", "lowdb", "#runtime"],
  "src/main.ts": ["./kit/index.ts", "./lib/text.ts", "./kit/utils.ts"],
  "test/store/journal/lock.test.ts": ["../../../scripts/process.ts"],
  "scripts/check.ts": ["../test/support/process.ts"],
};

/** Importing file → sources that the table allows. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "src/main.ts": ["#runtime", "./config.ts", "./service/bus.ts", "./bus/nats.ts", "./monitor/service.ts"],
  "src/monitor/service.ts": [
    "../service/storage.ts",
    "../store/journal/journal-store.ts",
    "./app/app.ts",
    "../config.ts",
  ],
  "src/monitor/ingest/ingest.ts": [
    "zod",
    "../base/schema.ts",
    "./records.ts",
    "../history/history.ts",
    "../../store/store.ts",
    "../../kit/time/clock.ts",
    "../../records/audit.ts",
    "../../runtime/runtime.ts",
    "../../bus/bus.ts",
  ],
  "src/monitor/app/app.ts": [
    "hono",
    "@hono/zod-openapi",
    "../fleet/servers.ts",
    "../fleet/routes.ts",
    "../../kit/http/app.ts",
    "../../runtime/runtime.ts",
  ],
  "src/auth/sessions/routes.ts": [
    "hono/cookie",
    "./sessions.ts",
    "../accounts/schema.ts",
    "../accounts/views.ts",
    "../../kit/http/problem.ts",
    "./http/bearer-guard.ts",
  ],
  "src/auth/pages/page.ts": [
    "hono",
    "../../html/return-path.ts",
    "../sessions/http/callers.ts",
    "../sessions/sessions.ts",
  ],
  "src/auth/second-factor/totp.ts": ["node:crypto", "../../kit/errors.ts"],
  "src/monitor/ingest/agent-stream.ts": [
    "nice-grpc",
    "protobufjs",
    "../proto/codec.ts",
    "./ingest.ts",
    "../../runtime/runtime.ts",
  ],
  "src/web/dashboard.ts": [
    "preact",
    "../monitor/base/schema.ts",
    "../monitor/base/metrics.ts",
    "../monitor/alerts/kinds/kinds.ts",
    "../auth/accounts/schema.ts",
  ],
  "src/store/journal/journal-store.ts": [
    "lowdb",
    "node:fs/promises",
    "../store.ts",
    "../../kit/time/clock.ts",
  ],
  "src/records/audit.ts": ["../store/store.ts", "../kit/errors.ts"],
  "src/runtime/node.ts": ["ws", "@hono/node-server", "node:http", "@grpc/grpc-js", "./runtime.ts"],
  "src/kit/secrets/secret-box.ts": ["node:crypto", "../errors.ts"],
  "src/kit/http/problem.ts": ["hono", "../../store/store.ts", "../../runtime/runtime.ts"],
  "src/clients/js/client.ts": ["./answers.ts"],
  "src/agent/main.ts": [
    "../monitor/proto/codec.ts",
    "../kit/files/file-layer.ts",
    "../kit/observe/log.ts",
    "systeminformation",
    "node:os",
    "nice-grpc",
  ],
  "test/store/journal/lock.test.ts": ["../../../src/store/journal/lock.ts", "../../support/process.ts"],
  "scripts/check.ts": ["../src/kit/thrown.ts", "./process.ts"],
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
    const file = "src/monitor/fleet/servers.ts";
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
      "clients",
      "kit",
      "monitor",
      "html",
      "records",
      "runtime",
      "service",
      "shop",
      "store",
      "texts",
      "web",
    ]);
    const entries = await readdir(join(projectFolder, "src"), { withFileTypes: true });
    assert.deepEqual(
      entries.filter((entry) => entry.isDirectory() && !known.has(entry.name)).map(({ name }) => name),
      [],
    );
  });
});
