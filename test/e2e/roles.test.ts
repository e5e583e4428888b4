/** A person of each built-in role walks each console in Chromium: the sections of their roles, and no others. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { builtInRoles } from "../../src/auth/base/role-schema.ts";
import { isAdminScope, opensAdminScope } from "../../src/records/rights/scopes.ts";
import { launchBrowser } from "../support/browser/launch.ts";
import { findFreePort } from "../support/free-ports.ts";
import { type Programs, createPrograms } from "../support/program.ts";
import { ADMIN_TOKEN } from "./site.ts";
import { withPage } from "./watched-page.ts";

const PASSWORD = "correct horse battery staple";
const consoles = [
  { service: "auth", base: "/auth" },
  { service: "shop", base: "/shop" },
  { service: "monitor", base: "" },
] as const;

/** What who only reads may press. */
const readers: ReadonlySet<string> = new Set([
  "Sign out",
  "Refresh",
  "nginx",
  "Caddy",
  "Traefik",
  "Copy",
  "Run test",
]);
/** Sections that show no button that changes anything to people whose roles only read, and the scope of changes. */
const readOnly: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  monitor: {
    channels: "alerts:write",
    maintenance: "alerts:write",
    rules: "alerts:write",
    servers: "servers:write",
    settings: "monitor-settings:write",
  },
};
/** Their contents. */
const kept = [
  ["/api/admin/channels", { type: "ntfy", topic: "fleet" }],
  ["/api/admin/alert-rules", { kind: "offline" }],
  [
    "/api/admin/maintenances",
    { scope: { type: "all" }, schedule: { type: "weekly", days: [7], from: "02:00", to: "04:00" } },
  ],
] as const;
const changing = /^(?:Add|Schedule|Edit|Delete|Save|Send test)\b/u;

interface Section {
  readonly name: string;
  readonly scope: string;
}

async function readSections(service: string): Promise<Section[]> {
  const source = await readFile(new URL(`../../src/web/${service}/sections.tsx`, import.meta.url), "utf8");
  return [...source.matchAll(/name: "([a-z-]+)",\s+(?:label: "[\w.-]+",\s+)?scope: "([\w:-]+)"/gu)].map(
    ([, name = "", scope = ""]) => ({ name, scope }),
  );
}

function isOpen(scopes: "all" | readonly string[], needed: string): boolean {
  if (scopes === "all") return true;
  return isAdminScope(needed) && opensAdminScope(new Set(scopes.filter(isAdminScope)), needed);
}

const listShown = (page: Page): Promise<string[]> =>
  page.evaluate(
    `[...document.querySelectorAll("nav.admin-nav a")].map(({ pathname }) => pathname.split("/admin/")[1])`,
  );

/** Says that the person's roles do not open a page, in place of its form. */
async function assertClosed(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByText("You don’t have access to this section").waitFor();
  assert.equal(await page.getByRole("main").locator("form, input").count(), 0, path);
}

describe("roles in the consoles", () => {
  let browser: Browser;
  let programs: Programs;
  let origin = "";

  async function send(method: string, path: string, body: object): Promise<{ id: string }> {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  }

  const admin = (method: string, path: string, body: object): Promise<{ id: string }> =>
    send(method, `/auth${path}`, body);

  before(async () => {
    const port = await findFreePort();
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms()]);
    origin = `http://127.0.0.1:${port}`;
    const off = { MONITOR_PORT: "off", AUTH_PORT: "off", SHOP_PORT: "off" };
    const program = programs.run({ ...off, ADMIN_TOKEN, LOG_LEVEL: "warn", GATEWAY_PORT: String(port) });
    await program.find(new RegExp(`gateway +${origin}`, "u"));
    for (const [path, fields] of kept) await send("POST", path, { ...fields, name: "Kept for reading" });
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  async function signIn(page: Page, username: string): Promise<void> {
    await page.goto("/auth/sign-in");
    await page.getByLabel("Username or email address").fill(username);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(/\/auth\/account/u);
  }

  /** Opens the console as the person; the monitor sends no request for unknown visitors. */
  async function enter(page: Page, service: string, base: string): Promise<void> {
    await page.goto(service === "shop" ? `${base}/sign-in?rd=%2Fadmin` : `${base}/admin`);
    if (service === "monitor") await page.getByRole("link", { name: "Sign in with your account" }).click();
  }

  for (const [role, { scopes }] of builtInRoles)
    it(`shows the role ${role} what its scopes open, and nothing is refused there`, async (test) => {
      const username = `one-${role}`;
      const fields = { username, email: `${username}@example.org`, password: PASSWORD, emailVerified: true };
      const { id } = await admin("POST", "/api/admin/users", fields);
      await admin("PUT", `/api/admin/users/${id}/roles`, { roles: [role] });
      await withPage(browser, { name: test.name, baseURL: origin }, async ({ page, allow }) => {
        // The monitor asks who came back from the center without a session.
        allow(/401 \(Unauthorized\)[^]*\/api\/admin\/auth/u);
        allow(/Blocked script execution in '[^']*\/mail/u);
        await signIn(page, username);
        const refused: string[] = [];
        page.on("response", (response) => {
          if (response.status() === 403) refused.push(new URL(response.url()).pathname);
        });
        for (const { service, base } of consoles) {
          const sections = await readSections(service);
          assert.ok(sections.length > 10, service);
          const open = sections.filter(({ scope }) => isOpen(scopes, scope)).map(({ name }) => name);
          await enter(page, service, base);
          if (open.length === 0) {
            await page
              .getByText(/You’re signed in as|doesn’t|may not|not allowed/u)
              .first()
              .waitFor();
            assert.deepEqual(await listShown(page), [], service);
            continue;
          }
          await page.locator("nav.admin-nav a").first().waitFor();
          assert.deepEqual(await listShown(page), open, service);
          // An owner may do what an administrator may.
          for (const name of role === "owner" ? [] : open) {
            // Within the page: loading it again for each section would take a minute.
            await page.locator(`nav.admin-nav a[href="${base}/admin/${name}"]`).click();
            await page.locator(`nav.admin-nav a[aria-current][href$="/${name}"]`).waitFor();
            await page.locator("main h1").first().waitFor();
            await page.locator("main .empty", { hasText: /…$/u }).first().waitFor({ state: "detached" });
            const write = readOnly[service]?.[name];
            if (write === undefined) continue;
            await page.locator("main form, main li").first().waitFor();
            const buttons = await page.getByRole("main").getByRole("button", { name: changing }).count();
            assert.equal(buttons > 0, isOpen(scopes, write), `${service} ${name}: ${buttons} buttons`);
          }
          const closed = sections.find(({ name }) => !open.includes(name));
          if (closed === undefined) continue;
          await page.goto(`${base}/admin/${closed.name}`);
          await page.getByText("You don’t have access to this section").waitFor();
        }
        assert.deepEqual(refused, []);
      });
    });

  it("shows who may only read the fields of records, and no way to change them", async (test) => {
    const fields = {
      username: "reader",
      email: "reader@example.org",
      password: PASSWORD,
      emailVerified: true,
    };
    const { id } = await admin("POST", "/api/admin/users", fields);
    await admin("PUT", `/api/admin/users/${id}/roles`, { roles: ["viewer"] });
    await admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
    const made = await fetch(`${origin}/shop/api/admin/coupons`, {
      method: "POST",
      headers: { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" },
      body: JSON.stringify({ code: "SPRING", kind: "percent", value: 1_000 }),
    });
    assert.equal(made.status, 201);
    await withPage(browser, { name: test.name, baseURL: origin }, async ({ page }) => {
      await signIn(page, "reader");
      await enter(page, "shop", "/shop");
      await page.goto("/shop/admin/coupons");
      assert.ok(await page.getByRole("switch", { name: "SPRING is active" }).isDisabled());
      assert.equal(await page.getByRole("link", { name: "Create coupon" }).count(), 0);
      await page.getByRole("link", { name: "SPRING" }).click();
      const code = page.getByLabel("Discount code", { exact: true });
      await code.waitFor();
      assert.deepEqual([await code.isDisabled(), await code.inputValue()], [true, "SPRING"]);
      for (const name of ["Delete", "Save"])
        assert.equal(await page.getByRole("button", { name }).count(), 0);
      // Nor does the address of a new one open its form.
      for (const path of ["coupons/new", "products/new", "shipping/new"])
        await assertClosed(page, `/shop/admin/${path}`);
      await enter(page, "monitor", "");
      await page.locator("nav.admin-nav a").first().waitFor();
      for (const path of ["checks/new", "checks/import", "servers/reorder", "status/new"])
        await assertClosed(page, `/admin/${path}`);
      await enter(page, "auth", "/auth");
      await page.goto("/auth/admin/groups/family");
      await page.getByRole("heading", { level: 1, name: "Family" }).waitFor();
      for (const name of ["Edit group", "Delete"])
        assert.equal(await page.getByRole("button", { name }).count(), 0);
    });
  });

  it("shows the role viewer no button that changes anything in the console of accounts", async ({ name }) => {
    const fields = {
      username: "viewing",
      email: "viewing@example.org",
      password: PASSWORD,
      emailVerified: true,
    };
    const { id } = await admin("POST", "/api/admin/users", fields);
    await admin("PUT", `/api/admin/users/${id}/roles`, { roles: ["viewer"] });
    await admin("POST", "/api/admin/groups", { id: "friends", title: "Friends" });
    await admin("POST", "/api/admin/roles", { name: "Packers", scopes: ["orders:write"] });
    const waiting = await admin("POST", "/api/admin/users", {
      username: "suspended",
      email: "suspended@example.org",
      password: PASSWORD,
      emailVerified: false,
    });
    await admin("POST", `/api/admin/users/${waiting.id}/suspend`, { reason: "Spam" });
    const origins = ["https://notes.example.org"];
    await admin("POST", "/api/admin/clients", { id: "notes", name: "Notes", protectedOrigins: origins });
    await admin("POST", "/api/admin/upstreams", {
      id: "google",
      title: "Google",
      issuer: "https://accounts.google.com",
      clientId: "abc",
    });
    const scopes = [{ name: "photos:read", title: "See your photos" }];
    const photos = { identifier: "https://api.example.org", title: "Photos", scopes };
    const resource = await admin("POST", "/api/admin/resources", photos);
    const places = [
      "roles",
      "groups",
      "groups/friends",
      "invites",
      "applications",
      "applications/notes",
      "users",
      `users/${id}`,
      `users/${waiting.id}`,
      "approvals",
      ...["registration", "access", "mail", "branding"].map((tab) => `settings?tab=${tab}`),
      "providers",
      "providers/google",
      "resources",
      `resources/${resource.id}`,
    ];
    await withPage(browser, { name, baseURL: origin }, async ({ page }) => {
      await signIn(page, "viewing");
      await enter(page, "auth", "/auth");
      for (const place of places) {
        await page.goto(`/auth/admin/${place}`);
        await page.locator("main h1").first().waitFor();
        await page.locator("main .empty", { hasText: /…$/u }).first().waitFor({ state: "detached" });
        const buttons = page.locator("main button:enabled:visible, main a.button:visible");
        const texts = (await buttons.allInnerTexts()).filter((label) => !readers.has(label.trim()));
        assert.deepEqual(texts, [], place);
        const fields = page.locator(":is(form, dialog) :is(input, select, textarea):enabled");
        assert.equal(await fields.count(), 0, place);
      }
    });
  });
});
