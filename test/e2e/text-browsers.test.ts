/** The account center in lynx and w3m, by their keys: from registering to the restored account. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Secret, TOTP } from "otpauth";
import { findProgram, tellSkipped } from "../support/missing.ts";
import { runProcess } from "../support/process.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp-peer.ts";
import { eventually } from "../support/eventually.ts";

const PASSWORD = "correct horse battery staple";
const CHANGED = "another sentence of mine";
const TOTP_STEP_MS = 30_000;
const LIMIT_MS = 60_000;

/** Why a test with these programs is skipped, if it is. */
function without(...names: string[]): string | false {
  const missing = names.filter((name) => findProgram(name) === undefined);
  return (
    missing.length > 0 && tellSkipped(`${missing.join(" and ")} not in PATH (on Debian: apt-get install)`)
  );
}

/** One person's text browser: each visit is a run of its own, and the cookies stay. */
interface TextBrowser {
  /** The page as a person reads it. */
  read(path: string): Promise<string>;
  source(path: string, posted?: string): Promise<string>;
  /** Goes to the page's fields with the keyboard, types, and presses the button. */
  send(path: string, fields: Readonly<Record<string, string>>, button: string): Promise<void>;
}

/** Opens one that keeps its files in `folder`. */
type OpenBrowser = (folder: string, url: string) => Promise<TextBrowser>;

/** Where the keyboard stops: at every link, by its text, and every field, by its name. */
function listStops(html: string): string[] {
  const tags = html.matchAll(/<(?:a|button|select|textarea|input)\b([^>]*)>([^<]*)/gu);
  return [...tags]
    .filter(([, attributes = ""]) => !attributes.includes('type="hidden"'))
    .map(([, attributes = "", text = ""]) => / name="(\w+)"/u.exec(attributes)?.[1] ?? text.trim());
}

/** The keys that fill in a page's form: `next` goes to the next stop, `type` fills in the field of one. */
function findKeys<K>(
  html: string,
  { fields, button }: { fields: Readonly<Record<string, string>>; button: string },
  keys: { next: K; type: (text: string) => readonly K[]; press: K },
): K[] {
  const stops = listStops(html);
  const pressed: K[] = [];
  let at = 0;
  const goTo = (stop: string): void => {
    const found = stops.indexOf(stop, at);
    assert.ok(found >= at, `There is no "${stop}": ${stops.join(", ")}`);
    pressed.push(...Array.from({ length: found - at }, () => keys.next));
    at = found;
  };
  for (const [field, text] of Object.entries(fields)) {
    goTo(field);
    pressed.push(...keys.type(text));
  }
  goTo(button);
  return [...pressed, keys.press];
}

/** Runs commands of a shell, as somebody at home in `folder`. */
function createShell(folder: string): (command: string) => Promise<string> {
  return async (command) => {
    const { code, output } = await runProcess({
      command: "sh",
      args: ["-c", command],
      cwd: folder,
      env: { HOME: folder, TERM: "xterm", LANG: "C.UTF-8" },
      timeoutMs: LIMIT_MS,
    });
    assert.equal(code, 0, `${command}: ${output}`);
    return output;
  };
}

const openLynx: OpenBrowser = async (folder, url) => {
  const run = createShell(folder);
  const settings =
    "ACCEPT_ALL_COOKIES:TRUE\nPERSISTENT_COOKIES:TRUE\nALERTSECS:0\nINFOSECS:0\nMESSAGESECS:0\n";
  await writeFile(join(folder, "cfg"), settings);
  await writeFile(join(folder, "cookies"), "");
  const lynx = "lynx -cfg=cfg -cookie_file=cookies -cookie_save_file=cookies";
  const source: TextBrowser["source"] = async (path, posted) => {
    await writeFile(join(folder, "body"), `${posted ?? ""}\n---\n`);
    return run(`${lynx} -source ${posted === undefined ? "" : "-post_data"} '${url}${path}' <body`);
  };
  return {
    source,
    read: (path) => run(`${lynx} -dump -nolist -width=200 '${url}${path}' </dev/null`),
    send: async (path, fields, button) => {
      const keys = findKeys(
        await source(path),
        { fields, button },
        {
          next: "Down Arrow",
          type: (text) => Array.from(text, (key) => (key === " " ? "<space>" : key)),
          press: "^J",
        },
      );
      await writeFile(join(folder, "keys"), [...keys, "Q", "y"].map((key) => `key ${key}\n`).join(""));
      const command = `stty rows 200 cols 200; ${lynx} -cmd_script=keys "${url}${path}"`;
      await run(`script -qec '${command}' /dev/null </dev/null`);
    },
  };
};

/** As it comes: nothing is set but the size of the terminal. */
const openW3m: OpenBrowser = async (folder, url) => {
  const run = createShell(folder);
  const source: TextBrowser["source"] = async (path, posted) => {
    await writeFile(join(folder, "body"), posted ?? "");
    return run(`w3m -dump_source ${posted === undefined ? "" : "-post body"} '${url}${path}'`);
  };
  return {
    source,
    read: (path) => run(`w3m -dump -cols 200 '${url}${path}'`),
    send: async (path, fields, button) => {
      // Enter opens the line of a field, and closes it.
      const keys = findKeys(
        await source(path),
        { fields, button },
        { next: "\t", type: (text) => [`\r${text}\r`], press: "\r" },
      );
      await writeFile(join(folder, "keys"), `${keys.join("")}Q`);
      const command = `stty raw rows 200 cols 200; w3m "${url}${path}"`;
      await run(`script -qec '${command}' /dev/null <keys`);
    },
  };
};

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
        await home.send("/verify", { code }, "Confirm");
        const account = await home.read("/account");
        assert.match(account, /Sign out/u);
        assert.match(account, /Skip to the content\s+Trivet/u);

        await home.send("/account/security", {}, "Set up an authenticator app");
        const setUp = await home.read("/account/security/second-factor");
        const secret = /\b(?:[A-Z2-7]{4} ){4,}[A-Z2-7]{1,4}\b/u.exec(setUp)?.[0].replaceAll(" ", "") ?? "";
        const totp = (steps: number): string =>
          new TOTP({ secret: Secret.fromBase32(secret) }).generate({
            timestamp: Date.now() + steps * TOTP_STEP_MS,
          });
        await home.send("/account/security/second-factor", { code: totp(0) }, "Switch it on");
        const page = await home.source("/account/security/recovery-codes");
        const [recovery = ""] = [...page.matchAll(/<li>([\w-]{8,})<\/li>/gu)].map(([, each = ""]) => each);
        await home.send("/account/security/recovery-codes", {}, "I have put them away");

        const library = await openAt("library");
        await library.send("/sign-in", { identifier: username, password: PASSWORD }, "Sign in");
        await library.send("/sign-in/second-factor", { code: totp(1) }, "Sign in");
        assert.match(await library.read("/account"), /Sign out/u);
        await home.send("/account/sessions", {}, "Sign out all others");
        assert.doesNotMatch(await library.read("/account"), /Sign out/u);

        await home.send("/account/security", { password: CHANGED }, "Save the new password");
        const form = / name="form" value="([^"]+)"/u.exec(await home.source("/account/data"))?.[1] ?? "";
        const exported = await home.source("/account/data/export", `form=${form}`);
        assert.ok(exported.includes(`"username": "${username}"`), exported);
        await home.send("/account/data", { confirmation: username }, "Delete the account");
        assert.doesNotMatch(await home.read("/account"), /Sign out/u);
        await home.send("/restore", { identifier: username, password: CHANGED }, "Restore the account");
        assert.match(await home.read("/sign-in/second-factor?method=recovery"), /recovery codes/u);
        await home.send("/sign-in/second-factor?method=recovery", { code: recovery }, "Sign in");
        assert.match(await home.read("/account"), /Sign out/u);
        await home.send("/account", {}, "Sign out");
        assert.doesNotMatch(await home.read("/account"), /Sign out/u);
      },
    );
});
