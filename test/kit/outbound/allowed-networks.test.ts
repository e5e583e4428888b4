import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { classifyAddress } from "../../../src/kit/outbound/allowed-networks.ts";

const kinds = {
  public: ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"],
  private: [
    "127.0.0.1",
    "127.8.9.10",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "100.64.0.1",
    "::1",
    "fd12:3456::1",
    "fc00::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::a00:1",
  ],
  never: [
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "169.254.1.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.2.1",
    "198.18.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "fd00:ec2::254",
    "2001:db8::1",
    "2002:7f00:1::",
    "2001:0:7f00:1::",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "::ffff:169.254.169.254",
    "::7f00:1",
    "4000::1",
    "localhost",
    "127.1",
    "",
  ],
} as const;

describe("classifyAddress", () => {
  for (const kind of ["public", "private", "never"] as const)
    for (const address of kinds[kind])
      it(`takes "${address}" for ${kind}`, () => {
        assert.equal(classifyAddress(address), kind);
      });
});
