/** Programs of others as clients: curl as crontabs call it, and borgmatic. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { runProcess } from "../../support/process.ts";
import { type Program, type Programs, createPrograms, terminate } from "../../support/program.ts";

const TOKEN = "a-token-for-this-suite";
const names = ["curl", "borgmatic", "borg"];
const missing = names.filter((name) => findProgram(name) === undefined);
const skip =
  missing.length > 0 &&
  tellSkipped(`${missing.join(", ")} not in PATH (apt-get install curl borgmatic borgbackup)`);

const logSchema = z.object({
  items: z.array(
    z.object({
      signal: z.string(),
      exitStatus: z.number().optional(),
      runMs: z.number().optional(),
      method: z.string(),
      userAgent: z.string(),
      text: z.string(),
    }),
  ),
});
const madeSchema = z.object({ id: z.string(), pingKey: z.string() });

describe("Clients of heartbeats", { skip }, () => {
  let programs: Programs;
  let program: Program;
  let url: string;
  let folder: string;
  before(async () => {
    programs = await createPrograms(["monitor"]);
    program = programs.run({ ADMIN_TOKEN: TOKEN });
    url = `http://127.0.0.1:${(await programs.ports(program)).http}`;
    folder = await mkdtemp(join(tmpdir(), "trivet-heartbeats-"));
  });
  after(async () => {
    terminate(program);
    await program.ended;
    await programs.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  async function make(): Promise<{ id: string; address: string; push: string }> {
    const answer = await fetch(`${url}/api/admin/checks`, {
      method: "POST",
      headers: { "x-admin-token": TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ name: "Job", target: { kind: "heartbeat" } }),
    });
    const { id, pingKey } = madeSchema.parse(await answer.json());
    return { id, address: `${url}/ping/${pingKey}`, push: `${url}/api/push/${pingKey}` };
  }

  async function readLog(id: string) {
    const headers = { "x-admin-token": TOKEN };
    const answer = await fetch(`${url}/api/admin/checks/${id}/pings`, { headers });
    return logSchema.parse(await answer.json()).items.toReversed();
  }

  async function runShell(script: string) {
    const env = { HOME: folder, PATH: process.env["PATH"] ?? "" };
    return runProcess({ command: "/bin/sh", args: ["-c", script], env, timeoutMs: 60_000 });
  }

  it("are crontabs' lines with curl", async () => {
    const { id, address, push } = await make();
    const curl = "curl -fsS -m 10 --retry 5";
    const rid = "$(cat /proc/sys/kernel/random/uuid)";
    const { code, output } = await runShell(`
      ${curl} ${address} && echo
      false; ${curl} -o /dev/null ${address}/$?
      (exit 0); ${curl} -o /dev/null ${address}/$?
      ${curl} -I -o /dev/null ${address}
      rid=${rid}; ${curl} -o /dev/null ${address}/start?rid=$rid; ${curl} -o /dev/null ${address}?rid=$rid
      yes 'a long log' | head -c 3000000 | ${curl} -o /dev/null --data-binary @- ${address}
      echo hello > ${folder}/log; ${curl} -o /dev/null -T ${folder}/log ${address}/log
      ${curl} -o /dev/null --get --data-urlencode "msg=Größe 90%" -d status=down ${push}
      ${curl} "${push}?status=up&msg=OK&ping="`);
    assert.equal(code, 0, output);
    assert.equal(output, 'OK\n{"ok":true}');
    const log = await readLog(id);
    assert.deepEqual(
      log.map(({ method, signal, exitStatus }) => [method, signal, exitStatus]),
      [
        ["GET", "success", undefined],
        ["GET", "fail", 1],
        ["GET", "success", 0],
        ["HEAD", "success", undefined],
        ["GET", "start", undefined],
        ["GET", "success", undefined],
        ["POST", "success", undefined],
        ["PUT", "log", undefined],
        ["GET", "fail", undefined],
        ["GET", "success", undefined],
      ],
    );
    assert.ok(log[5]?.runMs !== undefined);
    assert.equal(log[6]?.text.length, 10_000);
    assert.equal(log[7]?.text, "hello\n");
    assert.equal(log[8]?.text, "Größe 90%");
  });

  it("are borgmatic's backups, those that work and those that fail", async () => {
    const { id, address } = await make();
    await mkdir(join(folder, "source"));
    await writeFile(join(folder, "source", "file"), "worth keeping");
    const toConfig = (repository: string): string => `location:
    source_directories:
        - ${folder}/source
    repositories:
        - ${folder}/${repository}
hooks:
    healthchecks:
        ping_url: ${address}
        ping_body_limit: 10000
`;
    await writeFile(join(folder, "good.yaml"), toConfig("repository"));
    await writeFile(join(folder, "bad.yaml"), toConfig("not-there"));
    const made = await runShell(`borg init --encryption=none ${folder}/repository`);
    assert.equal(made.code, 0, made.output);
    const good = await runShell(`borgmatic --config ${folder}/good.yaml create --monitoring-verbosity 1`);
    assert.equal(good.code, 0, good.output);
    const bad = await runShell(`borgmatic --config ${folder}/bad.yaml create`);
    assert.notEqual(bad.code, 0);
    const log = await readLog(id);
    assert.deepEqual(
      log.map(({ signal }) => signal),
      ["start", "success", "start", "fail"],
    );
    assert.match(log[1]?.text ?? "", /Creating archive/u);
    assert.ok((log[1]?.runMs ?? 0) > 0);
    assert.match(log[3]?.text ?? "", /non-zero exit status/u);
  });
});
