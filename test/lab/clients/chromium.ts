/** oidc-client-ts in a page of its own in Chromium: a public application without a server. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Trial, PASSWORD, USERNAME } from "./lab.ts";

const WAIT_MS = 20_000;

/** Creates the trial; `folder` has what npm installed. */
export function createChromiumTrial(folder: string): Trial {
  return {
    name: "oidc-client-ts in Chromium",
    run: async (lab) => {
      const client = await lab.register("oidc-client-ts", (url) => ({
        clientType: "public",
        redirectUris: [`${url}/callback`],
        postLogoutRedirectUris: [`${url}/bye`],
      }));
      const script = await readFile(
        join(folder, "node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js"),
      );
      const html = await readFile(join(folder, "oidc-client-ts.html"));
      const pages = createServer(({ url }, response) => {
        const isScript = url === "/oidc-client-ts.js";
        response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
        response.end(isScript ? script : html);
      }).listen(client.port, "127.0.0.1");
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage();
        page.setDefaultTimeout(WAIT_MS);
        const readSaid = async (): Promise<unknown> => {
          await page.waitForFunction('document.querySelector("#said")?.textContent?.startsWith("{")');
          const said: unknown = JSON.parse((await page.textContent("#said")) ?? "");
          return said;
        };
        const begin = `${client.url}/?client=${encodeURIComponent(JSON.stringify(client))}`;
        await page.goto(begin);
        await page.fill('input[name="identifier"]', USERNAME);
        await page.fill('input[name="password"]', PASSWORD);
        await page.press('input[name="password"]', "Enter");
        // Any program may listen on loopback: the person must consent.
        await page.click('main button[value="allow"]');
        await page.waitForURL(`${client.url}/callback*`);
        const said = await readSaid();
        lab.checkClaims(said);
        assert.match(JSON.stringify(said), /"isRenewed":true/u);
        await page.goto(`${client.url}/logout`);
        await page.waitForURL(`${client.url}/bye*`);
        assert.deepEqual(await readSaid(), { isSignedOut: true });
        await page.goto(begin);
        await page.waitForSelector('input[name="password"]');
        return "signed in, allowed, claims, renewed from another origin, signed out at the center";
      } finally {
        await browser.close();
        pages.close();
      }
    },
  };
}
