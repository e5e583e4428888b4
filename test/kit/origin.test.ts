import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isAllowedOrigin } from "../../src/kit/origin.ts";

const request = new Request("http://status.example:8080/api/ws/monitor");

describe("isAllowedOrigin", () => {
  const cases: [string, string, { allowedOrigins: string[]; publicUrl?: string }, boolean][] = [
    ["the same host", "http://status.example:8080", { allowedOrigins: [] }, true],
    ["the same host behind a proxy with TLS", "https://status.example:8080", { allowedOrigins: [] }, true],
    ["another port", "http://status.example:9090", { allowedOrigins: [] }, false],
    ["another host", "https://evil.example", { allowedOrigins: [] }, false],
    [
      "a host that only begins alike",
      "https://status.example:8080.evil.example",
      { allowedOrigins: [] },
      false,
    ],
    ["a listed origin", "https://a.example", { allowedOrigins: ["https://a.example"] }, true],
    [
      "a listed host with another scheme",
      "http://a.example",
      { allowedOrigins: ["https://a.example"] },
      false,
    ],
    ["any origin when all are listed", "https://evil.example", { allowedOrigins: ["*"] }, true],
    [
      "the public address",
      "https://public.example",
      { allowedOrigins: [], publicUrl: "https://public.example/base" },
      true,
    ],
    ["an opaque origin", "null", { allowedOrigins: [] }, false],
  ];
  for (const [what, origin, rules, expected] of cases) {
    it(`${expected ? "takes" : "refuses"} ${what}`, () => {
      assert.equal(isAllowedOrigin(origin, request, rules), expected);
    });
  }
});
