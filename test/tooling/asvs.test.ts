/** That docs/asvs says what is there: each requirement once, tests that exist, counts that are right, and what only the sources show. */
import assert from "node:assert/strict";
import { access, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { projectFolder } from "../support/process.ts";

/** Requirements of levels 1 and 2 by chapter, in OWASP ASVS 5.0.0. */
const REQUIREMENTS: Readonly<Record<string, number>> = {
  V1: 27,
  V2: 11,
  V3: 19,
  V4: 10,
  V5: 9,
  V6: 35,
  V7: 18,
  V8: 7,
  V9: 7,
  V10: 29,
  V11: 14,
  V12: 9,
  V13: 13,
  V14: 9,
  V15: 13,
  V16: 16,
  V17: 7,
};
const VERDICTS = ["yes", "documented", "your install", "no test", "no", "not applicable"];

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), "utf8");

const listRows = (text: string): string[][] =>
  Array.from(text.matchAll(/^\| ([^-\n][^\n]*) \|$/gmu), ([, row = ""]) => row.split(" | "));

describe("docs/asvs", () => {
  let overview = "";
  let rows: string[][] = [];
  before(async () => {
    overview = await read("docs/asvs.md");
    const pages = (await readdir(join(projectFolder, "docs/asvs"))).toSorted();
    const texts = await Promise.all(pages.map((page) => read(`docs/asvs/${page}`)));
    rows = texts.flatMap(listRows).filter(([number = ""]) => /^\d/u.test(number));
  });

  it("has a row for each requirement of levels 1 and 2, once", () => {
    const numbers = rows.map(([number]) => number);
    assert.deepEqual(
      numbers.filter((number, at) => numbers.indexOf(number) !== at),
      [],
    );
    const counts = new Map<string, number>();
    for (const [number = ""] of rows) {
      const chapter = `V${number.split(".")[0]}`;
      counts.set(chapter, (counts.get(chapter) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(counts), REQUIREMENTS);
  });

  it("names a test for each yes, a page for what is documented, and a reason for the rest", async () => {
    for (const [number = "", words = "", verdict = "", why = ""] of rows) {
      assert.ok(words.length > 3 && VERDICTS.includes(verdict), number);
      const tests = Array.from(why.matchAll(/`(test\/[^`]+)`/gu), ([, path = ""]) => path);
      for (const path of tests) await access(join(projectFolder, path));
      for (const [, path = ""] of why.matchAll(/`(src\/[^`]+)`/gu)) await access(join(projectFolder, path));
      if (verdict === "yes") assert.ok(tests.length > 0, number);
      else if (verdict === "documented") assert.match(why, /\]\(\.\.\/[^)]+\)/u, number);
      else assert.ok(why.length > 5, number);
    }
  });

  it("counts its verdicts by chapter", () => {
    const count = (chapter: RegExp): string[] =>
      VERDICTS.map((verdict) =>
        String(rows.filter(([number = "", , said]) => chapter.test(number) && said === verdict).length),
      );
    const told = listRows(overview).filter(([name = ""]) => /^(?:\[V\d|All)/u.test(name));
    assert.equal(told.length, 18);
    for (const [name = "", ...numbers] of told) {
      const chapter = /V(\d+)/u.exec(name)?.[1];
      assert.deepEqual(
        numbers,
        count(chapter === undefined ? /^/u : new RegExp(`^${chapter}\\.`, "u")),
        name,
      );
    }
  });
});

describe("the sources", () => {
  let sources: [string, string][] = [];
  before(async () => {
    const names = await readdir(join(projectFolder, "src"), { recursive: true });
    const own = names.filter((name) => /\.tsx?$/u.test(name) && !name.startsWith(join("web", "built")));
    sources = await Promise.all(
      own.map(async (name): Promise<[string, string]> => [
        name.replaceAll("\\", "/"),
        await read(join("src", name)),
      ]),
    );
    assert.ok(sources.length > 1_000);
  });
  const listUsers = (what: RegExp): string[] =>
    sources
      .filter(([, text]) => what.test(text))
      .map(([name]) => name)
      .toSorted();

  it("evaluate no text as code", () => {
    assert.deepEqual(listUsers(/\beval\(|\bFunction\(|from "node:vm"|set(?:Timeout|Interval)\(["'`]/u), []);
  });

  it("encrypt with AES-256-GCM alone, and never with RSA", () => {
    const ciphers = sources.flatMap(([, text]) =>
      Array.from(text.matchAll(/\bcreate(?:C|Dec)ipher(?:iv)?\(\s*"?([\w-]+)/gu), ([, name = ""]) => name),
    );
    assert.ok(ciphers.length >= 4, String(ciphers.length));
    assert.deepEqual([...new Set(ciphers)], ["aes-256-gcm"]);
    const named = sources.flatMap(([, text]) =>
      Array.from(text.matchAll(/"(AES-\w+|RSA-OAEP|RSAES-\w+)"/gu), ([, name = ""]) => name),
    );
    assert.deepEqual([...new Set(named)], ["AES-GCM"]);
    assert.deepEqual(listUsers(/\b(?:public|private)(?:En|De)crypt\b|\bRSA_(?:NO_)?P/u), []);
  });

  // Before you add a file here, check that nothing else would do: payment providers, authenticator apps, WebSocket.
  it("hash with SHA-256, except where others demand more or less", () => {
    assert.deepEqual(listUsers(/createH(?:ash|mac)\(\s*(?!"sha256")/u), [
      "kit/probes/kinds/websocket.ts",
      "shop/payments/signing/md5.ts",
    ]);
  });

  // Initial values and tables of MD5, SHA-1, SHA-256, ChaCha20, and AES.
  it("leave cryptography to the runtime and its libraries", () => {
    const own = /0x6745_?2301|0x6a09_?e667|0x428a_?2f98|0x6170_?7865|0x63, ?0x7c, ?0x77/iu;
    assert.deepEqual(listUsers(own), []);
    assert.ok(listUsers(/from "node:crypto"|crypto\.subtle|from "jose"/u).length > 10);
  });

  it("start processes with lists of arguments, without a shell", () => {
    assert.deepEqual(listUsers(/\bshell: |\bexec(?:Sync)?,? .*from "node:child_process"/u), []);
    assert.ok(listUsers(/from "node:child_process"/u).length > 2);
  });

  // Delays alone: nothing that others must not guess.
  it("take random numbers from the system, except for delays", () => {
    assert.deepEqual(listUsers(/\bMath\.random\b/u), [
      "agent/program.ts",
      "monitor/app/check-parts.ts",
      "service/updates.ts",
      "store/postgres/postgres-store.ts",
      "store/postgres/schema.ts",
      "web/app/checks.ts",
      "web/app/feed-port.ts",
    ]);
  });

  it("write logs and reports in the programs and commands alone", () => {
    assert.deepEqual(
      listUsers(/\bconsole\.(?:log|info|warn|error)\b|\bstd(?:out|err)\.write\(/u).filter(
        (name) => !/^(?:service\/commands|runtime)\//u.test(name),
      ),
      ["agent/program.ts", "main.ts"],
    );
  });

  it("send no messages between windows", () => {
    assert.deepEqual(listUsers(/\bpostMessage\(/u), []);
  });

  // Before you add a file here, check that it stores nothing personal and nothing secret.
  it("store choices in the browser, and nothing personal", () => {
    assert.deepEqual(listUsers(/\b(?:localStorage|sessionStorage|indexedDB)\./u), [
      "web/app/language.ts",
      "web/app/units.ts",
      "web/charts/hidden-lines.ts",
      "web/fleet/folds.ts",
      "web/fleet/present-criteria.ts",
      "web/monitor/access/sign-in-access.ts",
      "web/shop/products/delivery/file-upload.ts",
      "web/storefront/browsing.ts",
      "web/storefront/chat.ts",
    ]);
  });

  it("mask passwords, and leave them to password managers and the clipboard", () => {
    let fields = 0;
    for (const [name, text] of sources.filter(([path]) => /^auth\/pages\/.*\.tsx$/u.test(path))) {
      for (const { index } of text.matchAll(/\bname="(?:password|currentPassword)"/gu)) {
        const tag = text.slice(text.lastIndexOf("<", index), text.indexOf("/>", index));
        fields += 1;
        assert.match(tag, /type="password"/u, name);
        assert.match(tag, /autocomplete="(?:current|new)-password"/u, name);
        assert.doesNotMatch(tag, /maxlength|on(?:paste|copy)/iu, name);
      }
    }
    assert.ok(fields >= 4, String(fields));
  });
});
