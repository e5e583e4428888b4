/** Administration as a test speaks of it. */
import type { Page } from "playwright-core";
import { ADMIN_TOKEN } from "./site.ts";

/** Signs in with the administrator token and waits for the sections. */
export async function signIn(page: Page, path = "/admin"): Promise<void> {
  await page.goto(path);
  await page.locator("input[name=token]").fill(ADMIN_TOKEN);
  await page.keyboard.press("Enter");
  await page.locator("input[name=token]").waitFor({ state: "detached" });
}

/** Signs in without the form: the session's cookie comes into the page's context, and the page's own mark of it. */
export async function signInBehind(page: Page): Promise<void> {
  await page.context().addInitScript({ content: 'localStorage.setItem("admin-signed-in", "1")' });
  const answer = await page.context().request.post("/api/admin/auth", { data: { token: ADMIN_TOKEN } });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}`);
}
