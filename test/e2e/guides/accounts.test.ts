/** docs/start-accounts.md in Chromium, word by word: a friend gets an account and may use one of two applications. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../support/browser/launch.ts";
import { type Programs, createPrograms } from "../../support/program.ts";
import { withPage } from "../watched-page.ts";
import { type Step, readGuide } from "./guide.ts";

async function signUp(friend: Page, step: Step): Promise<string> {
  await friend.goto(step.path());
  // The page names the field after what the guide types into it.
  const username = step.code();
  await friend.getByLabel(step.name()).fill(username);
  const address = step.code();
  await friend.getByLabel(step.name()).fill(address);
  await friend.getByLabel(step.name()).fill("correct horse battery staple");
  await friend.getByRole("button", { name: step.name() }).click();
  step.done();
  return address;
}

async function readCode(owner: Page, { step, address }: { step: Step; address: string }): Promise<string> {
  await owner.getByRole("link", { name: step.name(), exact: true }).click();
  assert.equal(step.code(), address);
  await owner.getByRole("row", { name: address }).getByRole("button").click();
  await owner.getByRole("button", { name: step.name() }).click();
  const mail = owner.getByRole("dialog").locator(".mail-text", { hasText: /\d{4} \d{4}/u });
  const code = /\d{4} \d{4}/u.exec(await mail.innerText())?.[0] ?? assert.fail("no code");
  await owner.getByRole("button", { name: step.name() }).last().click();
  step.done();
  return code;
}

interface Words {
  readonly open: string;
  readonly add: string;
  readonly name: string;
}

async function addGroup(owner: Page, group: string, { open, add, name }: Words): Promise<void> {
  const dialog = owner.getByRole("dialog");
  await owner.getByRole("link", { name: open, exact: true }).click();
  await owner.getByRole("button", { name: add }).click();
  await dialog.getByLabel(name).fill(group);
  await dialog.getByRole("button", { name: add }).click();
  await owner.getByRole("heading", { level: 1, name: group }).waitFor();
}

interface ApplicationWords extends Words {
  readonly behind: string;
  readonly address: string;
}

async function addApplication(
  owner: Page,
  { name, address, group }: { name: string; address: string; group: string },
  words: ApplicationWords,
): Promise<void> {
  const dialog = owner.getByRole("dialog");
  await owner.getByRole("link", { name: words.open, exact: true }).click();
  await owner.getByRole("button", { name: words.add }).click();
  await dialog.getByRole("button", { name: words.behind }).click();
  await dialog.getByLabel(words.name, { exact: true }).fill(name);
  await dialog.getByLabel(words.address).fill(address);
  await dialog.getByRole("checkbox", { name: group }).check();
  await dialog.getByRole("button", { name: words.add }).click();
  await owner.getByRole("heading", { level: 1, name }).waitFor();
}

describe("the guide to accounts", () => {
  let browser: Browser;
  let programs: Programs;
  before(async () => {
    [browser, programs] = await Promise.all([launchBrowser(), createPrograms(["auth"])]);
  });
  after(async () => {
    await browser?.close();
    await programs?.dispose();
  });

  it("ends with a friend who finds the one application, and not the other", async ({ name }) => {
    const guide = await readGuide("start-accounts.md");
    const program = programs.run({ LOG_LEVEL: "warn" });
    const url = await programs.authUrl(program);
    const [, tokenPath = ""] = await program.find(/administrator token is in (.+)\. Keep a copy/u);
    const token = (await readFile(tokenPath, "utf8")).trim();
    await withPage(browser, { name: `${name}, owner`, baseURL: url }, async ({ page: owner }) => {
      await withPage(browser, { name: `${name}, friend`, baseURL: url }, async ({ page: friend }) => {
        const address = await signUp(friend, guide.step());

        const signIn = guide.step();
        await owner.goto(signIn.path());
        await owner.getByRole("textbox", { name: signIn.name() }).fill(token);
        await owner.getByRole("button", { name: signIn.name(), exact: true }).click();
        signIn.done();

        const code = await readCode(owner, { step: guide.step(), address });
        const confirm = guide.step();
        await friend.getByLabel(confirm.name()).fill(code);
        await friend.getByRole("button", { name: confirm.name() }).click();
        confirm.done();

        const group = guide.step();
        const open = group.name();
        const add = group.name();
        const family = group.code();
        const words = { open, add, name: group.name() };
        assert.equal(group.name(), add);
        await addGroup(owner, family, words);
        const member = group.code();
        await owner.getByLabel(group.name()).fill(member);
        await owner.getByRole("button", { name: group.name() }).click();
        await owner.getByText(member).first().waitFor();
        group.done();

        const first = guide.step();
        const addWords = { open: first.name(), add: first.name(), behind: first.name() };
        const photos = first.code();
        const nameWord = first.name();
        const photosAddress = first.code();
        const applicationWords = { ...addWords, name: nameWord, address: first.name() };
        assert.equal(first.code(), family);
        assert.equal(first.name(), addWords.add);
        await addApplication(
          owner,
          { name: photos, address: photosAddress, group: family },
          applicationWords,
        );
        first.done();

        const second = guide.step();
        const [invoices, invoicesAddress, work] = [second.code(), second.code(), second.code()];
        await addGroup(owner, work, words);
        await addApplication(
          owner,
          { name: invoices, address: invoicesAddress, group: work },
          applicationWords,
        );
        second.done();

        const found = guide.step();
        await friend.goto(found.path());
        await friend.getByRole("link", { name: found.code() }).waitFor();
        assert.equal(await friend.getByText(found.code()).count(), 0);
        found.done();
        guide.done();
      });
    });
  });
});
