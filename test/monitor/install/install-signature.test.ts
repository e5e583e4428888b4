/** install.sh of a signed release. The files in "signed" and the texts below were signed by minisign 0.11. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { findProgram, tellSkipped } from "../../support/missing.ts";
import { projectFolder, runProcess } from "../../support/process.ts";

const SIGNER = "RWS8HPOwMvd63CfMvg+cBEyXlV2hUj6v80bwz1ViP8AE5A6Fxk00AJ56";
/** Version 1.2.2, of the same key. */
const older = {
  "agent.sh": "#!/bin/sh\necho 1.2.2\n",
  SHA256SUMS: "54adf0d086d05d4afed453f7f22a6f9b16d519bea5999b318a793bc2fac30abb  agent.sh\n",
  "SHA256SUMS.minisig": `untrusted comment: trivet 1.2.2
RUS8HPOwMvd63NpaBojq1UYdGrmfyaq82UVqWJzK3EBytfuefKJacBlUXA5mV1VQSvpiMuWOcQfiaFuxqAc5tUdoZS3WHI3BMgw=
trusted comment: trivet 1.2.2
xoAKo/qFNKEk2CTa+g7kTpKdnx0iGkckRKk3IQ8d9lkBJ9tW+hl9Ed5iYlSnv7AcRryUyKgXAt0RF+2Sk5XSBg==
`,
};
const tools =
  "sh cat cp mv rm mkdir mktemp chmod dirname grep sed gzip sha256sum tail readlink uname id ls head date env";

let folder = "";
let files = "";
let bin = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-signature-"));
  [files, bin] = [join(folder, "files"), join(folder, "bin")];
  await cp(join(projectFolder, "test/monitor/install/signed"), files, { recursive: true });
  for (const name of ["bin", "root"]) await mkdir(join(folder, name));
  for (const name of tools.split(" ")) await addProgram(name);
  const text = await readFile(join(projectFolder, "src/monitor/install/install.sh"), "utf8");
  assert.match(text, /^signer=''$/mu);
  const served = text.replace("signer=''", `signer='${SIGNER}'`).replaceAll("@VERSION@", "1.2.3");
  await writeFile(join(folder, "install.sh"), served);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function addProgram(name: string): Promise<void> {
  const path = findProgram(name);
  assert.ok(path !== undefined, `${name} is on every machine`);
  await symlink(path, join(bin, name));
}

async function run(...args: readonly string[]): Promise<{ code: number | undefined; output: string }> {
  const line = ["install.sh", "--root", join(folder, "root"), "--from", files, "--small", ...args];
  const options = { cwd: folder, env: { PATH: bin }, timeoutMs: 60_000 };
  const { code, output } = await runProcess({ command: join(bin, "sh"), args: line, ...options });
  return { code, output };
}

async function assertRefused(expected: RegExp, ...args: readonly string[]): Promise<void> {
  const { code, output } = await run(...args);
  assert.equal(code, 1, output);
  assert.match(output, expected);
  assert.deepEqual(await readdir(join(folder, "root")), []);
}

/** Replaces a letter by another. */
async function change(name: string, at: number): Promise<void> {
  const path = join(files, name);
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

for (const verifier of ["minisign", "openssl", "node"]) {
  const skip =
    findProgram(verifier) === undefined &&
    tellSkipped(`${verifier} is not installed (Debian: apt install ${verifier})`);
  describe(`install.sh of a signed release, with ${verifier}`, { skip }, () => {
    beforeEach(() => addProgram(verifier));

    it("installs programs that the release has signed", async () => {
      const { code, output } = await run();
      assert.equal(code, 0, output);
      assert.match(output, /Installed/u);
    });

    for (const [name, at] of [
      ["SHA256SUMS", 5],
      ["SHA256SUMS.minisig", 45],
      ["SHA256SUMS.minisig", 100],
    ] as const)
      it(`rejects ${name} with another letter at ${at}`, async () => {
        await change(name, at);
        await assertRefused(/not signed by the release/u);
        const { code, output } = await run("--unsigned");
        assert.equal(code, name === "SHA256SUMS" ? 1 : 0, output);
      });

    it("rejects a program that does not match the signed checksums", async () => {
      await change("agent.sh", 15);
      await assertRefused(/does not match the SHA256SUMS/u);
    });

    it("rejects an older release", async () => {
      for (const [name, text] of Object.entries(older)) await writeFile(join(files, name), text);
      await assertRefused(/the program is version 1\.2\.2, not 1\.2\.3/u);
    });
  });
}

describe("install.sh of a signed release", () => {
  it("names what can verify it where nothing can", async () => {
    await assertRefused(/install minisign, OpenSSL 3 or Node/u);
    const { code, output } = await run("--unsigned");
    assert.equal(code, 0, output);
  });

  it("rejects a monitor without a signature", async () => {
    await addProgram("node");
    await rm(join(files, "SHA256SUMS.minisig"));
    await assertRefused(/"SHA256SUMS\.minisig" is not in "/u);
  });
});
