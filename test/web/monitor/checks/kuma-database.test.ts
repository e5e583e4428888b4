/** Uptime Kuma's database as the browser reads it, against files that the program sqlite3 writes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { planKuma } from "../../../../src/monitor/checks/import/kuma.ts";
import { type FileContent, readImportFile } from "../../../../src/web/monitor/checks/import/read-file.ts";
import { readTables } from "../../../../src/web/monitor/checks/import/sqlite.ts";
import { findProgram, tellSkipped } from "../../../support/missing.ts";

const program = findProgram("sqlite3") ?? "";
const skip = program === "" && tellSkipped("sqlite3 is not in PATH");

/** Columns as Kuma's own statements create and add them: quoted, in brackets, with comments, keys, and defaults. */
const schema = `
CREATE TABLE "monitor" (
  "id" INTEGER NOT NULL, -- first, the key
  "name" VARCHAR(150),
  "active" BOOLEAN NOT NULL DEFAULT 1,
  "user_id" INTEGER,
  "interval" INTEGER NOT NULL DEFAULT 20,
  "url" TEXT, "type" VARCHAR(20), "hostname" VARCHAR(255), "port" INTEGER,
  "created_date" TIMESTAMP DEFAULT (DATETIME('now')),
  "keyword" VARCHAR(255), "maxretries" INTEGER NOT NULL DEFAULT 0,
  ratio AS (1.0 / "interval") VIRTUAL,
  accepted_statuscodes_json TEXT default '["200-299"]' not null,
  PRIMARY KEY("id" AUTOINCREMENT),
  FOREIGN KEY("user_id") REFERENCES "user"("id") ON DELETE SET NULL
);
CREATE TABLE tag (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name VARCHAR(255) NOT NULL, color TEXT);
CREATE TABLE [monitor_tag] ([id] INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, [monitor_id] INTEGER NOT NULL,
  [tag_id] INTEGER NOT NULL, value TEXT);
CREATE TABLE \`proxy\` (\`id\` integer not null primary key autoincrement, host text, port smallint,
  protocol varchar(10), auth boolean, username text, password text);
CREATE TABLE monitor_notification (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL,
  notification_id INTEGER NOT NULL);
INSERT INTO monitor (name, type, interval) VALUES ('Old', 'http', 60), ('Web', 'group', 60), ('Off', 'group', 60);
UPDATE monitor SET url = 'https://old.example.org/' WHERE id = 1;
ALTER TABLE monitor ADD COLUMN ignore_tls BOOLEAN default 1 not null;
ALTER TABLE monitor ADD COLUMN method TEXT default 'POST' not null;
ALTER TABLE monitor ADD COLUMN proxy_id INTEGER;
ALTER TABLE monitor ADD COLUMN parent INTEGER REFERENCES [monitor] ([id]);
ALTER TABLE monitor ADD COLUMN push_token VARCHAR(32) default null;
ALTER TABLE monitor ADD COLUMN headers TEXT;
`;

const rows = `
UPDATE monitor SET active = 0 WHERE name = 'Off';
INSERT INTO monitor (name, type, url, parent, proxy_id, interval, ignore_tls, method, headers) VALUES
  ('Behind', 'keyword', 'https://behind.example.org/', 2, 1, 120, 0, 'GET', '{"X-Long":"' || printf('%.1500c', 'a') || '"}'),
  ('Asleep', 'http', 'https://asleep.example.org/', 3, NULL, 60, 0, 'GET', NULL);
INSERT INTO monitor (name, type, push_token, interval) VALUES ('Nachtlauf äöü 夜', 'push', 'abcdefghij0123456789', 86400);
INSERT INTO tag (name) VALUES ('prod'), ('team');
INSERT INTO monitor_tag (monitor_id, tag_id, value) VALUES (4, 1, ''), (4, 2, 'red');
INSERT INTO monitor_notification (monitor_id, notification_id) VALUES (3, 1), (4, 1);
INSERT INTO proxy (host, port, protocol, auth) VALUES ('proxy.example.org', 3128, 'http', 0);
`;

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kuma-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function createDatabase(t: TestContext, sql: string): Promise<string> {
  const path = join(await createFolder(t), "kuma.db");
  execFileSync(program, [path], { input: sql });
  return path;
}

async function open(path: string, name = "kuma.db"): Promise<FileContent> {
  return readImportFile(new File([await readFile(path)], name));
}

function faultOf(content: FileContent): string {
  return "fault" in content ? content.fault : "none";
}

describe("Uptime Kuma's database", { skip }, () => {
  it("becomes checks with groups, tags, proxies, tokens, and the defaults of columns added later", async (t) => {
    const content = await open(await createDatabase(t, schema + rows));
    assert.ok("input" in content && !content.hasLog, faultOf(content));
    const plan = planKuma(JSON.parse(content.input.text));
    const [old, web, off, behind, asleep, night] = plan?.entries ?? [];
    assert.deepEqual(plan?.leftOut, []);
    const toGroup = (entry: typeof web) => [entry?.check?.target, entry?.check?.paused, entry?.check?.mute];
    const group = { kind: "group", downWhen: "any", count: 2, alertsForMembers: false };
    assert.deepEqual(toGroup(web), [{ ...group, group: "Web" }, false, {}], "nobody is notified of it");
    assert.deepEqual(toGroup(off), [{ ...group, group: "Off" }, true, undefined]);
    const oldTarget = old?.check?.target;
    assert.ok(oldTarget?.kind === "http");
    assert.equal(oldTarget.method, "POST");
    assert.equal(oldTarget.ignoresCertificate, true);
    assert.equal(oldTarget.statuses, "200-299");
    assert.equal(old?.check?.intervalSeconds, 60);
    assert.equal(behind?.check?.group, "Web");
    assert.deepEqual(behind?.check?.tags, ["prod", "team: red"]);
    const target = behind?.check?.target;
    assert.ok(target?.kind === "http");
    assert.equal(target.proxy, "http://proxy.example.org:3128");
    assert.equal(target.ignoresCertificate, false);
    assert.deepEqual(target.headers, [{ name: "X-Long", value: "a".repeat(1_500) }]);
    assert.equal(behind?.check?.paused, false);
    assert.equal(asleep?.check?.paused, true, "paused with its group");
    assert.equal(night?.name, "Nachtlauf äöü 夜");
    assert.equal(night?.pingKey, "abcdefghij0123456789");
  });

  it("is read as sqlite3 reads it, in pages of all sizes and each encoding", async (t) => {
    const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO monitor (name, type, interval, port, url) SELECT 'm' || i, 'http', (i * i * i - 9) * 1000003,
        -i * 0.37, printf('%.*c', i * 23, 'ü') FROM n;`;
    for (const [size, encoding] of [
      [512, "UTF-8"],
      [1_024, "UTF-16le"],
      [4_096, "UTF-16be"],
      [65_536, "UTF-8"],
    ] as const) {
      const path = await createDatabase(
        t,
        `PRAGMA page_size=${size}; PRAGMA encoding='${encoding}'; ${schema} ${rows} ${many}`,
      );
      const { tables } = await readTables(new Blob([await readFile(path)]), ["monitor", "monitor_tag"]);
      for (const name of ["monitor", "monitor_tag"]) {
        const json = execFileSync(program, ["-json", path, `SELECT * FROM ${name} ORDER BY id`], {
          encoding: "utf8",
          maxBuffer: 64 * 1_048_576,
        });
        // `as`: what sqlite3 prints is a list of rows.
        const expected = (JSON.parse(json) as Record<string, unknown>[]).map(
          ({ ratio: _virtual, created_date: _now, ...row }) => row,
        );
        const found = tables[name]?.map(({ created_date: _now, ...row }) => row);
        assert.deepEqual(found, expected, `${name}, ${size}, ${encoding}`);
      }
    }
  });

  it("names what is wrong with a file", async (t) => {
    const path = await createDatabase(t, schema + rows);
    const whole = await readFile(path);
    const folder = await createFolder(t);
    const faultOfBytes = async (bytes: Uint8Array, name = "kuma.db"): Promise<string> => {
      await writeFile(join(folder, name), bytes);
      return faultOf(await open(join(folder, name), name));
    };
    const changed = (at: number, byte: number): Uint8Array => {
      const copy = new Uint8Array(whole);
      copy[at] = byte;
      return copy;
    };
    assert.equal(await faultOfBytes(whole), "none");
    assert.equal(await faultOfBytes(whole.subarray(0, -4_096)), "cut");
    assert.equal(await faultOfBytes(changed(0, 7)), "not_sqlite");
    assert.equal(await faultOfBytes(new TextEncoder().encode("endpoints: []")), "not_sqlite");
    assert.equal(await faultOfBytes(new Uint8Array(0)), "not_sqlite");
    assert.equal(await faultOfBytes(changed(19, 3)), "newer");
    assert.equal(await faultOfBytes(changed(100, 99)), "broken");
    assert.equal(await faultOfBytes(changed(4_096, 10)), "broken");
    assert.equal(
      faultOf(await open(await createDatabase(t, "CREATE TABLE monitors (id INTEGER);"))),
      "other_database",
    );
    const large = `${schema} INSERT INTO monitor (name, url) VALUES ('x', printf('%.1100000c', 'a'));`;
    assert.equal(faultOf(await open(await createDatabase(t, large))), "too_large");
  });

  it("has damaged bytes: the answer is a fault or rows, never an exception or a hang", async (t) => {
    const whole = await readFile(await createDatabase(t, `PRAGMA page_size=512; ${schema} ${rows}`));
    for (let at = 100; at < whole.length; at += 7) {
      const copy = new Uint8Array(whole);
      copy[at] = (copy[at] ?? 0) ^ 0xa5;
      const content = await readImportFile(new File([copy], "kuma.db"));
      assert.ok(!("input" in content) || content.input.text.length > 0);
    }
  });

  it("says that a write-ahead log was not given, and which file it is", async (t) => {
    const folder = await createFolder(t);
    const copies = ["empty.db", "wal", "part.db"].map((name) => join(folder, name));
    const [empty = "", log = "", part = ""] = copies;
    const path = join(folder, "live.db");
    // Copies are made while the connection is open, as of a Kuma that runs.
    execFileSync(program, [path], {
      input: `PRAGMA journal_mode=WAL; ${schema}
.shell cp ${path} ${empty}
.shell cp ${path}-wal ${log}
PRAGMA wal_checkpoint(TRUNCATE); ${rows}
.shell cp ${path} ${part}
`,
    });
    assert.equal(faultOf(await open(empty)), "wal_only");
    assert.equal(faultOf(await open(log)), "wal_file");
    const content = await open(part);
    assert.ok("input" in content && content.hasLog, faultOf(content));
  });
});
