/** The auth center with some accounts and a browser, for the tests of its console. */
import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { type PageOptions, type WatchedPage, withPage } from "./watched-page.ts";

/** Of every account. */
export const PASSWORD = "correct horse battery staple";

export interface AccountsRoom {
  /** Sends a request as administrator; resolves with the answer. */
  admin(method: string, path: string, body: object): Promise<unknown>;
  /** What a path answers to an administrator. */
  get(path: string): Promise<unknown>;
  /** The id of carl's account. */
  carl(): string;
  /** Runs a test in a fresh page. */
  page(
    options: Omit<PageOptions, "baseURL"> & { name: string },
    work: (watched: WatchedPage) => Promise<void>,
  ): Promise<void>;
}

/** Prepares it before the tests of a suite, with ann, who administers, bob and carl, and stops it after them. */
export function createAccountsRoom(): AccountsRoom {
  let browser: Browser;
  let programs: Programs;
  let url = "";
  let carl = "";

  async function admin(method: string, path: string, body: object): Promise<unknown> {
    const response = await fetch(url + path, {
      method,
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    assert.ok(response.ok, `${path}: ${response.status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }

  async function get(path: string): Promise<unknown> {
    const response = await fetch(url + path, { headers: { "x-admin-token": ADMIN_TOKEN } });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.json();
  }

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
    url = await programs.authUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
    for (const [username, role] of [
      ["ann", "admin"],
      ["bob", "user"],
      ["carl", "user"],
    ]) {
      const account = { username, email: `${username}@example.org`, password: PASSWORD };
      const made = await admin("POST", "/api/admin/users", { ...account, role, emailVerified: true });
      if (typeof made === "object" && made !== null && "id" in made) carl = String(made.id);
    }
    const mail = { username: "carla", email: "carla@example.org", password: PASSWORD };
    await admin("POST", "/api/auth/register", mail);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  return {
    admin,
    get,
    carl: () => carl,
    page: (options, work) => withPage(browser, { ...options, baseURL: url }, work),
  };
}
