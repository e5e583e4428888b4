import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAllowedOrigin, isSameHost } from "../../../src/kit/outbound/origin.ts";

const at = (origin: string): string => `${origin}/api/ws/monitor`;
const HOME = "http://192.0.2.7:8080";
const PUBLIC = "http://status.example.org";

describe("isAllowedOrigin", () => {
  const none = { allowedOrigins: [] };
  const listed = { allowedOrigins: ["https://a.example"] };
  const known = { allowedOrigins: [], publicUrl: "https://status.example.org/base" };
  type Rules = { allowedOrigins: string[]; publicUrl?: string };
  const cases: [what: string, origin: string, url: string, rules: Rules, expected: boolean][] = [
    ["the origin of the request, an address", HOME, HOME, none, true],
    ["the origin of the request, an IPv6 address", "http://[::1]:8080", "http://[::1]:8080", none, true],
    ["the origin of the request, localhost", "http://localhost:8080", "http://localhost:8080", none, true],
    ["the origin of the request, a name at home", "http://nas:8080", "http://nas:8080", none, true],
    ["the origin of the request, a reserved name", "http://nas.local", "http://nas.local", none, true],
    ["a public name that leads here", "http://evil.example", "http://evil.example", none, false],
    ["the same host with another scheme", "https://192.0.2.7:8080", HOME, none, false],
    ["another port", "http://192.0.2.7:9090", HOME, none, false],
    ["another host", "https://evil.example", HOME, none, false],
    ["a host that only begins alike", "http://192.0.2.7:8080.evil.example", HOME, none, false],
    ["a listed origin", "https://a.example", HOME, listed, true],
    ["a listed host with another scheme", "http://a.example", HOME, listed, false],
    ["any origin when all are listed", "https://evil.example", HOME, { allowedOrigins: ["*"] }, true],
    ["the public address", "https://status.example.org", PUBLIC, known, true],
    ["the public name without TLS", PUBLIC, PUBLIC, known, false],
    ["the public name on another port", `${PUBLIC}:8080`, `${PUBLIC}:8080`, known, false],
    ["the machine's own address beside the public one", HOME, HOME, known, true],
    ["another public name beside the public one", "http://evil.example", "http://evil.example", known, false],
    ["an opaque origin", "null", HOME, none, false],
  ];
  for (const [what, origin, url, rules, expected] of cases) {
    it(`${expected ? "takes" : "refuses"} ${what}`, () => {
      assert.equal(isAllowedOrigin(origin, new Request(at(url)), rules), expected);
    });
  }
});

describe("isSameHost", () => {
  const cases: [origin: string, expected: boolean][] = [
    ["https://status.example.org", true],
    ["http://status.example.org", true],
    ["http://status.example.org:8080", false],
    ["https://status.example.org.evil.example", false],
    ["null", false],
  ];
  for (const [origin, expected] of cases) {
    it(`${expected ? "takes" : "refuses"} a page of ${origin}`, () => {
      assert.equal(isSameHost(origin, new Request(at(PUBLIC))), expected);
    });
  }
});
