/** Fresh verification in the console of accounts, in Chromium: the action continues after it. */
import { describe, it } from "node:test";
import { PASSWORD, createAccountsRoom } from "./accounts-room.ts";

describe("the console of accounts where a sign-in is old", () => {
  const room = createAccountsRoom();

  it("asks for a fresh proof before it adds an application or gives a secret, and goes on with it", async ({
    name,
  }) => {
    await room.page({ name }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of (?:401|403)/u);
      await page.goto("/admin/audit");
      await page.getByRole("link", { name: "Sign in with your account" }).click();
      await page.getByLabel("Username or email address").fill("ann");
      await page.getByLabel("Password").fill(PASSWORD);
      await page.getByRole("main").getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL("**/admin/audit");
      let isOld = true;
      // The center's own clock cannot be moved from here: until the proof it answers as if the sign-in were long ago.
      await page.route(/\/api\/admin\/(?:clients|invites)/u, async (route) => {
        if (!isOld || route.request().method() === "GET") return route.continue();
        const body = JSON.stringify({ code: "reauth_required", title: "A recent sign-in is required" });
        return route.fulfill({ status: 403, contentType: "application/problem+json", body });
      });
      const prove = async (): Promise<void> => {
        const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
        await proof.getByLabel("Password").fill(PASSWORD);
        isOld = false;
        await proof.getByRole("button", { name: "Confirm" }).click();
        await proof.waitFor({ state: "detached" });
        isOld = true;
      };
      await page.goto("/admin/applications");
      await page.getByRole("button", { name: "Add application" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Your own code" }).click();
      await dialog.getByLabel("Name").fill("Proved");
      await dialog.getByLabel("Callback URL").fill("https://proved.example.org/callback");
      await dialog.getByRole("button", { name: "Add application" }).click();
      await prove();
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.waitForURL("**/admin/applications/proved");
      await page.getByRole("button", { name: "Rotate secret" }).click();
      await dialog.getByRole("button", { name: "Rotate secret" }).click();
      await prove();
      await dialog.getByRole("textbox", { name: "Client secret" }).waitFor();
      await room.admin("DELETE", "/api/admin/clients/proved", {});
    });
  });
});
