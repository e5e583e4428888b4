import assert from "node:assert/strict";
import { type Server, type Socket, createServer } from "node:net";
import { afterEach, describe, it } from "node:test";
import type { MailMessage, MailOutcome, MailSender } from "../../../src/kit/mail/mail.ts";
import { type SmtpOptions, createSmtpSender } from "../../../src/kit/mail/smtp.ts";
import type { SmtpSettings } from "../../../src/kit/mail/smtp-url.ts";
import {
  type SmtpBehaviour,
  type SmtpPeer,
  type SmtpPeerOptions,
  startSmtpPeer,
} from "../../support/smtp-peer.ts";
import { cert } from "../../support/tls-pair.ts";

const message: MailMessage = {
  to: "ada@example.org",
  subject: "Grüße: your code",
  text: "Your code:\n\n    1234 5678\n\nSchönen Tag\n",
};
const credentials = { user: "mailer", password: "correct horse" };
/** Long enough for a loaded machine where nothing is to time out. */
const PATIENCE_MS = 20_000;

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

function createSender(
  settings: Partial<SmtpSettings> & { port: number },
  options: SmtpOptions = {},
): MailSender {
  const sender = createSmtpSender(
    { host: "127.0.0.1", security: "none", from: "Shop <noreply@shop.example>", ...settings },
    { timeoutMs: PATIENCE_MS, ...options },
  );
  cleanUp.push(() => sender.close());
  return sender;
}

/** A server of few words; `talk` gets each connection. */
async function startRawPeer(talk: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function reasonOf(outcome: MailOutcome): string {
  assert.notEqual(outcome.status, "sent");
  const reason = outcome.status === "sent" ? "" : outcome.reason;
  assert.ok(reason.length > 0 && reason.length <= 200, `"${reason}" has 1 to 200 characters`);
  assert.doesNotMatch(reason, /[\r\n]|1234|correct|Y29ycmVjdCBob3JzZQ|mailer/u);
  return reason;
}

describe("createSmtpSender", () => {
  it("sends one mail in plain UTF-8 text to one recipient", async () => {
    const peer = await startPeer({});
    assert.deepEqual(await createSender(peer).send({ ...message, id: "mail_01" }), { status: "sent" });
    const [mail, ...others] = peer.mails;
    assert.equal(others.length, 0);
    assert.deepEqual([mail?.from, mail?.to], ["noreply@shop.example", ["ada@example.org"]]);
    const [head = "", body = ""] = (mail?.raw ?? "").split(/\r\n\r\n(.*)/su);
    assert.match(head, /^From: Shop <noreply@shop\.example>$/mu);
    assert.match(head, /^To: ada@example\.org$/mu);
    assert.match(head, /^Subject: =\?UTF-8\?/mu);
    assert.match(head, /^Date: \w{3}, /mu);
    assert.match(head, /^Message-ID: <mail_01@shop\.example>$/mu);
    assert.match(head, /^Auto-Submitted: auto-generated$/mu);
    assert.match(head, /^Content-Type: text\/plain; charset=utf-8$/mu);
    assert.match(body, /1234 5678/u);
    assert.match(body, /Sch=C3=B6nen/u);
  });

  it("offers to switch such mails off, with one click where the address is https", async () => {
    const peer = await startPeer({});
    const sender = createSender(peer);
    await sender.send({ ...message, unsubscribe: `https://shop.example/${"x".repeat(90)}` });
    await sender.send({ ...message, unsubscribe: "http://127.0.0.1/off" });
    await sender.send(message);
    const heads = peer.mails.map(({ raw }) => (raw.split("\r\n\r\n")[0] ?? "").replaceAll(/\r\n\s+/gu, " "));
    assert.match(heads[0] ?? "", /^List-Unsubscribe: <https:\/\/shop\.example\/x{90}>$/mu);
    assert.match(heads[0] ?? "", /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/mu);
    assert.match(heads[1] ?? "", /^List-Unsubscribe: <http:\/\/127\.0\.0\.1\/off>$/mu);
    assert.doesNotMatch(heads[1] ?? "", /^List-Unsubscribe-Post/mu);
    assert.doesNotMatch(heads[2] ?? "", /^List-Unsubscribe/mu);
  });

  it("sends text and HTML as alternatives, and says where answers go", async () => {
    const peer = await startPeer({});
    const sender = createSender({ port: peer.port, replyTo: "answers@shop.example" });
    assert.deepEqual(await sender.send({ ...message, html: "<p>Your code</p>" }), { status: "sent" });
    const raw = peer.mails[0]?.raw ?? "";
    assert.match(raw, /^Content-Type: multipart\/alternative;/mu);
    assert.match(raw, /^Content-Type: text\/plain[^]*^Content-Type: text\/html[^]*<p>Your code<\/p>/mu);
    assert.match(raw, /^Reply-To: answers@shop\.example\r$/mu);
    for (const replyTo of ["Ada <a@example.org>", "a@example.org\r\nBcc: b@example.org", "a@x.org,b@x.org"])
      assert.throws(() => createSender({ port: peer.port, replyTo }), RangeError);
  });

  it("sends files that are created when the mail leaves", async () => {
    const peer = await startPeer({});
    const content = new TextEncoder().encode("<Invoice/>");
    const attach = () => Promise.resolve([{ name: "a-1.xml", contentType: "application/xml", content }]);
    assert.deepEqual(await createSender(peer).send({ ...message, attach }), { status: "sent" });
    const raw = peer.mails[0]?.raw ?? "";
    assert.match(raw, /^Content-Type: multipart\/mixed;/mu);
    assert.match(
      raw,
      /^Content-Type: application\/xml; name=a-1\.xml[^]*^Content-Disposition: attachment; filename=a-1\.xml/mu,
    );
    assert.ok(raw.includes(btoa("<Invoice/>")));
    const broken = (): Promise<never> => Promise.reject(new Error("no such invoice"));
    assert.equal((await createSender(peer).send({ ...message, attach: broken })).status, "temporary");
  });

  it("creates a Message-ID and keeps one connection for multiple emails", async () => {
    const peer = await startPeer({});
    const sender = createSender(peer);
    for (let i = 0; i < 3; i += 1) assert.equal((await sender.send(message)).status, "sent");
    const ids = peer.mails.map(({ raw }) => /^Message-ID: (<.+@shop\.example>)\r$/mu.exec(raw)?.[1]);
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids.includes(undefined), false);
    assert.equal(peer.connections(), 1);
  });

  it("signs in and encrypts when told to", async () => {
    for (const security of ["tls", "starttls"] as const) {
      const peer = await startPeer({ security, credentials });
      const sender = createSender({ port: peer.port, security, ...credentials }, { ca: cert });
      assert.deepEqual(await sender.send(message), { status: "sent" }, security);
      assert.equal(peer.mails[0]?.wasEncrypted, true);
    }
  });

  const refused: readonly (readonly [SmtpBehaviour, MailOutcome["status"], RegExp])[] = [
    ["4xx-at-rcpt", "temporary", /cannot accept the email at the moment \(450 4\.2\.1\)/u],
    ["5xx-at-rcpt", "permanent", /rejected the recipient: 550 5\.1\.1 No such user here/u],
    ["5xx-after-data", "permanent", /rejected the email \(554 5\.6\.0\)/u],
    ["5xx-at-mail", "temporary", /rejected the sender address: 553/u],
    ["530-at-mail", "temporary", /credentials are wrong \(530 5\.7\.0\)/u],
    ["disconnect-in-data", "temporary", /connection to the SMTP server failed/u],
  ];
  for (const [behaviour, status, reason] of refused) {
    it(`tells ${status} for ${behaviour}, and sends the next mail`, async () => {
      const peer = await startPeer({ behaviour });
      const sender = createSender(peer);
      const outcome = await sender.send(message);
      assert.equal(outcome.status, status);
      assert.match(reasonOf(outcome), reason);
      peer.behave("normal");
      assert.deepEqual(await sender.send(message), { status: "sent" });
    });
  }

  for (const behaviour of ["hang", "hang-after-data"] as const) {
    it(`tells temporary when the server does not answer: ${behaviour}`, async () => {
      const peer = await startPeer({ behaviour });
      const outcome = await createSender(peer, { timeoutMs: 300 }).send(message);
      assert.equal(outcome.status, "temporary");
      assert.match(reasonOf(outcome), /did not respond in time/u);
    });
  }

  it("ends a sending to a server that trickles its answers", async () => {
    const port = await startRawPeer((socket) => {
      socket.write("220 slow ESMTP\r\n");
      const timer = setInterval(() => socket.write("250-more\r\n"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    const outcome = await createSender({ port }, { timeoutMs: 300 }).send(message);
    assert.equal(outcome.status, "temporary");
    assert.match(reasonOf(outcome), /did not respond in time/u);
  });

  it("tells temporary when there is no server, no greeting or a refusal to talk", async () => {
    const gone = await startSmtpPeer();
    await gone.close();
    const outcome = await createSender(gone).send(message);
    assert.equal(outcome.status, "temporary");
    assert.match(reasonOf(outcome), /refused the connection/u);
    for (const talk of [
      (socket: Socket) => socket.end(),
      (socket: Socket) => socket.end("554 5.7.1 Go away\r\n"),
      (socket: Socket) => socket.end("421 4.3.2 Closing\r\n"),
      (socket: Socket) => socket.end("HTTP/1.1 400 Bad Request\r\n"),
    ]) {
      const other = await createSender({ port: await startRawPeer(talk) }).send(message);
      assert.equal(other.status, "temporary");
      reasonOf(other);
    }
  });

  it("tells temporary for a name that does not resolve", async () => {
    // RFC 6761 section 6.4: resolvers answer names under "invalid" with no such name.
    const outcome = await createSender({ host: "smtp.invalid", port: 25 }, { timeoutMs: 2_000 }).send(
      message,
    );
    assert.equal(outcome.status, "temporary");
    assert.match(reasonOf(outcome), /could not be resolved|did not respond in time/u);
  });

  it("says that credentials are wrong, without them", async () => {
    const peer = await startPeer({ credentials: { user: "other", password: "other" } });
    const outcome = await createSender({ port: peer.port, ...credentials }).send(message);
    assert.equal(outcome.status, "temporary");
    assert.match(reasonOf(outcome), /credentials are wrong \(535 5\.7\.8\)/u);
  });

  it("does not trust a self-signed certificate", async () => {
    for (const security of ["tls", "starttls"] as const) {
      const peer = await startPeer({ security });
      const outcome = await createSender({ port: peer.port, security }).send(message);
      assert.equal(outcome.status, "temporary");
      assert.match(reasonOf(outcome), /certificate of the SMTP server is not trusted/u);
      assert.equal(peer.mails.length, 0);
    }
  });

  it("sends nothing in the open when STARTTLS is required, or TLS from the first byte", async () => {
    for (const security of ["starttls", "tls"] as const) {
      const peer = await startPeer({ credentials });
      const outcome = await createSender({ port: peer.port, security, ...credentials }, { ca: cert }).send(
        message,
      );
      assert.equal(outcome.status, "temporary");
      assert.match(
        reasonOf(outcome),
        security === "tls" ? /The TLS connection/u : /rejected STARTTLS \(500\)/u,
      );
      assert.equal(peer.mails.length, 0);
    }
  });

  it("refuses what could make a second recipient or header, before it connects", async () => {
    const peer = await startPeer({});
    const sender = createSender(peer);
    const separators = ["\r\n", "\n", "\r", "\u2028", "\u2029", "\0", "\u0085"];
    const addresses = [
      "a@example.org,b@example.org",
      "a@example.org;b@example.org",
      "team:a@example.org;",
      "<a@example.org>",
      "Ada <a@example.org>",
      "a b@example.org",
      '"a,b"@example.org',
      "a@b@example.org",
      "example.org",
      "",
      `${"a".repeat(65)}@example.org`,
      `a@${"b".repeat(260)}`,
      ...separators.map((separator) => `a@example.org${separator}Bcc: b@example.org`),
      ...separators.map((separator) => `a@example.org${separator}`),
    ];
    for (const to of addresses) {
      const outcome = await sender.send({ ...message, to });
      assert.equal(outcome.status, "permanent", JSON.stringify(to));
      reasonOf(outcome);
    }
    for (const subject of [...separators.map((separator) => `Hi${separator}Bcc: b@example.org`), "\ud800"]) {
      assert.equal((await sender.send({ ...message, subject })).status, "permanent", JSON.stringify(subject));
    }
    assert.equal(peer.connections(), 0);
  });

  it("ignores an id that is not fit for a header", async () => {
    const peer = await startPeer({});
    assert.equal(
      (await createSender(peer).send({ ...message, id: "x>\r\nBcc: b@example.org" })).status,
      "sent",
    );
    assert.doesNotMatch(peer.mails[0]?.raw ?? "", /Bcc/u);
  });

  it("tells temporary after it was closed, and throws for a sender that is no mailbox", async () => {
    const peer = await startPeer({});
    const sender = createSender(peer);
    sender.close();
    assert.equal((await sender.send(message)).status, "temporary");
    assert.throws(() => createSender({ port: 1, from: "Shop" }), RangeError);
  });
});
