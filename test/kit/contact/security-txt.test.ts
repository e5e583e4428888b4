/** /.well-known/security.txt: there once the administrator names a contact, valid by RFC 9116, and the same for all services. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createServiceApp } from "../../../src/kit/http/app.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createMetrics } from "../../../src/kit/observe/metrics.ts";
import { loadConfig } from "../../../src/config.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

const DAY_MS = 86_400_000;

function open(contacts: string | undefined, more: { publicUrl?: string; basePath?: string } = {}) {
  const clock = createFixedClock();
  const { securityContacts } = loadConfig(contacts === undefined ? {} : { SECURITY_CONTACT: contacts });
  const app = createServiceApp({
    name: "test",
    title: "Test",
    version: "0",
    description: "",
    log: silentLog,
    clock,
    metrics: createMetrics(),
    bodyLimitBytes: 0,
    allowedOrigins: [],
    trustedProxies: [],
    securityContacts,
    ...more,
  });
  return { clock, get: (path = "/.well-known/security.txt") => app.request(path) };
}

describe("security.txt", () => {
  it("is not there without a contact", async () => {
    assert.equal((await open(undefined).get()).status, 404);
  });

  it("names the contacts in their order, when it expires, and its own address", async () => {
    const { get, clock } = open("security@example.org, https://example.org/report,tel:+1-201-555-0123", {
      publicUrl: "https://example.org/auth",
    });
    const answer = await get();
    assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
    const [first, second, third, expires = "", canonical, end] = (await answer.text()).split("\n");
    assert.deepEqual(
      [first, second, third, canonical, end],
      [
        "Contact: mailto:security@example.org",
        "Contact: https://example.org/report",
        "Contact: tel:+1-201-555-0123",
        "Canonical: https://example.org/.well-known/security.txt",
        "",
      ],
    );
    const [, at = ""] = /^Expires: (\d{4}-\d\d-\d\dT00:00:00Z)$/u.exec(expires) ?? [];
    const leftDays = (Date.parse(at) - clock.now()) / DAY_MS;
    assert.ok(leftDays > 170 && leftDays < 365, expires);
  });

  it("omits a URL that is not set or has no TLS, and is served below a path too", async () => {
    const plain = open("security@example.org", { publicUrl: "http://127.0.0.1:8081" });
    assert.doesNotMatch(await (await plain.get()).text(), /Canonical/u);
    const { get } = open("mailto:security@example.org", { basePath: "/auth" });
    const text = await (await get()).text();
    assert.doesNotMatch(text, /Canonical/u);
    assert.equal(await (await get("/auth/.well-known/security.txt")).text(), text);
  });

  it("ignores contacts that reach no one", () => {
    for (const contact of ["example.org", "http://example.org", "a b@example.org", "mailto:", "javascript:x"])
      assert.throws(() => loadConfig({ SECURITY_CONTACT: contact }), /environment has a problem/u, contact);
    assert.throws(() => loadConfig({ SECURITY_CONTACT: "a@b.example\nContact: mailto:x@y.example" }));
  });
});
