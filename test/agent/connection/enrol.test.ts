import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enrol, type EnrolOptions } from "../../../src/agent/connection/enrol.ts";
import { type StoredIdentity, findIdentity, saveIdentity } from "../../../src/agent/identity.ts";
import { findPlace } from "../../../src/agent/connection/own-network.ts";
import { nodeFileLayer } from "../../../src/kit/files/file-layer.ts";
import { cert } from "../../support/tls-pair.ts";
import { type EnrolService, startEnrolService } from "../support/enrol-service.ts";

const machine = { code: "enr_secret", hostname: "web-1" };
const granted = { id: "s1", key: "agk_1" };

async function withService(
  options: Parameters<typeof startEnrolService>[0],
  work: (service: EnrolService) => Promise<void>,
): Promise<void> {
  const service = await startEnrolService(options);
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

async function assertFails(
  options: Pick<EnrolOptions, "url" | "ca" | "lookUp">,
  text: RegExp,
): Promise<void> {
  await assert.rejects(enrol({ ...machine, ...options }), (error: Error) => {
    assert.match(error.message, text);
    assert.ok(!error.message.includes("enr_secret"));
    return true;
  });
}

describe("enrol", () => {
  it("exchanges the code for id, key and how to connect, as the service says", async () => {
    const body = { ...granted, server: "mon.example.org:443", tls: true };
    await withService({ status: 201, body }, async ({ url, requests }) => {
      assert.deepEqual(await enrol({ ...machine, url: `${url}/` }), body);
      assert.deepEqual(
        requests.map((each) => [each.method, each.path, JSON.parse(each.body)]),
        [["POST", "/api/enrol", machine]],
      );
    });
  });

  it("takes the usual port when the service names no address, and --server before all", async () => {
    await withService({ status: 201, body: { id: "s1", agentKey: "agk_1" } }, async ({ url }) => {
      assert.deepEqual(await enrol({ ...machine, url }), { ...granted, server: "127.0.0.1:50051" });
      assert.equal((await enrol({ ...machine, url, server: "x:1" })).server, "x:1");
    });
  });

  const failures: readonly (readonly [string, Parameters<typeof startEnrolService>[0], RegExp])[] = [
    [
      "a used code",
      { status: 401, body: { detail: "The code is wrong, used or expired" } },
      /^The service rejected .* \(The code is wrong, used or expired\): create a new command in the dashboard$/u,
    ],
    ["a service in trouble", { status: 503, body: {} }, /HTTP 503.*try again later/u],
    [
      "an answer of something else",
      { status: 200, body: "<p>hello" },
      /Check that --url is the URL of the monitor/u,
    ],
    [
      "a redirect, which could carry the code elsewhere",
      { status: 308, body: "", headers: { location: "/elsewhere" } },
      /redirects to another URL\. Use that one with --url/u,
    ],
    [
      "an answer too long to be it",
      { status: 200, body: { ...granted, more: "x".repeat(70_000) } },
      /Check that --url is the URL of the monitor/u,
    ],
  ];
  for (const [name, answer, text] of failures) {
    it(`says what to do after ${name}, without the code`, async () => {
      await withService(answer, async ({ url, requests }) => {
        await assertFails({ url }, text);
        assert.equal(requests.length, 1);
      });
    });
  }

  it("says what to do when the monitor does not respond", async () => {
    const service = await startEnrolService({ status: 201, body: granted });
    await service.close();
    await assertFails({ url: service.url }, /cannot be reached: check --url/u);
  });
});

describe("enrol over http", () => {
  /** The names that a resolver knows here; every other has no address. */
  const names: Readonly<Record<string, readonly string[]>> = {
    "monitor.lan": ["10.0.0.7", "fd12::7"],
    "monitor.example": ["203.0.113.7"],
    "both.example": ["10.0.0.7", "203.0.113.7"],
  };
  const refused = ["8.8.8.8", "[2001:4860:4860::8888]", "monitor.example", "both.example", "nowhere.example"];
  const lookUp = async (name: string): Promise<readonly string[]> => names[name] ?? [];

  for (const host of refused) {
    it(`refuses ${host} before it sends the code there, and names both ways out`, async () => {
      const url = `http://${host}:1`;
      await assertFails({ url, lookUp }, /in your own network.*an https URL with --url, or --insecure/u);
    });
  }

  it("takes this machine and a name whose addresses are all private", async () => {
    for (const host of ["127.0.0.1", "[::1]", "localhost"])
      assert.equal(await findPlace(host), "own network");
    for (const host of ["192.168.1.2", "[fd12::1]", "monitor.lan"])
      assert.equal(await findPlace(host, lookUp), "own network");
  });

  it("goes beyond the own network when that was accepted", async () => {
    await withService({ status: 201, body: granted }, async ({ port, requests }) => {
      // Not a private address, but a connection to it ends at this machine.
      const url = `http://0.0.0.0:${port}`;
      await assertFails({ url }, /--insecure/u);
      assert.deepEqual(requests, []);
      assert.equal((await enrol({ ...machine, url, insecure: true })).id, "s1");
    });
  });
});

describe("enrol over HTTPS", () => {
  let service: EnrolService;

  beforeEach(async () => {
    service = await startEnrolService({ status: 201, body: granted, https: true });
  });
  afterEach(() => service.close());

  it("trusts an authority that it was given", async () => {
    const { id, key } = await enrol({ ...machine, url: service.url, ca: cert });
    assert.deepEqual({ id, key }, granted);
  });

  it("says that a certificate is not trusted, and sends no code there", async () => {
    await assertFails(
      { url: service.url },
      /certificate is not trusted\. Set its certificate authority.*--ca/u,
    );
    assert.deepEqual(service.requests, []);
  });

  it("tells plain HTTP from TLS", async () => {
    await withService({ status: 201, body: granted }, async ({ port }) => {
      await assertFails({ url: `https://127.0.0.1:${port}` }, /does not support TLS as expected.*--url/u);
    });
  });
});

describe("the stored identity", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-identity-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const kept: readonly StoredIdentity[] = [
    { ...granted, server: "h:1" },
    { ...granted, server: "h:1", tls: false },
    { ...granted, server: "h:1", tls: true, ca: cert },
    { ...granted, server: "h:1", tls: false, insecure: true },
  ];
  for (const identity of kept) {
    it(`comes back as it was saved, with ${Object.keys(identity).join()}`, async () => {
      assert.equal(await findIdentity(nodeFileLayer, folder), undefined);
      await saveIdentity(nodeFileLayer, folder, { ...identity, key: "older" });
      await saveIdentity(nodeFileLayer, folder, identity);
      assert.deepEqual(await findIdentity(nodeFileLayer, folder), identity);
    });
  }

  it("is for this user alone", async () => {
    await saveIdentity(nodeFileLayer, folder, { ...granted, server: "h:1" });
    assert.equal((await stat(join(folder, "identity.json"))).mode & 0o777, 0o600);
  });

  for (const text of ['{"id":"s1"', '{"id":"s1","key":"k","server":"h:1","tls":"yes"}']) {
    it(`says what to do about a damaged file: ${text}`, async () => {
      await writeFile(join(folder, "identity.json"), text);
      await assert.rejects(findIdentity(nodeFileLayer, folder), /is damaged\. Delete it and enroll/u);
    });
  }
});
