import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { heartbeatTargetSchema } from "../../../src/monitor/checks/schema.ts";
import { judgeWords } from "../../../src/monitor/heartbeats/ping-words.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { heartbeatFields } from "./heartbeat-fixture.ts";

interface Made {
  readonly id: string;
  readonly pingKey: string;
}

async function makeHeartbeat(app: TestApp, target: object = {}): Promise<Made> {
  const { name, target: given } = heartbeatFields(target);
  const made = await app.admin("POST", "/api/admin/checks", { name, target: given });
  assert.equal(made.status, 201, await made.clone().text());
  return made.json();
}

/** Signals of the log, the newest first. */
async function readLog(
  app: TestApp,
  { id }: Made,
): Promise<{ signal: string; text: string; isCut: boolean }[]> {
  const { items } = await (await app.admin("GET", `/api/admin/checks/${id}/pings`)).json();
  return items;
}

async function post(app: TestApp, path: string, body: string | Uint8Array<ArrayBuffer>): Promise<number> {
  return (await app.fetch(path, { method: "POST", body })).status;
}

const mail = (subject: string, ...body: readonly string[]): string =>
  ["Received: from nas", "From: NAS <nas@example.org>", `Subject: ${subject}`, "", ...body, ""].join("\r\n");

const words = {
  failWords: "ERROR, fehlgeschlagen",
  successWords: "completed",
  startWords: "started",
  otherwise: "log",
};

describe("keywords of a heartbeat", () => {
  it("decide what a text means: failure first, and their letters as they are", () => {
    const target = heartbeatTargetSchema.parse({ kind: "heartbeat", ...words });
    for (const [text, signal] of [
      ["Backup completed", "success"],
      ["Backup completed with ERROR", "fail"],
      ["Sicherung fehlgeschlagen", "fail"],
      ["Backup started", "start"],
      ["Backup COMPLETED, no error", "log"],
      ["", "log"],
    ] as const)
      assert.equal(judgeWords(target, text), signal, text);
    assert.equal(judgeWords({ ...target, otherwise: "fail" }, "x"), "fail");
    assert.equal(judgeWords({ ...target, otherwise: undefined }, "x"), "success");
    for (const none of ["", " , ,", undefined])
      assert.equal(
        judgeWords({ ...target, failWords: none, successWords: none, startWords: none }, "x"),
        undefined,
      );
  });

  it("count for pings with a body alone, and not where the URL says what they mean", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app, words);
    const path = `/ping/${made.pingKey}`;
    await post(app, path, "it completed");
    await post(app, path, "ERROR 7");
    await post(app, path, "nothing known");
    await post(app, path, "");
    await app.fetch(path);
    await post(app, `${path}/fail`, "completed");
    await post(app, `${path}/0`, "ERROR");
    await post(app, `${path}/log`, "ERROR");
    const log = (await readLog(app, made)).map(({ signal }) => signal).toReversed();
    assert.deepEqual(log, ["success", "fail", "log", "success", "success", "fail", "success", "log"]);
  });

  it("are in the answer, and unset in heartbeats of before", async () => {
    const app = await createTestApp();
    const { id } = await makeHeartbeat(app, words);
    const { target } = await (await app.admin("GET", `/api/admin/checks/${id}`)).json();
    assert.equal(target.failWords, words.failWords);
    const { target: plain } = heartbeatFields();
    assert.equal("failWords" in plain, false);
  });
});

describe("/ping/<key>/mail", () => {
  it("takes an email by its subject and text", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app, words);
    const path = `/ping/${made.pingKey}/mail`;
    assert.equal(await post(app, path, mail("Job completed", "12 files")), 200);
    assert.equal(await post(app, path, mail("Report", "The job started.")), 200);
    assert.equal(await post(app, path, mail("=?utf-8?Q?Sicherung_fehlgeschlagen?=", "Gr=C3=BC=C3=9Fe")), 200);
    assert.equal(await post(app, path, mail("News", "nothing")), 200);
    const log = await readLog(app, made);
    assert.deepEqual(
      log.map(({ signal }) => signal),
      ["log", "fail", "start", "success"],
    );
    assert.equal(log[3]?.text, "From: nas@example.org\nSubject: Job completed\n\n12 files\n");
    assert.match(log[1]?.text ?? "", /^From: nas@example\.org\nSubject: Sicherung fehlgeschlagen\n/u);
  });

  it("reads codings, parts and pages, and no attachments", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app, { ...words, failWords: "größer, in-the-file" });
    const path = `/ping/${made.pingKey}/mail`;
    const parts = [
      "From: a@example.org",
      "Subject: Report",
      "MIME-Version: 1.0",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain; charset=iso-8859-1",
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "Die Platte ist gr=F6=DFer",
      "--b",
      'Content-Type: application/octet-stream; name="x.txt"',
      "Content-Disposition: attachment",
      "",
      "in-the-file",
      "--b--",
      "",
    ].join("\r\n");
    assert.equal(await post(app, path, parts), 200);
    assert.equal(await post(app, path, parts.replace("gr=F6=DFer", "klein")), 200);
    const page =
      "From: a@example.org\r\nSubject: Page\r\nContent-Type: text/html\r\n\r\n<p>It <b>completed</b></p>";
    assert.equal(await post(app, path, page), 200);
    const base64 = Buffer.from("all completed").toString("base64");
    const coded = `From: a@example.org\r\nSubject: =?utf-8?B?${Buffer.from("größer").toString("base64")}?=\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`;
    assert.equal(await post(app, path, coded), 200);
    assert.deepEqual(
      (await readLog(app, made)).map(({ signal }) => signal),
      ["fail", "success", "log", "fail"],
    );
  });

  it("counts as a success without keywords", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app);
    assert.equal(await post(app, `/ping/${made.pingKey}/mail`, mail("ERROR")), 200);
    assert.deepEqual(
      (await readLog(app, made)).map(({ signal }) => signal),
      ["success"],
    );
  });

  it("refuses what is no email, and keeps nothing of it", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app);
    const path = `/ping/${made.pingKey}/mail`;
    const nested = Array.from(
      { length: 60 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    );
    for (const body of ["", "hello", "{}", "\r\n\r\n", "\u0000\u0001", `From: a@b\r\n${nested.join("")}`])
      assert.equal(await post(app, path, body), 400, JSON.stringify(body.slice(0, 40)));
    assert.equal(await post(app, `/ping/${"x".repeat(26)}/mail`, mail("x")), 404);
    assert.deepEqual(await readLog(app, made), []);
  });

  it("reads the beginning of a large one, and says that it was cut", async () => {
    const app = await createTestApp();
    const made = await makeHeartbeat(app, { ...words, failWords: "at-the-end" });
    const path = `/ping/${made.pingKey}/mail`;
    const line = `${"x".repeat(70)}\r\n`;
    assert.equal(await post(app, path, mail("completed", line.repeat(6_000), "at-the-end")), 200);
    assert.equal(await post(app, path, mail("completed", line.repeat(1_000), "at-the-end")), 200);
    const log = await readLog(app, made);
    assert.deepEqual(
      log.map(({ signal, isCut, text }) => [signal, isCut, text.length <= 10_000]),
      [
        ["fail", true, true],
        ["success", true, true],
      ],
    );
  });
});
