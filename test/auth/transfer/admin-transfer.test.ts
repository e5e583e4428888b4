/** Import and export of accounts as NDJSON. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createPasswordHasher } from "../../../src/auth/base/hashing/password-hash.ts";
import { type TestApp, code, createTestApp, PASSWORD, testCaller } from "../app-fixture.ts";
import { dumpStore, findInStore } from "../store-dump.ts";
import { importLines, lastAudit, read } from "../http/admin-requests.ts";

interface Report {
  dryRun: boolean;
  created: number;
  skipped: number;
  errors: { line: number; code: string; message: string }[];
}

const bcryptHash = "$2b$04$7EqJtq98hPqEX7fNZaFWoOhi5i0kG3tN0n1nCM8e2cKNbHnXg8p4O";
const cheap = createPasswordHasher({ cost: { memoryKiB: 8, passes: 1, lanes: 1 } });
let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

function toLines(records: readonly object[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}

function person(name: string, more: object = {}): object {
  return { username: name, email: `${name}@example.org`, ...more };
}

async function run(lines: string | Uint8Array<ArrayBuffer>, query = ""): Promise<Report> {
  return read(await importLines(app, lines, { query }), 200);
}

async function exportAll(from: TestApp, query = ""): Promise<string> {
  const response = await from.admin("GET", `/api/admin/users/export${query}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "application/x-ndjson");
  assert.equal(response.headers.get("cache-control"), "no-store");
  return response.text();
}

describe("the import", () => {
  it("creates an account from each line, which can sign in", async () => {
    const report = await run(
      toLines([
        person("ann", { passwordHash: await cheap.hash(PASSWORD), emailVerified: true, points: 7 }),
        person("bob", { displayName: "Bob B.", role: "admin", createdAt: 86_400_000, locale: "de" }),
      ]),
    );
    assert.deepEqual(report, { dryRun: false, created: 2, skipped: 0, errors: [] });
    const signedIn = await app.auth.signIn.withPassword({
      identifier: "ann",
      password: PASSWORD,
      caller: testCaller,
    });
    assert.equal(signedIn.kind, "tokens");
    const { items } = await app.auth.userAdmin.list({ limit: 10 });
    // The one from 1970 is the oldest.
    assert.deepEqual(
      items.map((user) => [user.username, user.points, user.role, user.registeredVia.mode]),
      [
        ["ann", 7, "user", "import"],
        ["bob", 0, "admin", "import"],
      ],
    );
    assert.deepEqual((await lastAudit(app)).changes, ["created: 2"]);
  });

  it("takes lines of older exports, and who says no language reads the site's", async () => {
    await app.set("registration", { language: "de" });
    const old =
      '{"username":"ann","email":"ann@example.org","emailVerified":true,"displayName":"Ann","role":"user","status":"suspended","suspendedUntil":1900000000000,"points":3,"createdAt":1700000000000,"locale":"zh","timeZone":"UTC"}';
    assert.equal((await run(`${old}\n${toLines([person("bob")])}`)).created, 2);
    const { items } = await app.auth.userAdmin.list({ limit: 10 });
    assert.deepEqual(
      items.map(({ username, locale, status }) => [username, locale, status]),
      [
        ["bob", "de", "active"],
        ["ann", "zh", "suspended"],
      ],
    );
  });

  it("takes hashes that can be checked and no others", async () => {
    const report = await run(
      toLines([
        person("ann", { passwordHash: bcryptHash }),
        person("bob", { passwordHash: "5f4dcc3b5aa765d61d8327deb882cf99" }),
        person("carl", { passwordHash: "hunter2" }),
      ]),
    );
    assert.equal(report.created, 1);
    assert.deepEqual(
      report.errors.map(({ line, code: reason }) => [line, reason]),
      [
        [2, "invalid"],
        [3, "invalid"],
      ],
    );
    assert.ok(!JSON.stringify(report).includes("hunter2"));
  });

  it("skips names and addresses that are there, each line wholly or not at all", async () => {
    await app.signUp("ann");
    const report = await run(
      toLines([
        person("ANN", { email: "other@example.org" }),
        person("other", { email: "ANN@example.org" }),
        person("new"),
        person("NEW", { email: "third@example.org" }),
      ]),
    );
    assert.equal(report.created, 1);
    assert.equal(report.skipped, 3);
    assert.deepEqual(
      report.errors.map(({ line, code: reason }) => [line, reason]),
      [
        [1, "username_taken"],
        [2, "email_taken"],
        [4, "username_taken"],
      ],
    );
    const names = (await dumpStore(app.store)).filter((line) => line.startsWith("profiles "));
    assert.equal(names.length, 2);
  });

  it("tells of lines that are none and goes on", async () => {
    const bytes = new Uint8Array([
      ...new TextEncoder().encode(`${toLines([person("ann")])}\r\n\n{"username":"bob"\n`),
      ...new TextEncoder().encode('{"username":"'),
      0xff,
      ...new TextEncoder().encode('"}\n[]\n{"username":"x y","email":"x@example.org"}\n'),
      ...new TextEncoder().encode('{"username":"c","email":"c@example.org","isRoot":true}\n'),
      ...new TextEncoder().encode('{"username":"d","email":"d@example.org","__proto__":{"role":"admin"}}\n'),
      ...new TextEncoder().encode(`${toLines([person("e", { displayName: "x".repeat(70_000) })])}\n`),
      ...new TextEncoder().encode(toLines([person("f", { createdAt: app.clock.now() + 1 }), person("last")])),
    ]);
    const report = await run(bytes);
    assert.equal(report.created, 2);
    assert.deepEqual(
      report.errors.map(({ line, code: reason }) => [line, reason]),
      [
        [3, "bad_request"],
        [4, "bad_request"],
        [5, "invalid"],
        [6, "invalid"],
        [7, "invalid"],
        [8, "bad_request"],
        [9, "too_large"],
        [10, "invalid"],
      ],
    );
  });

  it("changes nothing in a trial, and says what would happen", async () => {
    await app.signUp("ann");
    const before = await dumpStore(app.store);
    const lines = toLines([
      person("ann"),
      person("new"),
      person("New"),
      person("x", { email: "new@example.org" }),
      { type: "application", id: "early", name: "Early", allowedGroups: ["family"] },
      { type: "group", id: "family", title: "Family" },
      { type: "group", id: "family", title: "Family again" },
      {
        type: "application",
        id: "a",
        name: "A",
        allowedGroups: ["family"],
        protectedOrigins: ["https://a.example"],
      },
      {
        type: "application",
        id: "b",
        name: "B",
        protectedOrigins: ["https://b.example", "https://a.example"],
      },
      { type: "application", id: "a", name: "A again" },
      { type: "application", id: "unknown", name: "Reserved" },
      { type: "tribe", id: "x" },
      { type: "group", id: "family,club", title: "Two" },
      person("member", { groups: ["family"] }),
      person("twice", { groups: ["family", "family"] }),
      person("stranger", { groups: ["club"] }),
    ]);
    const trial = await run(lines, "?dryRun=true");
    assert.deepEqual(await dumpStore(app.store), before);
    const real = await run(lines);
    assert.deepEqual({ ...trial, dryRun: false, errors: [] }, { ...real, errors: [] });
    assert.deepEqual(
      trial.errors.map(({ line, code: reason }) => [line, reason]),
      real.errors.map(({ line, code: reason }) => [line, reason]),
    );
    assert.deepEqual(
      real.errors.map(({ line }) => line),
      [1, 3, 4, 5, 7, 9, 10, 11, 12, 13, 15, 16],
    );
    // What a refused line named first is free.
    const origin = { type: "application", id: "c", name: "C", protectedOrigins: ["https://b.example"] };
    assert.equal((await run(toLines([origin]))).created, 1);
  });

  it("stores more than one batch, and bounds what it says of failures", async () => {
    const many = Array.from({ length: 1_250 }, (_, i) => (i < 250 ? person(`u${i}`) : { username: "no" }));
    const report = await run(toLines(many));
    assert.deepEqual([report.created, report.skipped, report.errors.length], [250, 1_000, 1_000]);
    const more = await run(toLines([...many, { username: "no" }]));
    assert.deepEqual([more.created, more.skipped, more.errors.length], [0, 1_251, 1_000]);
  });

  it("refuses other media types, too many lines and too many bytes, before it stores anything", async () => {
    const line = toLines([person("ann")]);
    for (const type of ["application/json", "text/plain", "application/x-ndjson; charset=latin1"]) {
      const response = await importLines(app, line, { headers: { "content-type": type } });
      assert.deepEqual(await code(response), [415, "unsupported_media_type"], type);
    }
    assert.deepEqual(await code(await importLines(app, `${line}\n`.padEnd(120_000, "1\n"))), [
      413,
      "too_large",
    ]);
    const huge = new Uint8Array(16_777_217).fill(0x20);
    assert.deepEqual(await code(await importLines(app, huge)), [413, "too_large"]);
    assert.deepEqual(await code(await importLines(app, line, { query: "?dryRun=maybe" })), [422, "invalid"]);
    assert.deepEqual(await findInStore(app.store, ["ann@example.org"]), []);
    assert.deepEqual(await run(""), { dryRun: false, created: 0, skipped: 0, errors: [] });
  });
});

describe("the export", () => {
  it("gives hashes only when asked, and is audited", async () => {
    await app.signUp("ann");
    assert.ok(!(await exportAll(app)).includes("argon2"));
    assert.ok((await exportAll(app, "?hashes=true")).includes("$argon2id$"));
    const { action, changes } = await lastAudit(app);
    assert.deepEqual([action, changes], ["user.export", ["hashes: true"]]);
  });

  it("leaves deleted accounts out", async () => {
    const { user } = await app.signUp("ann");
    await app.admin("DELETE", `/api/admin/users/${user.id}`);
    assert.equal(await exportAll(app), "");
  });

  it("imported into an empty center gives the same accounts", async () => {
    for (let i = 0; i < 450; i += 1) {
      app.clock.advance(1_000);
      await app.signUp(`user${i}`, {
        points: i,
        ...(i % 5 === 0 ? { emailVerifiedAt: undefined } : {}),
        ...(i % 7 === 0 ? { role: "admin", locale: "de-AT" } : {}),
        ...(i % 11 === 0 ? { status: "suspended" } : {}),
        displayName: `Person ${i} "quoted" ☃`,
      });
    }
    const first = await exportAll(app, "?hashes=true");
    const other = await createTestApp({ clock: app.clock });
    const report: Report = await read(await importLines(other, first), 200);
    assert.deepEqual(report, { dryRun: false, created: 450, skipped: 0, errors: [] });
    assert.equal(await exportAll(other, "?hashes=true"), first);
    const { status } = await other.send("POST", "/api/auth/login", {
      body: { identifier: "user1", password: PASSWORD },
    });
    assert.equal(status, 200);
  });

  it("has on request who may use what, and that is the same in the center that takes it", async () => {
    const make = (to: TestApp, path: string, body: object): Promise<{ secret: string }> =>
      to.admin("POST", `/api/admin/${path}`, body).then((answer) => read(answer, 201));
    await make(app, "groups", { id: "family", title: "Family" });
    await make(app, "groups", { id: "club", title: "The club" });
    const fields = { allowedGroups: ["family"], protectedOrigins: ["https://photos.example"] };
    const { secret } = await make(app, "clients", { id: "photos", name: "Photos", ...fields });
    await make(app, "clients", { id: "wiki", name: "Wiki", launchUrl: "https://wiki.example/" });
    await app.admin("PATCH", "/api/admin/clients/wiki", { enabled: false });
    const ann = await app.signUp("ann");
    await app.signUp("bob", { status: "suspended" });
    for (const id of ["family", "club"])
      await app.admin("PUT", `/api/admin/groups/${id}/members/${ann.user.id}`);
    const first = await exportAll(app, "?hashes=true&applications=true");
    assert.deepEqual((await lastAudit(app)).changes, ["hashes: true", "applications: true"]);
    assert.ok(!/"type"|"groups"|family/u.test(await exportAll(app, "?hashes=true")));
    assert.ok(!/argon2|secretHash/u.test(await exportAll(app, "?applications=true")));

    app = await createTestApp({ clock: app.clock });
    assert.deepEqual(await run(first), { dryRun: false, created: 6, skipped: 0, errors: [] });
    assert.equal(await exportAll(app, "?hashes=true&applications=true"), first);
    assert.equal((await app.auth.clients.authenticate("photos", secret))?.id, "photos");
    const { items } = await app.auth.groups.members("family", { limit: 10 });
    assert.deepEqual(
      items.map(({ username }) => username),
      ["ann"],
    );
    const again = await run(first);
    assert.deepEqual(
      again.errors.map(({ code: reason }) => reason),
      [
        "already_exists",
        "already_exists",
        "already_exists",
        "already_exists",
        "username_taken",
        "username_taken",
      ],
    );
    // The address of a site belongs to one application.
    const other = { type: "application", id: "other", name: "Other", ...fields };
    assert.equal((await run(toLines([other]))).errors[0]?.code, "invalid");
  });

  it("is read as fast as it is taken, and can be broken off", async () => {
    for (let i = 0; i < 450; i += 1) await app.signUp(`user${i}`, { passwordHash: undefined });
    const parts = await app.auth.userExport.start({
      hashes: false,
      applications: false,
      actor: { name: "test", clientId: "test", requestId: "test" },
    });
    const first = await parts.next();
    assert.equal((first.value ?? "").trimEnd().split("\n").length, 200);
    await parts.return();
    assert.equal((await parts.next()).done, true);
  });
});
