/** What machines load from the monitor, and the keys that administrators make for them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, describe, it } from "node:test";
import { ADMIN_TOKEN, type TestApp, createTestApp } from "../app-fixture.ts";
import { code } from "../http/requests.ts";

const content = new TextEncoder().encode("console.log('agent')");
const sha256 = createHash("sha256").update(content).digest("hex");
const file = { name: "agent.js", sizeBytes: content.byteLength, sha256 };
const install = {
  listDownloads: async () => ({ items: [{ ...file, open: () => content }] }),
  script: "url='@URL@'\nversion='@VERSION@'\n",
};

describe("/install.sh", () => {
  it("names the public address and the version of the monitor", async () => {
    const app = await createTestApp({ install, publicUrl: "https://status.example.org/", version: "1.2.3" });
    const response = await app.fetch("/install.sh");
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "url='https://status.example.org'\nversion='1.2.3'\n");
    assert.match(response.headers.get("content-type") ?? "", /^text\/x-shellscript/u);
  });

  const urlFor = async (host: string, publicUrl?: string): Promise<string | undefined> => {
    const app = await createTestApp(publicUrl === undefined ? { install } : { install, publicUrl });
    const response = await app.raw("/install.sh", { host });
    return /^url='(.*)'$/mu.exec(await response.text())?.[1];
  };

  it("names the address of a request on this machine when there is no public one", async () => {
    for (const host of ["localhost", "127.0.0.1:8080", "127.0.0.2:8080", "[::1]:8080"])
      assert.equal(await urlFor(host), `http://${host}`);
  });

  it("repeats no other host of a request, which may be forged, without a public URL", async () => {
    for (const host of [
      "evil.example:99",
      "192.0.2.7:8080",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
    ]) {
      assert.equal(await urlFor(host), "");
      assert.equal(await urlFor(host, "https://status.example.org"), "https://status.example.org");
    }
  });

  it("puts nothing into a shell that is no address", async () => {
    const app = await createTestApp({ install, publicUrl: "https://a.example/'; id; '" });
    assert.deepEqual(await code(await app.fetch("/install.sh")), [400, "bad_request"]);
  });
});

describe("/download", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp({ install, version: "1.2.3" });
  });

  it("gives out the signature of a release, and says that there is none", async () => {
    assert.deepEqual(await code(await app.fetch("/download/SHA256SUMS.minisig")), [404, "not_found"]);
    const signature = "untrusted comment: trivet 1.2.3\nRUS8\n";
    const listDownloads = async () => ({ ...(await install.listDownloads()), signature });
    app = await createTestApp({ install: { ...install, listDownloads }, version: "1.2.3" });
    const response = await app.fetch("/download/SHA256SUMS.minisig");
    assert.equal(await response.text(), signature);
    const list = (await (await app.fetch("/download")).json()) as { signature: unknown };
    assert.equal(list.signature, signature);
  });

  it("lists the files, with sums that sha256sum reads", async () => {
    assert.deepEqual(await (await app.fetch("/download")).json(), { version: "1.2.3", items: [file] });
    assert.equal(await (await app.fetch("/download/SHA256SUMS")).text(), `${sha256}  agent.js\n`);
  });

  it("hands out a file of the list and no other", async () => {
    const response = await app.fetch("/download/agent.js");
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), content);
    for (const name of ["agent.cjs", "..%2fpackage.json", "%2e%2e%2fpackage.json"])
      assert.deepEqual(await code(await app.fetch(`/download/${name}`)), [404, "not_found"], name);
  });
});

describe("keys for machines", () => {
  let app: TestApp;
  beforeEach(async () => {
    app = await createTestApp({ publicUrl: "https://status.example.org" });
  });
  const PATH = "/api/admin/enrolments";
  const enrol = (body: object): Promise<Response> =>
    app.fetch("/api/enrol", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  it("come with the line to run, are listed without the key, and end when they are removed", async () => {
    const made: { id: string; code: string; command: string; expiresAt: string } = await (
      await app.admin("POST", PATH, { uses: 20, lifeSeconds: 86_400, fields: { group: "Lab" } })
    ).json();
    assert.equal(
      made.command,
      `curl -fsSL https://status.example.org/install.sh | sudo sh -s -- ${made.code}`,
    );
    assert.equal(Date.parse(made.expiresAt), app.clock.now() + 86_400_000);
    const listed = await (await app.admin("GET", PATH)).text();
    assert.ok(!listed.includes(made.code));
    const { items }: { items: { id: string; usesLeft: number }[] } = JSON.parse(listed);
    assert.deepEqual(
      items.map(({ id, usesLeft }) => [id, usesLeft]),
      [[made.id, 20]],
    );
    assert.equal((await app.admin("DELETE", `${PATH}/${made.id}`)).status, 204);
    assert.deepEqual(await code(await enrol({ code: made.code })), [401, "unauthenticated"]);
    assert.deepEqual(await code(await app.admin("DELETE", `${PATH}/${made.id}`)), [404, "not_found"]);
  });

  it("come with the address in the line where the script does not know it", async () => {
    const open = await createTestApp({ install });
    const commandAt = async (host: string): Promise<string> => {
      const response = await open.raw(PATH, {
        host,
        method: "POST",
        headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
        body: "{}",
      });
      const { command, code: key }: { command: string; code: string } = await response.json();
      return command.replace(key, "KEY");
    };
    assert.equal(
      await commandAt("192.0.2.7:8080"),
      "curl -fsSL http://192.0.2.7:8080/install.sh | sudo sh -s -- KEY --url http://192.0.2.7:8080",
    );
    assert.equal(
      await commandAt("localhost:8080"),
      "curl -fsSL http://localhost:8080/install.sh | sudo sh -s -- KEY",
    );
  });

  it("give a machine that is enrolled no second server: 200 without a key", async () => {
    const made: { code: string } = await (await app.admin("POST", PATH, { uses: 2 })).json();
    const first = await enrol({ code: made.code, hostname: "box" });
    assert.equal(first.status, 201);
    const { id, key }: { id: string; key: string } = await first.json();
    const again = await enrol({ code: made.code, hostname: "box", present: { id, key } });
    assert.equal(again.status, 200);
    const answer: { id: string; key?: string } = await again.json();
    assert.deepEqual([answer.id, answer.key], [id, undefined]);
  });

  it("are refused for several uses of one server, for no machine and for more than 30 days", async () => {
    await app.admin("POST", "/api/admin/servers", { id: "a", name: "A" });
    for (const body of [{ serverId: "a", uses: 2 }, { uses: 0 }, { lifeSeconds: 31 * 86_400 }, { user: 1 }])
      assert.deepEqual(await code(await app.admin("POST", PATH, body)), [422, "invalid"]);
  });
});
