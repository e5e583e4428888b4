/** An application that wants its answer as a form, in a browser: the page sends itself, or its button does without scripts. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../support/browser/launch.ts";
import { type Programs, createPrograms } from "../support/program.ts";

const ADMIN_TOKEN = "adm_for-answers-as-forms";
const PASSWORD = "correct horse battery staple";

describe("an answer as a form", () => {
  let browser: Browser;
  let programs: Programs;
  let application: Server;
  let url = "";
  let redirectUri = "";
  const received: { method: string | undefined; fields: URLSearchParams }[] = [];

  async function admin(path: string, body: object): Promise<void> {
    const headers = { "x-admin-token": ADMIN_TOKEN, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(response.status, 201);
  }

  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
    url = await programs.authUrl(programs.run({ LOG_LEVEL: "warn", ADMIN_TOKEN }));
    application = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        if (request.url?.startsWith("/callback") === true)
          received.push({ method: request.method, fields: new URLSearchParams(body) });
        response.setHeader("content-type", "text/html").end("<!doctype html><title>Notes</title>");
      });
    });
    await once(application.listen(0, "127.0.0.1"), "listening");
    const address = application.address();
    redirectUri = `http://localhost:${typeof address === "object" ? address?.port : ""}/callback?tenant=1`;
    const account = { username: "ann", email: "ann@example.org", password: PASSWORD };
    await admin("/api/admin/users", { ...account, emailVerified: true });
    const client = { id: "notes", name: "Notes", redirectUris: [redirectUri], requirePkce: false };
    await admin("/api/admin/clients", { ...client, consent: "always" });
  });
  after(async () => {
    await browser?.close();
    application?.close();
    await programs?.dispose();
  });

  for (const javaScriptEnabled of [true, false])
    it(`comes to the application ${javaScriptEnabled ? "by itself" : "by the button, without scripts"}`, async () => {
      const context = await browser.newContext({ javaScriptEnabled, baseURL: url });
      const page = await context.newPage();
      const query = new URLSearchParams({
        response_type: "code",
        response_mode: "form_post",
        client_id: "notes",
        scope: "openid",
        redirect_uri: redirectUri,
        state: "s-1",
      });
      await page.goto(`/oauth/authorize?${query.toString()}`);
      await page.locator("input[name=identifier]").fill("ann");
      await page.locator("input[name=password]").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.locator("button[value=allow]").click();
      if (!javaScriptEnabled) await page.locator("main button").click();
      await page.waitForURL(redirectUri);
      const last = received.at(-1);
      assert.equal(last?.method, "POST");
      assert.match(last.fields.get("code") ?? "", /^cod_/u);
      assert.equal(last.fields.get("state"), "s-1");
      await context.close();
    });
});
