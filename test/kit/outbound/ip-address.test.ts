import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClientAddress, toPlainAddress } from "../../../src/kit/outbound/ip-address.ts";

describe("toPlainAddress", () => {
  it("strips what is no address", () => {
    assert.equal(toPlainAddress("::ffff:127.0.0.1"), "127.0.0.1");
    assert.equal(toPlainAddress("::FFFF:127.0.0.1"), "127.0.0.1");
    assert.equal(toPlainAddress("fe80::1%eth0"), "fe80::1");
    assert.equal(toPlainAddress("::1"), "::1");
    assert.equal(toPlainAddress(""), "");
  });
});

describe("createClientAddress", () => {
  it("ignores the header unless the peer is a trusted proxy", () => {
    assert.equal(createClientAddress([])("10.0.0.1", "1.2.3.4"), "10.0.0.1");
    const find = createClientAddress(["10.0.0.0/8"]);
    assert.equal(find("192.0.2.1", "1.2.3.4"), "192.0.2.1");
    assert.equal(find("10.0.0.1", null), "10.0.0.1");
    assert.equal(find("", "1.2.3.4"), "");
  });

  it("takes the first address from the right that is no trusted proxy", () => {
    const find = createClientAddress(["10.0.0.0/8", "::1", "2001:db8::/32"]);
    assert.equal(find("10.0.0.1", "198.51.100.7"), "198.51.100.7");
    assert.equal(find("10.0.0.1", "6.6.6.6, 198.51.100.7, 10.0.0.2"), "198.51.100.7");
    assert.equal(find("::1", "2001:db8::5 , 10.9.9.9"), "2001:db8::5");
    assert.equal(find("::ffff:10.0.0.1", "198.51.100.7"), "198.51.100.7");
    assert.equal(find("10.0.0.1", "198.51.100.7:4711"), "198.51.100.7");
    assert.equal(find("10.0.0.1", "[2001:DB9::1]:443"), "2001:db9::1");
  });

  it("stops at the last proxy it can be sure of when the rest is no address", () => {
    const find = createClientAddress(["10.0.0.0/8"]);
    assert.equal(find("10.0.0.1", "1.2.3.4, nonsense, 10.0.0.2"), "10.0.0.2");
    assert.equal(find("10.0.0.1", "unknown"), "10.0.0.1");
    assert.equal(find("10.0.0.1", ""), "10.0.0.1");
    assert.equal(find("10.0.0.1", "0x7f.1"), "10.0.0.1");
    assert.equal(find("10.0.0.1", "1.2.3.4,".repeat(1_000)), "10.0.0.1");
  });

  it("throws for an entry that is no address or range", () => {
    for (const entry of ["localhost", "10.0.0.0/33", ""])
      assert.throws(() => createClientAddress([entry]), /CIDR/u);
  });
});
