/** Applications that run as processes of their own and sign people in with a client of npm or Debian. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { textOf } from "../../../src/kit/thrown.ts";
import { eventually } from "../../support/eventually.ts";
import { runProcess } from "../../support/process.ts";
import type { Runner } from "../../support/program.ts";
import type { ClientConfig, Lab, Person, Trial } from "./lab.ts";

export const appsFolder: string = fileURLToPath(new URL("apps", import.meta.url));
const INSTALL_MS = 300_000;
const START_MS = 60_000;

/**
 * Installs the clients of npm that a folder beside this file names in a temporary folder, pinned by the lock file.
 * @throws Error with what npm said
 */
export async function installClients(name: string): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-clients-"));
  await cp(fileURLToPath(new URL(name, import.meta.url)), folder, { recursive: true });
  const done = await runProcess({ command: "npm", args: ["ci"], cwd: folder, timeoutMs: INSTALL_MS });
  if (done.code !== 0) throw new Error(`npm ci failed: ${done.output.slice(-2_000)}`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface RunningApp {
  stop(): Promise<void>;
  /** Everything that it said so far. */
  output(): string;
}

/** Starts an application and waits until it says that it listens. @throws Error with its output when it does not */
export async function startApp(
  [command, ...args]: Runner,
  { cwd, config }: { cwd: string; config: ClientConfig },
): Promise<RunningApp> {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    env: { ...process.env, CLIENT: JSON.stringify(config) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    const overdue = setTimeout(() => reject(new Error(`It does not start: ${output}`)), START_MS);
    const hear = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!/^ready$/mu.test(output)) return;
      clearTimeout(overdue);
      resolve();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => reject(new Error(`It ended: ${output}`)));
  });
  return {
    output: () => output,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const outcomeSchema = z.object({ isRenewed: z.boolean().optional(), isSignedOut: z.boolean().optional() });

function parse(body: string): unknown {
  try {
    const read: unknown = JSON.parse(body);
    return read;
  } catch {
    return assert.fail(`No JSON: ${body.slice(0, 2_000)}`);
  }
}

export interface WebApp {
  readonly name: string;
  /** Where the center may send browsers, below the application's address. */
  readonly callback?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Further members of what it says of the person. */
  readonly says?: Readonly<Record<string, unknown>>;
  readonly canRenew?: boolean;
  readonly canSignOut?: boolean;
  /** Where the center tells it of sign-outs, below the application's address. */
  readonly backchannel?: string;
  /** Where people sign out, below the application's address; by default /logout. */
  readonly signOutPath?: (url: string) => string;
  /** How a person begins; by default they open /login. */
  readonly begin?: (person: Person, url: string) => Promise<{ body: string; isAsked: boolean }>;
}

/** Signs in, and does what else the application can; resolves with what it did. */
async function drive(lab: Lab, { url }: ClientConfig, app: WebApp): Promise<string> {
  const { canRenew, canSignOut, signOutPath = () => "/logout" } = app;
  const begin = app.begin ?? ((one: Person, at: string) => one.enter(`${at}/login`));
  const person = lab.openPerson();
  const entered = await begin(person, url);
  assert.ok(entered.isAsked, `The center did not ask: ${entered.body.slice(0, 2_000)}`);
  const said = parse(entered.body);
  lab.checkClaims(said);
  for (const [name, value] of Object.entries(app.says ?? {}))
    assert.deepEqual(Reflect.get(Object(said), name), value, `${name} in ${entered.body}`);
  const done = ["signed in", "claims"];
  if (canRenew === true) {
    // The claims may have come with a renewal already.
    const renewed = entered.body.includes("isRenewed") ? entered : await person.enter(`${url}/renew`);
    assert.equal(outcomeSchema.parse(parse(renewed.body)).isRenewed, true, renewed.body);
    done.push("renewed");
  }
  if (app.backchannel !== undefined) {
    await person.signOut();
    // Until it is notified, it recognizes the browser by itself.
    await eventually(async () => (await begin(person, url)).isAsked);
    done.push("signed out by back-channel logout");
  }
  if (canSignOut === true) {
    const out = await person.enter(`${url}${signOutPath(url)}`);
    assert.equal(outcomeSchema.parse(parse(out.body)).isSignedOut, true, out.body);
    assert.equal((await begin(person, url)).isAsked, true, "the center still knows the browser");
    done.push("signed out at the center");
  } else {
    assert.equal((await begin(person, url)).isAsked, false, "a second sign-in asks again");
    done.push("signed in again without a password");
  }
  return done.join(", ");
}

/** Starts what is tried; resolves with how to end it, and with what it said. */
export type StartApp = (config: ClientConfig) => Promise<RunningApp>;

/** An application that `runner` runs in `cwd`. */
export function toStart(file: string, { runner, cwd }: { runner: Runner; cwd: string }): StartApp {
  const [command, ...args] = runner;
  return (config) => startApp([command, ...args, file], { cwd, config });
}

/** Creates the trial of an application. */
export function toTrial(app: WebApp, start: StartApp): Trial {
  return {
    name: app.name,
    run: async (lab) => {
      const config = await lab.register(app.name.toLowerCase().replaceAll(" ", "-"), (url) => ({
        redirectUris: [`${url}${app.callback ?? "/callback"}`],
        postLogoutRedirectUris: [`${url}/bye`],
        ...(app.backchannel === undefined ? {} : { backchannelLogoutUri: url + app.backchannel }),
        ...app.fields,
      }));
      const running = await start(config);
      try {
        return await drive(lab, config, app);
      } catch (error) {
        throw new Error(`${textOf(error)}\n${running.output()}`, { cause: error });
      } finally {
        await running.stop();
      }
    },
  };
}

/** As the sign-in page of Auth.js does. */
async function beginAuthJs(
  person: Person,
  { url, base }: { url: string; base: string },
): ReturnType<Person["enter"]> {
  const { body } = await person.enter(`${url}${base}/csrf`);
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(parse(body));
  return person.enter(`${url}${base}/signin/trivet`, { csrfToken, callbackUrl: url });
}

/** The clients of npm that run on a server. */
export const npmApps: readonly (WebApp & { readonly file: string })[] = [
  { name: "openid-client", file: "openid-client.mjs", canRenew: true, canSignOut: true },
  { name: "oauth4webapi", file: "oauth4webapi.mjs", canRenew: true },
  { name: "express-openid-connect", file: "express-openid-connect.mjs", canRenew: true, canSignOut: true },
  {
    name: "passport-openidconnect",
    file: "passport-openidconnect.mjs",
    // It sends no challenge.
    fields: { requirePkce: false },
  },
  {
    name: "next-auth",
    file: "next-auth.mjs",
    callback: "/api/auth/callback/trivet",
    begin: (person, url) => beginAuthJs(person, { url, base: "/api/auth" }),
  },
  {
    name: "auth-express",
    file: "auth-express.mjs",
    callback: "/auth/callback/trivet",
    begin: (person, url) => beginAuthJs(person, { url, base: "/auth" }),
  },
  {
    name: "auth-core",
    file: "auth-core.mjs",
    callback: "/auth/callback/trivet",
    says: { acr: "aal1", amr: ["pwd"] },
    begin: (person, url) => beginAuthJs(person, { url, base: "/auth" }),
  },
  { name: "better-auth", file: "better-auth.mjs", callback: "/api/auth/callback/trivet" },
  {
    name: "grant",
    file: "grant.mjs",
    callback: "/connect/trivet/callback",
    begin: (person, url) => person.enter(`${url}/connect/trivet`),
  },
  { name: "simple-oauth2", file: "simple-oauth2.mjs", canRenew: true },
];
