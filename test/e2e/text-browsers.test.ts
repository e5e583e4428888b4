/** The account center in lynx and w3m, by their keys: from registering to the restored account. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Secret, TOTP } from "otpauth";
import { type Programs, createPrograms } from "../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { eventually } from "../support/eventually.ts";
import { type TextBrowser, openLynx, openW3m, without } from "./text-browser.ts";

const PASSWORD = "correct horse battery staple";
const CHANGED = "another sentence of mine";
const TOTP_STEP_MS = 30_000;
describe("the account center in a text browser", () => {
  let programs: Programs;
  let smtp: SmtpPeer;
  let folder = "";
  let url = "";

  before(async () => {
    [programs, smtp] = await Promise.all([createPrograms(["auth"]), startSmtpPeer()]);
    folder = await mkdtemp(join(tmpdir(), "trivet-text-"));
    const sender = `smtp://127.0.0.1:${smtp.port}?from=accounts@example.org`;
    url = await programs.authUrl(programs.run({ LOG_LEVEL: "warn", SMTP_URL: sender }));
  });
  after(async () => {
    await programs?.dispose();
    await smtp?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const { name, open } of [
    { name: "lynx", open: openLynx },
    { name: "w3m", open: openW3m },
  ])
    it(
      `takes a person with ${name} through the account's whole life`,
      {
        skip: without(name, "script"),
      },
      async () => {
        const openAt = async (place: string): Promise<TextBrowser> =>
          open(await mkdtemp(join(folder, place)), url);
        const home = await openAt("home");
        const username = `${name}-person`;
        const email = `${username}@example.org`;
        await home.send("/sign-up", { username, email, password: PASSWORD }, "Create account");
        const code = await eventually(() => {
          const mail = smtp.mails.findLast(({ to }) => to.includes(email));
          return /\d{4} \d{4}/u.exec(mail?.raw ?? "")?.[0] ?? assert.fail("No mail");
        });
        await home.send("/verify", { code }, "Verify");
        const account = await home.read("/account");
        assert.match(account, /Sign out/u);
        assert.match(account, /Skip to content\s+Trivet/u);

        await home.send("/account/security", {}, "Set up an authenticator app");
        const setUp = await home.read("/account/security/second-factor");
        const secret = /\b(?:[A-Z2-7]{4} ){4,}[A-Z2-7]{1,4}\b/u.exec(setUp)?.[0].replaceAll(" ", "") ?? "";
        const totp = (steps: number): string =>
          new TOTP({ secret: Secret.fromBase32(secret) }).generate({
            timestamp: Date.now() + steps * TOTP_STEP_MS,
          });
        await home.send("/account/security/second-factor", { code: totp(0) }, "Turn on");
        const page = await home.source("/account/security/recovery-codes");
        const [recovery = ""] = [...page.matchAll(/<li>([\w-]{8,})<\/li>/gu)].map(([, each = ""]) => each);
        await home.send("/account/security/recovery-codes", {}, "I’ve saved my codes");

        const library = await openAt("library");
        await library.send("/sign-in", { identifier: username, password: PASSWORD }, "Sign in");
        await library.send("/sign-in/second-factor", { code: totp(1) }, "Sign in");
        assert.match(await library.read("/account"), /Sign out/u);
        await home.send("/account/sessions", {}, "Sign out all other devices");
        assert.doesNotMatch(await library.read("/account"), /Sign out/u);

        await home.send("/account/security", { password: CHANGED }, "Change password");
        const form = / name="form" value="([^"]+)"/u.exec(await home.source("/account/data"))?.[1] ?? "";
        const exported = await home.source("/account/data/export", `form=${form}`);
        assert.ok(exported.includes(`"username": "${username}"`), exported);
        await home.send("/account/data", { confirmation: username }, "Delete account");
        assert.doesNotMatch(await home.read("/account"), /Sign out/u);
        await home.send("/restore", { identifier: username, password: CHANGED }, "Restore account");
        assert.match(await home.read("/sign-in/second-factor?method=recovery"), /recovery codes/u);
        await home.send("/sign-in/second-factor?method=recovery", { code: recovery }, "Sign in");
        assert.match(await home.read("/account"), /Sign out/u);
        await home.send("/account", {}, "Sign out");
        assert.doesNotMatch(await home.read("/account"), /Sign out/u);
      },
    );
});
