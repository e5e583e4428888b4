/** A whole auth center without ports: store in memory (or one that is given), cheap hashes, and every answer checked against the OpenAPI document. */
import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import type { Caller } from "../../src/auth/base/caller.ts";
import { type NewAccount, createAccount } from "../../src/auth/accounts/accounts.ts";
import { type Auth, createAuth } from "../../src/auth/app/auth.ts";
import { type AuthAppOptions, createAuthApp } from "../../src/auth/app/app.ts";
import { authCollections } from "../../src/auth/app/records.ts";
import {
  type SettingsGroup,
  type SettingsOf,
  readSettings,
  replaceSettings,
} from "../../src/auth/settings/settings.ts";
import type { UserRecord } from "../../src/auth/accounts/schema.ts";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { loadCommonPasswords } from "../../src/auth/passwords/common-passwords.ts";
import { createHealth } from "../../src/kit/observe/health.ts";
import { type Log, silentLog } from "../../src/kit/observe/log.ts";
import type { Outbound } from "../../src/kit/outbound/outbound.ts";
import type { MailSender } from "../../src/kit/mail/mail.ts";
import { loadConsoleAssets, loadPageAssets } from "../../src/kit/http/web-assets.ts";
import { createMetrics } from "../../src/kit/observe/metrics.ts";
import { createOutbox } from "../../src/records/outbox.ts";
import { type PasswordHasher, createPasswordHasher } from "../../src/auth/base/hashing/password-hash.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { createContract } from "../contract/openapi-contract.ts";
import { type FixedClock, createFixedClock } from "../support/fixed-clock.ts";

export const ADMIN_TOKEN = "adm_test-token-of-the-suite";
/** A password that every policy takes. */
export const PASSWORD = "correct horse battery staple";

export const testCaller: Caller = {
  clientId: "test",
  clientAddress: "192.0.2.1",
  ipPrefix: "192.0.2.0/24",
  userAgent: "test",
  requestId: "request-of-a-test",
};

/** The least that argon2 takes: tests are about logic. */
const cheap = { memoryKiB: 8, passes: 1, lanes: 1 };
// Awaited where an app is made: a module that waits while it loads keeps others from sharing its process.
const commonPasswords = loadCommonPasswords();
const pageAssets = loadPageAssets();
const consoleAssets = loadConsoleAssets("auth");

export interface SignedIn {
  readonly user: UserRecord;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export interface RequestOptions {
  /** A JSON body. */
  readonly body?: unknown;
  /** Access token. */
  readonly token?: string | undefined;
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestApp {
  readonly auth: Auth;
  readonly clock: FixedClock;
  readonly store: Store;
  /** Sends any request and checks the answer against the document. */
  fetch(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Sends any request, such as for a page, which no document describes. */
  raw(path: string, init?: RequestInit & { from?: string }): Promise<Response>;
  /** Sends JSON, as the holder of `token` when told. */
  send(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** The same as administrator. */
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  /** Stores an account (verified, active, password PASSWORD unless told) and signs it in. */
  signUp(username: string, more?: Partial<NewAccount>): Promise<SignedIn>;
  /** Opens a further session. */
  signIn(user: UserRecord): Promise<SignedIn>;
  /** Changes some fields of a group of settings. */
  set<G extends SettingsGroup>(group: G, fields: Partial<SettingsOf<G>>): Promise<void>;
  /** The texts of the mails to an address, the newest first. */
  mailsTo(address: string): Promise<string[]>;
  /** The code in the newest mail to an address that has one. */
  codeFor(address: string): Promise<string>;
  /** The code that an authenticator app with this secret shows now. */
  totp(secret: string): string;
  document(): Promise<unknown>;
}

export interface TestAppOptions extends Partial<AuthAppOptions> {
  readonly store?: Store;
  readonly clock?: FixedClock;
  readonly sender?: MailSender;
  readonly backchannel?: Outbound;
  readonly log?: Log;
  readonly hasher?: PasswordHasher;
  /** Public addresses alone unless told. */
  readonly outbound?: Outbound;
  /** No wait unless told. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** Status and code of a problem document. */
export async function code(response: Response): Promise<[number, string]> {
  const problem: { code: string } = await response.json();
  return [response.status, problem.code];
}

export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? createFixedClock();
  const store = options.store ?? createMemoryStore({ collections: authCollections });
  const log = options.log ?? silentLog;
  const box = createSecretBox("a secret of the test suite, long enough");
  const outbox = createOutbox({ store, clock, log, box, sender: () => options.sender });
  const hasher = options.hasher ?? createPasswordHasher({ cost: cheap });
  const { publicUrl } = options;
  const issuer = publicUrl ?? "http://localhost";
  const pause = options.pause ?? (() => Promise.resolve());
  const auth = createAuth({
    store,
    clock,
    log,
    box,
    outbox,
    hasher,
    isCommonPassword: await commonPasswords,
    issuer,
    pause,
    publicUrl,
    outbound: options.outbound,
    backchannel: options.backchannel,
  });
  const app = createAuthApp(auth, {
    version: "0.0.0",
    log,
    clock,
    metrics: createMetrics(),
    health: createHealth({ version: "0.0.0", clock, checks: { store: () => store.check() } }),
    assets: await pageAssets,
    consoleAssets: await consoleAssets,
    consoles: [],
    tokenHashes: [hashSecret(ADMIN_TOKEN)],
    metricsPublic: false,
    allowedOrigins: [],
    trustedProxies: [],
    ...options,
  });
  const contract = createContract(app, "auth");

  const origin = options.publicUrl || "http://localhost";
  const raw: TestApp["raw"] = async (path, { from = "192.0.2.1", ...init } = {}) =>
    app.fetch(new Request(`${origin}${path}`, init), { remoteAddress: from });
  const fetch: TestApp["fetch"] = async (path, init = {}) => {
    const response = await raw(path, init);
    await contract.check({ method: init.method ?? "GET", path }, response.clone());
    return response;
  };
  const send: TestApp["send"] = (method, path, { body, token, from, headers } = {}) =>
    fetch(path, {
      method,
      ...(from === undefined ? {} : { from }),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const signIn: TestApp["signIn"] = (user) =>
    store.transact(async (tx) => {
      const tokens = await auth.sessions.open(tx, { user, caller: testCaller, amr: ["pwd"] });
      return { user, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken };
    });

  return {
    auth,
    clock,
    store,
    fetch,
    raw,
    send,
    admin: (method, path, body) => send(method, path, { body, headers: { "x-admin-token": ADMIN_TOKEN } }),
    signIn,
    signUp: async (username, more = {}) => {
      const passwordHash = await hasher.hash(PASSWORD);
      const user = await store.transact((tx) =>
        createAccount(tx, {
          username,
          email: `${username}@example.org`,
          emailVerifiedAt: clock.now(),
          passwordHash,
          registeredVia: { clientId: "test", mode: "open" },
          nowMs: clock.now(),
          ...more,
        }),
      );
      return signIn(user);
    },
    set: async (group, fields) => {
      // Not the bare one: it has no key for the audit entry.
      await auth.store.transact(async (tx) => {
        const before = (await readSettings(tx, group)).fields;
        const actor = { name: "test", clientId: "test", requestId: "test" };
        await replaceSettings(tx, { group, fields: { ...before, ...fields }, actor, clock });
      });
    },
    mailsTo: async (address) => {
      const { items } = await outbox.list({ limit: 100 });
      return items.filter(({ to }) => to === address).map(({ text }) => text);
    },
    codeFor: async (address) => {
      const { items } = await outbox.list({ limit: 100 });
      for (const { to, text } of items) {
        const found = /^ {4}(\d{4}) (\d{4})$/mu.exec(text);
        if (to === address && found !== null) return `${found[1]}${found[2]}`;
      }
      return assert.fail(`No mail with a code to ${address}`);
    },
    totp: (secret) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() }),
    document: async () => (await app.request("/openapi.json")).json(),
  };
}
