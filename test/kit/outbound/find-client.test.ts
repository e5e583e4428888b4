/** Whose request it is, and the word to the operator when a proxy is there that is not trusted. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createFindClient } from "../../../src/kit/outbound/find-client.ts";
import { createLog } from "../../../src/kit/observe/log.ts";

const forwarded = new Headers({ "x-forwarded-for": "198.51.100.7" });
const plain = new Headers();

function open(trustedProxies: readonly string[]) {
  const lines: string[] = [];
  const told: string[] = [];
  const log = createLog({ level: "warn", write: (line) => void lines.push(line) });
  const onUntrustedProxy = (address: string): void => void told.push(address);
  return { find: createFindClient({ trustedProxies, log, onUntrustedProxy }), lines, told };
}

describe("finding the client", () => {
  for (const trusted of [[], ["127.0.0.1"]])
    it(`tells once of a private peer that names visitors, with ${trusted.length} trusted proxies`, () => {
      const { find, lines, told } = open(trusted);
      assert.equal(find("10.89.0.1", plain), "10.89.0.1");
      assert.equal(find("203.0.113.9", forwarded), "203.0.113.9");
      assert.deepEqual(told, []);
      for (let n = 0; n < 3; n += 1) assert.equal(find("10.89.0.1", forwarded), "10.89.0.1");
      assert.deepEqual(told, ["10.89.0.1"]);
      assert.equal(lines.length, 1);
      assert.match(lines[0] ?? "", /TRUSTED_PROXIES.*"proxy":"10\.89\.0\.1"/u);
    });

  it("says nothing of a proxy that is trusted", () => {
    const { find, told } = open(["10.89.0.0/16"]);
    assert.equal(find("10.89.0.1", forwarded), "198.51.100.7");
    assert.deepEqual(told, []);
  });

  it("believes the clients of Unix sockets if they are listed, and names them as a proxy if not", () => {
    const listed = open(["unix"]);
    assert.equal(listed.find("unix", forwarded), "198.51.100.7");
    assert.equal(listed.find("unix", plain), "unix");
    assert.equal(listed.find("10.89.0.1", forwarded), "10.89.0.1");
    const unlisted = open(["127.0.0.1"]);
    assert.equal(unlisted.find("unix", forwarded), "unix");
    assert.deepEqual(unlisted.told, ["unix"]);
    const spoofed = new Headers({ "x-forwarded-for": "203.0.113.1, unix" });
    assert.equal(open(["127.0.0.1"]).find("127.0.0.1", spoofed), "127.0.0.1");
    assert.equal(open(["unix", "127.0.0.1"]).find("127.0.0.1", spoofed), "127.0.0.1");
  });

  it("finds a proxy that comes later, too, without looking at every request", () => {
    const { find, told } = open([]);
    let looks = 0;
    const counting = new Headers(plain);
    counting.get = () => ((looks += 1), null);
    for (let n = 0; n < 2_000; n += 1) find("10.89.0.1", counting);
    assert.ok(looks < 300, String(looks));
    for (let n = 0; n < 64; n += 1) find("10.89.0.1", forwarded);
    assert.deepEqual(told, ["10.89.0.1"]);
  });
});
