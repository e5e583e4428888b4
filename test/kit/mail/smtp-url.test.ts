import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isMailAddress, isMailLine, parseMailbox } from "../../../src/kit/mail/mail.ts";
import { type SmtpSettings, parseSmtpUrl } from "../../../src/kit/mail/smtp-url.ts";

describe("parseMailbox, isMailAddress and isMailLine", () => {
  it("take a bare address, or one with a name", () => {
    assert.deepEqual(parseMailbox(" a+b@example.org "), { name: "", address: "a+b@example.org" });
    assert.deepEqual(parseMailbox("Ada L. <a@b.example>"), { name: "Ada L.", address: "a@b.example" });
    assert.deepEqual(parseMailbox('"Ada, L." <a@b.example>'), { name: "Ada, L.", address: "a@b.example" });
    assert.deepEqual(parseMailbox("<a@b.example>"), { name: "", address: "a@b.example" });
    assert.equal(isMailAddress("ö@müller.example"), true);
    assert.equal(isMailLine("Grüße 👋"), true);
  });

  it("take nothing else, and long texts quickly", () => {
    for (const text of [
      "",
      "Ada",
      "a@b, c@d",
      "A <a@b>, B <c@d>",
      "A <a@b> x",
      "A <<a@b>",
      "A\n<a@b>",
      "<a>",
    ]) {
      assert.equal(parseMailbox(text), undefined, text);
    }
    for (const text of ["@".repeat(50_000), "a".repeat(50_000), `${"a@".repeat(25_000)}`]) {
      assert.equal(isMailAddress(text), false);
      assert.equal(parseMailbox(text), undefined);
    }
  });
});

describe("parseSmtpUrl", () => {
  const good: readonly (readonly [string, SmtpSettings])[] = [
    [
      "smtp://user:p%40ss%2F@mail.example:2525?from=Name%20%3Ca%2Bb@b.example%3E",
      {
        host: "mail.example",
        port: 2525,
        security: "starttls",
        user: "user",
        password: "p@ss/",
        from: "Name <a+b@b.example>",
      },
    ],
    [
      "smtp://mail.example?from=a+b@b.example",
      { host: "mail.example", port: 587, security: "starttls", from: "a+b@b.example" },
    ],
    [
      "smtps://a%40b.example:secret@Mail.Example/",
      {
        host: "mail.example",
        port: 465,
        security: "tls",
        user: "a@b.example",
        password: "secret",
        from: "a@b.example",
      },
    ],
    [
      "smtp://localhost?from=a@b.example",
      { host: "localhost", port: 25, security: "none", from: "a@b.example" },
    ],
    [
      "smtp://127.0.0.1:1025?from=a@b.example",
      { host: "127.0.0.1", port: 1025, security: "none", from: "a@b.example" },
    ],
    [
      "smtp://[::1]:1025?from=a@b.example&security=starttls",
      { host: "::1", port: 1025, security: "starttls", from: "a@b.example" },
    ],
    [
      "smtp://relay:25?security=none&from=Name <a@b.example>",
      { host: "relay", port: 25, security: "none", from: "Name <a@b.example>" },
    ],
  ];
  for (const [url, settings] of good) {
    it(`reads ${url}`, () => {
      assert.deepEqual(parseSmtpUrl(url), settings);
    });
  }

  const bad = [
    "",
    "mail.example",
    "http://mail.example?from=a@b.example",
    "smtp://?from=a@b.example",
    "smtp://mail.example",
    "smtp://user:password@mail.example",
    "smtp://user@mail.example?from=a@b.example",
    "smtp://:password@mail.example?from=a@b.example",
    "smtp://mail.example/inbox?from=a@b.example",
    "smtp://mail.example?from=a@b.example#x",
    "smtp://mail.example?form=a@b.example",
    "smtp://mail.example?from=a@b.example&from=c@d.example",
    "smtp://mail.example?from=a@b.example,c@d.example",
    "smtp://mail.example?from=Name",
    "smtp://mail.example?from=a@b.example%0d%0aBcc:x@y.example",
    "smtp://mail.example?from=a@b.example\nsmtp",
    "smtp://mail.example?from=%E0%A4%A",
    "smtp://us%00er:password@mail.example?from=a@b.example",
    "smtp://mail.example?from=a@b.example&security=tls",
    "smtp://mail.example?from=a@b.example&security=off",
    "smtps://mail.example?from=a@b.example&security=none",
    "smtp://mail.example:0?from=a@b.example",
    "smtp://mail.example:65536?from=a@b.example",
    "smtp://mail%20example?from=a@b.example",
  ];
  for (const url of bad) {
    it(`does not read ${JSON.stringify(url)}`, () => {
      assert.equal(parseSmtpUrl(url), undefined);
    });
  }
});
