/** Accounts in their console: what is done to one, and to many, without the API. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PASSWORD, createAccountsRoom } from "./accounts-room.ts";
import { signIn } from "./admin-view.ts";

describe("accounts in the console", () => {
  const room = createAccountsRoom();
  const { admin } = room;

  it("does to one account what the API does, words each refusal at its field, and asks before what is not undone", async ({
    name,
  }) => {
    await room.page({ name, locale: "de-DE" }, async (watched) => {
      const { page } = watched;
      watched.allow(/status of (?:409|422)/u);
      const dialog = page.getByRole("dialog");
      const press = (label: string): Promise<void> =>
        dialog.getByRole("button", { name: label, exact: true }).click();
      const choose = async (label: string): Promise<void> => {
        await page.getByRole("button", { name: "Weitere Aktionen" }).click();
        await page.getByRole("menuitem", { name: label }).click();
      };
      const gone = (): Promise<void> => dialog.waitFor({ state: "detached" });
      await signIn(page, `/admin/users/${room.carl()}`);
      await page.getByRole("button", { name: "Bearbeiten", exact: true }).click();
      await dialog.getByLabel("E-Mail-Adresse").fill("nowhere");
      await press("Speichern");
      await dialog.getByText("Geben Sie eine gültige E-Mail-Adresse ein").waitFor();
      await dialog.getByLabel("E-Mail-Adresse").fill("bob@example.org");
      await press("Speichern");
      await dialog.getByText("Ein anderes Konto hat diese Adresse").waitFor();
      await dialog.getByLabel("E-Mail-Adresse").fill("carl@home.example");
      await press("Speichern");
      await gone();
      await page.getByRole("button", { name: "Profil bearbeiten" }).click();
      await dialog.getByLabel("Anzeigename").fill("Carl C.");
      await press("Speichern");
      await page.getByText("Carl C.").waitFor();
      await page.getByRole("button", { name: "Adresse hinzufügen" }).click();
      await dialog.getByLabel("Adresse", { exact: true }).fill("carl@work.example");
      await press("Adresse hinzufügen");
      await page.getByRole("button", { name: "Als bestätigt markieren carl@work.example" }).click();
      await page.getByText("E-Mail-Adresse hinzugefügt").waitFor();
      await page.getByRole("button", { name: "Entfernen carl@work.example" }).click();
      await press("Entfernen");
      await gone();
      await choose("Punkte ändern");
      await dialog.getByLabel("Punkte dazu").fill("-1");
      await press("Speichern");
      await dialog.getByText("Abziehen lassen sich höchstens 0 Punkte").waitFor();
      await dialog.getByLabel("Punkte dazu").fill("20");
      await dialog.getByLabel("Grund").fill("Quiz");
      await press("Speichern");
      await gone();
      await choose("Zum Administrator machen");
      await press("Zum Administrator machen");
      await page.locator(".badge", { hasText: "Administrator" }).waitFor();
      await choose("Endgültig löschen");
      await dialog.getByRole("textbox").fill("carl");
      await press("Endgültig löschen");
      await page.waitForURL("**/admin/users");
      await page.getByRole("link", { name: "bob" }).waitFor();
      assert.equal(await page.getByRole("link", { name: "carl", exact: true }).count(), 0);
    });
  });

  it("creates an account, whose link is shown once, and rejects many pending ones", async ({ name }) => {
    await admin("PATCH", "/api/admin/settings/registration", {
      mode: "approval",
      emailVerification: "optional",
    });
    for (const username of ["dan", "eve"]) {
      const account = { username, email: `${username}@example.org`, password: PASSWORD };
      await admin("POST", "/api/auth/register", account);
    }
    await room.page({ name }, async ({ page }) => {
      const dialog = page.getByRole("dialog");
      await signIn(page, "/admin/approvals");
      for (const who of ["dan", "eve"]) await page.getByRole("checkbox", { name: `Select ${who}` }).check();
      await page.getByRole("region").getByRole("button", { name: "Reject" }).click();
      await dialog.getByLabel("Reason").fill("Members only");
      await dialog.getByRole("button", { name: "Reject" }).click();
      await page.getByText("No pending approvals").waitFor();
      await page.getByRole("link", { name: "Users" }).click();
      await page.getByRole("button", { name: "Create user" }).click();
      await dialog.getByLabel("Username").fill("fay");
      await dialog.getByLabel("Email address", { exact: true }).fill("fay@example.org");
      await dialog.getByRole("button", { name: "Create user" }).click();
      assert.match(await dialog.getByRole("textbox", { name: "Link" }).innerText(), /^rst_/u);
      await dialog.getByRole("button", { name: "Done" }).click();
      await page.getByRole("link", { name: "fay" }).waitFor();
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Sign out all users" }).click();
      await dialog.getByRole("button", { name: "Sign out all users" }).click();
      await page.getByRole("textbox", { name: "Administrator token" }).waitFor();
    });
  });
});
