import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { checks } from "../../../src/monitor/checks/records.ts";
import { authority, good } from "../../kit/probes/certificates.ts";
import { chainLeaf, chainRoot, client, encryptedKey, otherKey } from "../../kit/probes/chain-certificates.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";

const CHECKS = "/api/admin/checks";
const http = { kind: "http", url: "https://shop.example.org/health" };

async function send(
  app: TestApp,
  target: object,
  path = "",
): Promise<{ status: number; fault: string; id: string }> {
  const method = path === "" ? "POST" : "PATCH";
  const body =
    path === "" ? { name: "one", target: { ...http, ...target } } : { target: { ...http, ...target } };
  const response = await app.admin(method, `${CHECKS}${path}`, body);
  const answer = await response.json();
  const [first] = answer.errors ?? [];
  return { status: response.status, fault: `${first?.pointer} ${first?.message}`, id: answer.id };
}

describe("certificates and secrets of HTTP checks", () => {
  it("are refused when they are saved and do not fit, with words for what is wrong", async () => {
    const app = await createTestApp();
    const pair = { clientCertificate: client.cert, clientKey: client.key };
    const cases: readonly (readonly [object, RegExp])[] = [
      [{ ca: "authority" }, /^\/target\/ca must be in PEM format/u],
      [{ ca: client.key }, /^\/target\/ca contains a private key/u],
      [
        { ca: `${authority}${chainRoot.slice(0, 300)}\n-----END CERTIFICATE-----` },
        /^\/target\/ca contains a certificate that cannot be read/u,
      ],
      [
        { ca: "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----" },
        /^\/target\/ca contains a block that is no certificate/u,
      ],
      [{ ...pair, clientKey: otherKey }, /^\/target\/clientKey is not the key of the client certificate/u],
      [
        { ...pair, clientKey: encryptedKey },
        /^\/target\/clientKey is encrypted with a passphrase\. Remove it first/u,
      ],
      [{ ...pair, clientKey: client.cert }, /^\/target\/clientKey must be in PEM format/u],
      [{ ...pair, clientCertificate: chainLeaf.cert }, /^\/target\/clientKey is not the key/u],
      [{ clientCertificate: client.cert }, /^\/target\/clientKey is required for a client certificate/u],
      [{ clientKey: client.key }, /^\/target\/clientCertificate is required/u],
      [{ auth: "basic", username: "a" }, /^\/target\/password is required/u],
      [{ auth: "bearer", bearerToken: "two words" }, /^\/target\/bearerToken /u],
      [{ auth: "oauth2", clientSecret: "s", clientId: "c" }, /^\/target\/tokenUrl must be the URL/u],
      [
        { auth: "basic", username: "a", password: "b", headers: [{ name: "authorization", value: "x" }] },
        /^\/target\/auth cannot be used with an Authorization header/u,
      ],
      [{ proxy: "socks5://proxy.example.org:1080" }, /^\/target\/proxy must be a URL such as http:/u],
      [{ proxy: "http://me:pw@proxy.example.org" }, /^\/target\/proxy must be a URL such as http:/u],
      [{ proxyPassword: "x" }, /^\/target\/proxy is required/u],
    ];
    for (const [target, says] of cases) {
      const { status, fault } = await send(app, target);
      assert.deepEqual(
        [status, says.test(fault)],
        [422, true],
        `${JSON.stringify(target).slice(0, 60)}: ${fault}`,
      );
    }
    const fitting = {
      ...pair,
      clientCertificate: `${client.cert}${chainRoot}`,
      ca: `# ours\n${authority}\n${chainRoot}`,
    };
    assert.equal((await send(app, fitting)).status, 201);
  });

  it("are sealed, never shown, kept where they are left out, and given again for another receiver", async () => {
    const app = await createTestApp();
    const target = {
      auth: "oauth2",
      tokenUrl: "https://login.example.org/token",
      clientId: "probe",
      clientSecret: "s3cret-of-client",
      clientCertificate: good.cert,
      clientKey: good.key,
      headers: [{ name: "x-key", value: "s3cret-of-header" }],
    };
    const { id } = await send(app, target);
    const stored = JSON.stringify(await app.store.read((tx) => tx.get(checks, id)));
    const shown = await (await app.admin("GET", `${CHECKS}/${id}`)).json();
    for (const text of [stored, JSON.stringify(shown)]) assert.doesNotMatch(text, /s3cret|PRIVATE KEY/u);
    assert.deepEqual(
      [shown.target.clientSecret, shown.target.clientKey, shown.target.password],
      [true, true, false],
    );
    const { clientSecret: _secret, clientKey: _key, ...rest } = target;
    const kept = { ...rest, headers: [{ name: "x-key" }] };
    assert.equal((await send(app, { ...kept, method: "HEAD" }, `/${id}`)).status, 200);
    const moved = await send(app, { ...kept, tokenUrl: "https://evil.example.org/token" }, `/${id}`);
    assert.deepEqual([moved.status, /must be entered again/u.test(moved.fault)], [422, true]);
    const led = await send(app, { ...kept, proxy: "http://evil.example.org" }, `/${id}`);
    assert.deepEqual([led.status, /must be entered again/u.test(led.fault)], [422, true]);
    const audit = await (await app.admin("GET", "/api/admin/audit?limit=20")).text();
    assert.doesNotMatch(audit, /s3cret|PRIVATE KEY/u);
  });
});
