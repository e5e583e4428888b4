/** Mail servers that settings name: which addresses they may have, and that the checked address is the one that is used. */
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { checkSmtp } from "../../../src/kit/mail/smtp-check.ts";
import { createSmtpSender } from "../../../src/kit/mail/smtp.ts";
import { type SmtpRules, toSmtpRules } from "../../../src/kit/mail/smtp-rules.ts";
import type { SmtpSettings } from "../../../src/kit/mail/smtp-url.ts";
import { type SmtpPeer, type SmtpPeerOptions, startSmtpPeer } from "../../support/smtp-peer.ts";
import { cert } from "../../support/tls-pair.ts";

const message = { to: "ada@example.org", subject: "Hello", text: "Hello\n" };
const credentials = { user: "mailer", password: "correct horse" };
const timeoutMs = 20_000;

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function startPeer(options: SmtpPeerOptions): Promise<SmtpPeer> {
  const peer = await startSmtpPeer(options);
  cleanUp.push(() => peer.close());
  return peer;
}

/** Rules by which a name is at these addresses. */
function at(addresses: readonly string[], allowPrivate = true): SmtpRules {
  return { ...toSmtpRules(allowPrivate), lookup: async () => addresses };
}

async function send(settings: Partial<SmtpSettings> & { port: number }, rules: SmtpRules): Promise<string> {
  const server = { host: "127.0.0.1", security: "none", from: "shop@example.org", ...settings } as const;
  const sender = createSmtpSender(server, { timeoutMs, ca: cert, rules });
  cleanUp.push(() => sender.close());
  const outcome = await sender.send(message);
  return outcome.status === "sent" ? "sent" : `${outcome.status}: ${outcome.reason}`;
}

describe("createSmtpSender with rules", () => {
  it("sends by each kind of security to the address that was checked", async () => {
    for (const security of ["none", "starttls", "tls"] as const) {
      const peer = await startPeer({ security, credentials });
      // No system knows the name: the connection can only be to the address of the look-up.
      const host = security === "none" ? "mail.invalid" : "localhost";
      assert.equal(await send({ ...credentials, ...peer, host, security }, at(["127.0.0.1"])), "sent");
      assert.equal(peer.mails[0]?.wasEncrypted, security !== "none");
    }
  });

  it("refuses private addresses unless they are allowed, and never connects to them", async () => {
    const peer = await startPeer({});
    assert.match(await send(peer, toSmtpRules(false)), /^temporary: .*"127\.0\.0\.1" is a private address/u);
    const mixed = at(["192.0.2.1", "127.0.0.1"], false);
    assert.match(await send({ ...peer, host: "mail.invalid" }, mixed), /is not allowed/u);
    const metadata = at(["169.254.169.254"]);
    assert.match(await send({ ...peer, host: "mail.invalid" }, metadata), /never connects to/u);
    assert.equal(peer.connections(), 0);
  });

  it("sends user and password in the clear to this machine alone", async () => {
    const peer = await startPeer({ credentials });
    const settings = { ...peer, ...credentials, host: "localhost" };
    assert.match(
      await send(settings, at(["127.0.0.1", "10.0.0.1"])),
      /not sent to "localhost" without encryption/u,
    );
    assert.equal(peer.connections(), 0);
  });

  it("returns temporary for a closed port, and for a name without an address", async () => {
    const peer = await startPeer({});
    await peer.close();
    assert.match(await send(peer, toSmtpRules(true)), /^temporary: .*refused the connection/u);
    assert.match(
      await send({ ...peer, host: "mail.invalid" }, at([])),
      /^temporary: .*could not be resolved/u,
    );
  });

  it("does not trust a certificate for another name than the one that was set", async () => {
    const peer = await startPeer({ security: "tls" });
    const outcome = await send({ ...peer, host: "mail.invalid", security: "tls" }, at(["127.0.0.1"]));
    assert.match(outcome, /^temporary: .*certificate/u);
  });
});

describe("checkSmtp with rules", () => {
  const check = async (settings: Partial<SmtpSettings> & { port: number }, rules: SmtpRules) => {
    const server = { host: "localhost", security: "none", from: "shop@example.org", ...settings } as const;
    const steps = await checkSmtp(server, message, { timeoutMs, ca: cert, rules });
    return steps.filter(({ result }) => result !== "skipped").map(({ step, result }) => `${step} ${result}`);
  };

  it("takes the same way", async () => {
    for (const security of ["none", "starttls", "tls"] as const) {
      const peer = await startPeer({ security });
      const tls = security === "none" ? [] : ["tls ok"];
      const expected = ["resolve ok", "connect ok", ...tls, "send ok"];
      assert.deepEqual(await check({ ...peer, security }, at(["127.0.0.1"])), expected, security);
    }
    const peer = await startPeer({});
    assert.deepEqual(await check(peer, at(["127.0.0.1"], false)), ["resolve failed"]);
    assert.equal(peer.connections(), 0);
    await peer.close();
    assert.deepEqual(await check(peer, at(["127.0.0.1"])), ["resolve ok", "connect failed"]);
  });
});
