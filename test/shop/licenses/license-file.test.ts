/** License files, verified by the examples of the documentation in four languages, each by its own program. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import { verifyLicense } from "../../../docs/examples/licenses/verify-license.ts";
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { toRunArguments } from "../../support/own-runtime.ts";
import { projectFolder } from "../../support/process.ts";
import { type TestShop, code, read } from "../app-fixture.ts";
import { type Answer, GENERATED, addProgram, ask, buy, openLicenseShop } from "./license-shop.ts";

const DAY_MS = 86_400_000;
const run = promisify(execFile);
const examples = join(projectFolder, "docs", "examples", "licenses");
const CRATES = "/usr/share/cargo/registry";

interface FileAnswer extends Answer {
  readonly issued: boolean;
  readonly file: string | null;
}

/** A device with its file, by a shop whose clock is off by so much. */
interface Issued {
  readonly app: TestShop;
  readonly license_key: string;
  readonly instance_id: string;
  readonly file: string;
  readonly publicKey: string;
  readonly productId: number;
}

async function issue({ offMs = 0, fingerprint = "" } = {}): Promise<Issued> {
  const app = await openLicenseShop({ clock: createFixedClock(Date.now() + offMs) });
  const { keys } = await buy(app, await addProgram(app));
  const [license_key = ""] = keys;
  const { instance } = await ask(app, "activate", {
    license_key,
    instance_name: "Laptop",
    ...(fingerprint === "" ? {} : { fingerprint }),
  });
  const instance_id = instance?.id ?? "";
  const answer = (await ask(app, "file", { license_key, instance_id })) as FileAnswer;
  const { keys: jwks } = await read<{ keys: { x: string }[] }>(await app.fetch("/v1/licenses/keys"));
  assert.equal(answer.issued, true);
  const productId = Number(answer.meta?.["product_id"]);
  return { app, license_key, instance_id, file: answer.file ?? "", publicKey: jwks[0]?.x ?? "", productId };
}

function refuses(issued: Issued, reason: RegExp, changes: object = {}, file = issued.file): void {
  const { publicKey, productId } = issued;
  const expected = { publicKey, productId, nowSeconds: Date.now() / 1_000, ...changes };
  assert.throws(() => verifyLicense(file, expected), reason);
}

/** The file with another letter at a place. */
function changed(file: string, at: number): string {
  return `${file.slice(0, at)}${file[at] === "A" ? "B" : "A"}${file.slice(at + 1)}`;
}

describe("a license file", () => {
  it("says what the device may do, without personal data", async () => {
    const { file, publicKey, productId, instance_id, app } = await issue({ fingerprint: "f1" });
    const nowSeconds = app.clock.now() / 1_000;
    const license = verifyLicense(file, { publicKey, productId, fingerprint: "f1", nowSeconds });
    assert.equal(license["instance_id"], instance_id);
    assert.equal(license["activation_limit"], GENERATED.maxDevices);
    assert.equal(Number(license["exp"]) - Number(license["iat"]), 30 * 86_400);
    assert.equal(license["iss"], "https://shop.example.org");
    assert.doesNotMatch(JSON.stringify(license), /ann|@/u);
  });

  it("fails with any byte changed", async () => {
    const issued = await issue();
    for (let at = 0; at < issued.file.length; at += 1) refuses(issued, /./u, {}, changed(issued.file, at));
    const { file, publicKey, productId } = issued;
    verifyLicense(file, { publicKey, productId, nowSeconds: Date.now() / 1_000 });
  });

  it("ends with its offline days, and with the license at the latest", async () => {
    const issued = await issue();
    const nowSeconds = Date.now() / 1_000;
    refuses(issued, /expired/u, { nowSeconds: nowSeconds + 31 * 86_400 });
    const { app, license_key, instance_id } = issued;
    app.clock.advance(360 * DAY_MS);
    const answer = (await ask(app, "file", { license_key, instance_id })) as FileAnswer;
    const [, payload = ""] = (answer.file ?? "").split(".");
    const claims: { exp: number; expires_at: number } = JSON.parse(
      Buffer.from(payload, "base64url").toString(),
    );
    assert.equal(claims.exp, claims.expires_at);
    app.clock.advance(10 * DAY_MS);
    await ask(app, "file", { license_key, instance_id }, { status: 400 });
  });

  it("is not issued for another fingerprint, or for a device that was deactivated", async () => {
    const { app, license_key, instance_id } = await issue();
    const fields = { license_key, instance_id };
    await ask(app, "file", { ...fields, fingerprint: "first" });
    const other = await ask(app, "file", { ...fields, fingerprint: "second" }, { status: 400 });
    assert.equal(other.error, "The fingerprint is not that of the device.");
    await ask(app, "deactivate", fields);
    await ask(app, "file", fields, { status: 404 });
  });

  it("stays valid when the keys are rotated, until its key is withdrawn", async () => {
    const issued = await issue();
    const { app, publicKey, license_key, instance_id, productId } = issued;
    const path = "/api/admin/license-signing-keys";
    const listed = async (): Promise<string[]> =>
      (await read<{ keys: { x: string }[] }>(await app.fetch("/v1/licenses/keys"))).keys.map(({ x }) => x);
    const [first] = (await read<{ items: { id: string }[] }>(await app.admin("GET", path))).items;
    assert.deepEqual(await code(await app.admin("DELETE", `${path}/${first?.id}`)), [409, "conflict"]);
    await read(await app.admin("POST", `${path}/rotate`));
    const [next = "", former] = await listed();
    assert.equal(former, publicKey);
    const answer = (await ask(app, "file", { license_key, instance_id })) as FileAnswer;
    verifyLicense(answer.file ?? "", { publicKey: next, productId, nowSeconds: Date.now() / 1_000 });
    refuses(issued, /signature/u, {}, answer.file ?? "");
    assert.equal((await app.admin("DELETE", `${path}/${first?.id}`)).status, 204);
    assert.deepEqual(await listed(), [next]);
  });

  it("keeps a former key published until its last file has expired", async () => {
    const { app, publicKey } = await issue();
    const path = "/api/admin/license-signing-keys";
    const DAY_MS = 86_400_000;
    const issuedAt = app.clock.now();
    app.clock.advance(5 * DAY_MS);
    await read(await app.admin("POST", `${path}/rotate`));
    const { items } = await read<{ items: { x: string; filesUntil?: string }[] }>(
      await app.admin("GET", path),
    );
    const [current, former] = items;
    // 30 days without the internet, and a day more.
    assert.equal(former?.filesUntil, toIsoTime(issuedAt + 31 * DAY_MS));
    assert.equal(current?.filesUntil, undefined);
    const listed = async (): Promise<string[]> =>
      (await read<{ keys: { x: string }[] }>(await app.fetch("/v1/licenses/keys"))).keys.map(({ x }) => x);
    app.clock.advance(25 * DAY_MS);
    assert.deepEqual(await listed(), [current?.x, publicKey]);
    app.clock.advance(2 * DAY_MS);
    assert.deepEqual(await listed(), [current?.x]);
    // A key that has signed no file, and one of an earlier release, stay as long as a file can be valid.
    await read(await app.admin("POST", `${path}/rotate`));
    assert.equal((await listed()).length, 2);
    app.clock.advance(367 * DAY_MS);
    assert.equal((await listed()).length, 1);
  });
});

/** An example that is ready to run: the program, and what comes before the file. */
type Example = readonly [program: string, ...before: string[]];

const rustSkip = (): string | false => {
  if (findProgram("cargo") === undefined) return tellSkipped("cargo is not in PATH");
  const crates = existsSync(CRATES) ? readdirSync(CRATES).join(" ") : "";
  if (/\bring-/u.test(crates) && /\bserde_json-/u.test(crates)) return false;
  return tellSkipped("librust-ring-dev and librust-serde-json-dev are not installed");
};
const csharpSkip = (): string | false =>
  findProgram("mcs") !== undefined && findProgram("mono") !== undefined
    ? false
    : tellSkipped("mcs and mono are not in PATH");
// Not awaited: suites that begin after an await are not found on Deno.
const pythonSkip = (): string | false => {
  const found = findProgram("python3");
  if (found === undefined) return tellSkipped("python3 is not in PATH");
  const { status } = spawnSync(found, ["-c", "import cryptography"]);
  return status === 0 ? false : tellSkipped("python3 has no package cryptography");
};

const builds: Record<string, { skip: string | false; build: (folder: string) => Promise<Example> }> = {
  TypeScript: {
    skip: false,
    build: async () => [process.execPath, ...toRunArguments(join(examples, "verify-license.ts"))],
  },
  Python: {
    skip: pythonSkip(),
    build: async () => [findProgram("python3") ?? "", join(examples, "verify_license.py")],
  },
  Rust: {
    skip: rustSkip(),
    build: async (folder) => {
      const target = join(folder, "target");
      await cp(join(examples, "rust"), join(folder, "rust"), { recursive: true });
      const source = ['source.crates-io.replace-with="debian"', `source.debian.directory="${CRATES}"`];
      const options = source.flatMap((each) => ["--config", each]);
      const built = [...options, "build", "--quiet", "--offline", "--target-dir", target];
      await run("cargo", built, { cwd: join(folder, "rust") });
      return [join(target, "debug", "verify-license")];
    },
  },
  "C#": {
    skip: csharpSkip(),
    build: async (folder) => {
      const program = join(folder, "verify-license.exe");
      const libraries = "-r:System.Numerics,System.Runtime.Serialization,System.Xml.Linq";
      await run("mcs", [`-out:${program}`, libraries, join(examples, "csharp", "VerifyLicense.cs")]);
      return ["mono", program];
    },
  },
};

for (const [language, { skip, build }] of Object.entries(builds))
  describe(`the example in ${language}`, { skip }, () => {
    let folder = "";
    let example: Example;
    let issued: Issued;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "trivet-license-"));
      [example, issued] = await Promise.all([build(folder), issue({ fingerprint: "device-1" })]);
    });
    after(() => rm(folder, { recursive: true, force: true }));

    async function verify(file: string, changes: { productId?: number; fingerprint?: string } = {}) {
      const { productId = issued.productId, fingerprint = "device-1" } = changes;
      const path = join(folder, `${Math.random()}.license`);
      await writeFile(path, file);
      const [program, ...first] = example;
      const options = [...first, path, issued.publicKey, String(productId), fingerprint];
      const { stdout } = await run(program, options, { cwd: projectFolder }).catch(
        (error: unknown) => error as { stdout: string },
      );
      return stdout.trim();
    }

    it("accepts a file of the shop, for its product and device only", async () => {
      assert.equal(await verify(issued.file), "valid: Photo Desk");
      assert.match(await verify(issued.file, { productId: 1 }), /^invalid: .*product/u);
      assert.match(await verify(issued.file, { fingerprint: "device-2" }), /^invalid: .*device/u);
    });

    it("rejects a changed, an expired, and a future file", async () => {
      const { file } = issued;
      const [header = "", payload = ""] = file.split(".");
      const places = [
        3,
        header.length,
        header.length + 9,
        header.length + payload.length + 20,
        file.length - 1,
      ];
      for (const at of places) assert.match(await verify(changed(file, at)), /^invalid: /u, `byte ${at}`);
      for (const [offMs, reason] of [
        [-40 * DAY_MS, /expired/u],
        [3 * DAY_MS, /clock/u],
      ] as const) {
        const other = await issue({ offMs, fingerprint: "device-1" });
        const { publicKey } = issued;
        issued = { ...issued, publicKey: other.publicKey };
        assert.match(await verify(other.file, other), reason);
        issued = { ...issued, publicKey };
      }
    });
  });
