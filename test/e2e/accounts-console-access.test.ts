/** Roles and resources in the console of accounts in Chromium: created, changed and deleted by who may, read by others. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAccountsRoom } from "./accounts-room.ts";
import { signIn } from "./admin-view.ts";
import { assertNoBarriers } from "./axe.ts";

function isList(value: unknown): value is { items: readonly Record<string, unknown>[] } {
  return typeof value === "object" && value !== null && "items" in value;
}

describe("roles and resources in the console of accounts", () => {
  const room = createAccountsRoom();

  async function list(path: string): Promise<readonly Record<string, unknown>[]> {
    const answer = await room.get(path);
    assert.ok(isList(answer));
    return answer.items;
  }

  it("creates a role, says what is missing, changes it and deletes it, in place", async (test) => {
    await room.page({ name: test.name }, async ({ page }) => {
      await signIn(page, "/admin/roles");
      await page.getByRole("button", { name: "Create role" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create role" }).click();
      await dialog.getByText("Enter a name").waitFor();
      await dialog.getByText("Select at least one permission").waitFor();
      await dialog.getByLabel("Name").fill("Packers");
      await dialog.getByRole("combobox", { name: "Orders" }).selectOption({ label: "Read and write" });
      await assertNoBarriers(page, { test, what: "the dialog of a role" });
      await dialog.getByRole("button", { name: "Create role" }).click();
      await dialog.waitFor({ state: "detached" });
      const row = page.getByRole("row").filter({ hasText: "Packers" });
      await row.getByText("Orders: Read and write").waitFor();
      await row.getByRole("button", { name: "Edit" }).click();
      await dialog.getByRole("combobox", { name: "Products" }).selectOption({ label: "Read" });
      await dialog.getByRole("button", { name: "Save" }).click();
      await row.getByText("Orders: Read and write · Products: Read").waitFor();
      const made = (await list("/api/admin/roles")).find(({ name }) => name === "Packers");
      assert.deepEqual(made?.["scopes"], ["orders:write", "products:read"]);
      await row.getByRole("button", { name: "Delete" }).click();
      await dialog.getByRole("button", { name: "Delete" }).click();
      await row.waitFor({ state: "detached" });
    });
  });

  it("registers a resource with scopes, changes them, and keeps one that an application lists", async (test) => {
    await room.page({ name: test.name, viewport: { width: 390, height: 844 } }, async ({ page, allow }) => {
      await signIn(page, "/admin/resources");
      await page.getByText("No registered resources").waitFor();
      await assertNoBarriers(page, { test, what: "no resources" });
      await page.getByRole("link", { name: "Register resource" }).first().click();
      await page.getByLabel("Name").fill("Photo library");
      await page.getByLabel("Identifier").fill("not a uri");
      await page.getByRole("button", { name: "Add scope" }).click();
      await page.getByLabel("Scope", { exact: true }).fill("photos:read");
      await page.getByLabel("Description").fill("See your photos");
      allow(/status of 422/u);
      await page.getByRole("button", { name: "Register resource" }).click();
      await page.locator(".field-error").waitFor();
      assert.equal(await page.getByLabel("Identifier").getAttribute("aria-invalid"), "true");
      await page.getByLabel("Identifier").fill("https://api.example.org");
      await page.getByRole("button", { name: "Register resource" }).click();
      await page.getByRole("heading", { name: "Photo library" }).waitFor();
      await page.getByRole("button", { name: "Add scope" }).click();
      await page.getByLabel("Scope", { exact: true }).nth(1).fill("photos:write");
      await page.getByLabel("Description").nth(1).fill("Change your photos");
      await assertNoBarriers(page, { test, what: "a resource" });
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("No unsaved changes").waitFor();
      const [stored] = await list("/api/admin/resources");
      assert.deepEqual(stored?.["scopes"], [
        { name: "photos:read", title: "See your photos" },
        { name: "photos:write", title: "Change your photos" },
      ]);
      const application = { id: "viewer", name: "Viewer", resources: [{ id: "https://api.example.org" }] };
      await room.admin("POST", "/api/admin/clients", application);
      allow(/status of 409/u);
      await page.getByRole("button", { name: "Delete", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("alert").waitFor();
      assert.equal((await list("/api/admin/resources")).length, 1);
    });
  });

  it("gives applications and groups claims of their own", async (test) => {
    await room.admin("POST", "/api/admin/clients", { id: "cloud", name: "Cloud" });
    await room.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    await room.page({ name: test.name, viewport: { width: 390, height: 844 } }, async ({ page, allow }) => {
      const dialog = page.getByRole("dialog");
      await signIn(page, "/admin/applications/cloud");
      await page.getByRole("button", { name: "Add claim" }).click();
      await page.getByLabel("Name of claim 1").fill("sub");
      await page.getByLabel("Value of claim 1").fill("{{user.email}}");
      allow(/status of 422/u);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("such as sub or email, are reserved").first().waitFor();
      await page.getByLabel("Name of claim 1").fill("preferred_username");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("No unsaved changes").waitFor();
      await assertNoBarriers(page, { test, what: "claims of an application" });
      const application = await room.get("/api/admin/clients/cloud");
      assert.deepEqual(Object(application)["claims"], { preferred_username: "{{user.email}}" });

      await page.goto("/admin/groups/staff");
      await page.getByRole("button", { name: "Edit group" }).click();
      for (const [index, [name, value]] of [
        ["quota", "50"],
        ["teams", '["red", "blue"]'],
      ].entries()) {
        await dialog.getByRole("button", { name: "Add claim" }).click();
        await dialog.getByLabel(`Name of claim ${index + 1}`).fill(String(name));
        await dialog.getByLabel(`Value of claim ${index + 1}`).fill(String(value));
      }
      await dialog.getByRole("button", { name: "Save" }).click();
      await dialog.waitFor({ state: "detached" });
      const group = await room.get("/api/admin/groups/staff");
      assert.deepEqual(Object(group)["claims"], { quota: 50, teams: ["red", "blue"] });
    });
  });
});
