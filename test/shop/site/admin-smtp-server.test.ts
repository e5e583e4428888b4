/** Which mail servers an administrator may name, and to which of them the stored password goes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startSmtpPeer } from "../../support/smtp-peer.ts";
import { code, createTestShop, read, type TestShop } from "../app-fixture.ts";

const PATH = "/api/admin/smtp";
const fields = {
  enabled: true,
  host: "127.0.0.1",
  security: "none",
  fromAddress: "shop@example.org",
} as const;

interface SmtpView {
  passwordSet: boolean;
}

function put(app: TestShop, body: object): Promise<Response> {
  return app.admin("PUT", PATH, body);
}

describe("the mail server of the settings", () => {
  it("does not hand the stored password to another server, nor in the clear to another machine", async () => {
    const app = await createTestShop();
    const known = { ...fields, host: "mail.example.org", security: "tls", username: "shop" };
    await put(app, { ...known, password: "correct horse" });
    for (const change of [
      { host: "127.0.0.1" },
      { port: 26 },
      { username: "other" },
      { security: "starttls" },
    ]) {
      const answer = await put(app, { ...known, ...change });
      assert.match(await answer.clone().text(), /must be sent again/u, JSON.stringify(change));
      assert.deepEqual(await code(answer), [422, "invalid"]);
    }
    const inClear = await put(app, { ...known, security: "none", password: "correct horse" });
    assert.match(await inClear.clone().text(), /without encryption/u);
    assert.deepEqual(await code(inClear), [422, "invalid"]);
    const kept = await read<SmtpView>(await put(app, { ...known, fromName: "Corner shop" }));
    assert.equal(kept.passwordSet, true);
    assert.equal((await read<SmtpView>(await put(app, { username: "" }))).passwordSet, false);
  });

  it("does not speak to a private address unless that is allowed", async () => {
    const app = await createTestShop({ smtpPrivate: false });
    const peer = await startSmtpPeer();
    await put(app, { ...fields, port: peer.port });
    const answer = await app.admin("POST", `${PATH}/test`, { to: "ada@example.org" });
    const { step, detail } = await read<{ step: string; detail: string }>(answer, 502);
    assert.equal(step, "resolve");
    assert.match(detail, /"127\.0\.0\.1" is a private address; set SMTP_PRIVATE=1/u);
    assert.equal(peer.connections(), 0);
    await peer.close();
  });
});
