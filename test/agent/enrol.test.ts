import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { enrol } from "../../src/agent/enrol.ts";
import { findIdentity, saveIdentity } from "../../src/agent/identity.ts";
import { nodeFileLayer } from "../../src/store/file-layer.ts";

const request = { url: "http://mon.example.org:8080/", code: "enr_secret", hostname: "web-1" };

function bodyOf(init: RequestInit | undefined): string {
  assert.ok(typeof init?.body === "string");
  return init.body;
}

function answering(
  status: number,
  body: unknown,
  seen: { target: string; init: RequestInit | undefined }[] = [],
): typeof fetch {
  return async (target, init) => {
    seen.push({ target: target instanceof Request ? target.url : target.toString(), init });
    return Response.json(body, { status });
  };
}

describe("enrol", () => {
  it("exchanges the code for id, key and the address that the service names", async () => {
    const seen: { target: string; init: RequestInit | undefined }[] = [];
    const fetch = answering(201, { id: "s1", key: "agk_1", server: "mon.example.org:50052" }, seen);
    assert.deepEqual(await enrol({ ...request, fetch }), {
      id: "s1",
      key: "agk_1",
      server: "mon.example.org:50052",
    });
    assert.equal(seen[0]?.target, "http://mon.example.org:8080/api/enrol");
    assert.deepEqual(JSON.parse(bodyOf(seen[0]?.init)), { code: "enr_secret", hostname: "web-1" });
    assert.equal(seen[0]?.init?.redirect, "error");
  });

  it("takes the usual port when the service names no address, and --server before all", async () => {
    const fetch = answering(201, { id: "s1", agentKey: "agk_1" });
    assert.equal((await enrol({ ...request, fetch })).server, "mon.example.org:50051");
    assert.equal((await enrol({ ...request, server: "x:1", fetch })).server, "x:1");
  });

  const failures: readonly (readonly [string, typeof fetch, RegExp])[] = [
    [
      "a used code",
      answering(401, { title: "Credentials are missing or wrong" }),
      /Credentials.*make a new code/u,
    ],
    ["a service in trouble", answering(503, {}), /HTTP 503.*try again later/u],
    ["an answer of something else", answering(200, "hello"), /is it this service/u],
    ["no answer", () => Promise.reject(new Error("ECONNREFUSED")), /cannot be reached: check --url/u],
  ];
  for (const [name, fetch, text] of failures) {
    it(`says what to do after ${name}, without the code`, async () => {
      await assert.rejects(enrol({ ...request, fetch }), (error: Error) => {
        assert.match(error.message, text);
        assert.ok(!error.message.includes("enr_secret"));
        return true;
      });
    });
  }
});

describe("the stored identity", () => {
  it("comes back as it was saved, and is for this user alone", async () => {
    const folder = await mkdtemp(join(tmpdir(), "trivet-identity-"));
    try {
      assert.equal(await findIdentity(nodeFileLayer, folder), undefined);
      const identity = { id: "s1", key: "agk_1", server: "h:1" };
      await saveIdentity(nodeFileLayer, folder, { ...identity, key: "older" });
      await saveIdentity(nodeFileLayer, folder, identity);
      assert.deepEqual(await findIdentity(nodeFileLayer, folder), identity);
      assert.equal((await stat(join(folder, "identity.json"))).mode & 0o777, 0o600);
      await writeFile(join(folder, "identity.json"), '{"id":"s1"');
      await assert.rejects(findIdentity(nodeFileLayer, folder), /is damaged: remove it and enrol/u);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
