/** The pages on which people follow a status page, and its feeds, as browsers, mail programs and readers ask for them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MailMessage } from "../../../../src/kit/mail/mail.ts";
import { type TestApp, createTestApp } from "../../app-fixture.ts";
import { createTestNotify } from "../../channels/notify-fixture.ts";
import { addPage, addPost, readJson } from "../status-fixture.ts";

const PUBLIC_URL = "https://monitor.example.org";
const smtp = { host: "mail.example.org", port: 25, security: "none", from: "status@example.org" } as const;

async function open(options: { hasServer?: boolean } = {}): Promise<{ app: TestApp; mails: MailMessage[] }> {
  const mails: MailMessage[] = [];
  const mail = {
    send: async (message: MailMessage) => {
      mails.push(message);
      return { status: "sent" } as const;
    },
    try: async () => ({ ok: true, said: "" }),
  };
  const app = await createTestApp({
    notify: createTestNotify({ mail }),
    mailEnvironment: options.hasServer === false ? {} : { smtp },
    publicUrl: PUBLIC_URL,
  });
  return { app, mails };
}

/** A form as a browser sends it from a page of this site. */
function send(
  app: TestApp,
  path: string,
  values: Record<string, string>,
  headers: Record<string, string> = { "sec-fetch-site": "same-origin" },
): Promise<Response> {
  return app.raw(path, { method: "POST", body: new URLSearchParams(values), headers });
}

/** The path of the link in the last mail. */
async function readPath(app: TestApp, mails: readonly MailMessage[]): Promise<string> {
  await app.monitor.followers.deliver();
  const found =
    /https:\/\/monitor\.example\.org(\/status\/\S+\/subscription\/sub_[0-9a-z]+\/[\w-]{43})/u.exec(
      mails.at(-1)?.text ?? "",
    );
  return found?.[1] ?? "";
}

describe("following by the page", () => {
  it("goes from the form by mail to yes, to a change, to an end", async () => {
    const { app, mails } = await open();
    const page = await addPage(app, {
      components: [
        { name: "Website", source: { type: "manual" } },
        { name: "API", source: { type: "manual" } },
      ],
    });
    const form = await app.raw("/status/main/subscribe");
    assert.equal(form.status, 200);
    assert.match(await form.text(), /Email address/u);
    assert.equal(form.headers.get("cache-control"), "no-store");

    const [website] = page.components;
    const sent = await send(app, "/status/main/subscribe", {
      address: "ada@example.org",
      [`part_${website?.id ?? ""}`]: "on",
    });
    assert.equal(sent.status, 303);
    assert.equal(sent.headers.get("location"), "subscribe?done=mail");
    assert.match(await (await app.raw("/status/main/subscribe?done=mail")).text(), /Check your email/u);

    const path = await readPath(app, mails);
    const asked = await app.raw(path);
    assert.match(await asked.text(), /Confirm subscription/u);
    // A scanner that opened it confirmed nothing.
    assert.match(await (await app.raw(path)).text(), /Confirm subscription/u);
    assert.equal((await send(app, path, { do: "confirm" }, {})).status, 303);
    assert.match(await (await app.raw(path)).text(), /You’re subscribed to Northwind status/u);

    assert.equal((await send(app, path, { do: "save", language: "de" }, {})).status, 303);
    await addPost(app, page.id);
    await app.monitor.followers.deliver();
    assert.match(mails.at(-1)?.subject ?? "", /Wird untersucht/u);
    assert.equal((await send(app, path, { do: "end" }, {})).status, 303);
    assert.match(await (await app.raw(path)).text(), /You’re not subscribed to this page/u);
  });

  it("ends by one click of a mail program, twice as well, also when the page has another address now", async () => {
    const { app, mails } = await open();
    const page = await addPage(app);
    await send(app, "/status/main/subscribe", { address: "ada@example.org" });
    const path = await readPath(app, mails);
    await send(app, path, { do: "confirm" }, {});
    assert.equal((await app.raw(`${path}/unsubscribe`)).status, 303);
    await app.admin("PATCH", `/api/admin/status-pages/${page.id}`, { slug: "renamed" });
    const click = { "List-Unsubscribe": "One-Click" };
    assert.equal((await send(app, `${path}/unsubscribe`, click, {})).status, 200);
    const answer = await app.admin("GET", `/api/admin/status-pages/${page.id}/subscribers`);
    assert.deepEqual((await readJson(answer))["counts"], { active: 0, pending: 0 });
    assert.equal(
      (await send(app, path.replace("/main/", "/renamed/") + "/unsubscribe", click, {})).status,
      200,
    );
  });

  it("answers the same whether an address is known, and says what is wrong at the field", async () => {
    const { app, mails } = await open();
    await addPage(app);
    const first = await send(app, "/status/main/subscribe", { address: "ada@example.org" });
    const second = await send(app, "/status/main/subscribe", { address: "ada@example.org" });
    assert.deepEqual(
      [first.status, first.headers.get("location")],
      [second.status, second.headers.get("location")],
    );
    await app.monitor.followers.deliver();
    assert.equal(mails.length, 1);
    for (const address of ["nobody", "a@b.example\r\nBcc: c@d.example", "<script>@x.example,y@z.example"]) {
      const wrong = await send(app, "/status/main/subscribe", { address });
      const text = await wrong.text();
      assert.equal(wrong.status, 422, address);
      assert.match(text, /Enter a valid email address, such as/u);
      assert.doesNotMatch(text, /<script>@/u);
    }
  });

  it("refuses forms of other sites, wrong tokens and too many wishes", async () => {
    const { app } = await open();
    await addPage(app);
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const values = { address: "ada@example.org" };
    assert.equal((await send(app, "/status/main/subscribe", values, foreign)).status, 403);
    assert.equal((await send(app, "/status/main/subscribe", values, {})).status, 403);
    const wrong = `/status/main/subscription/sub_1/${"a".repeat(43)}`;
    for (const [method, path] of [
      ["GET", wrong],
      ["POST", `${wrong}/unsubscribe`],
    ] as const)
      assert.equal((await app.raw(path, { method })).status, 404);
    for (let n = 0; n < 10; n += 1)
      await send(app, "/status/main/subscribe", { address: `a${n}@example.org` });
    const refused = await send(app, "/status/main/subscribe", { address: "b@example.org" });
    assert.equal(refused.status, 429);
  });

  it("shows no form for mails without a mail server, and the API says why", async () => {
    const { app } = await open({ hasServer: false });
    const page = await addPage(app);
    const text = await (await app.raw("/status/main/subscribe")).text();
    assert.doesNotMatch(text, /Email address/u);
    assert.match(text, /feed\.atom/u);
    const answer = await readJson(await app.admin("GET", `/api/admin/status-pages/${page.id}/subscribers`));
    assert.deepEqual(answer["faults"], { mail: "no_mail_server" });
  });

  it("leads to the page's own host where it has one", async () => {
    const { app, mails } = await open();
    await addPage(app, { host: "status.example.org" });
    const sent = await send(app, "/status/main/subscribe", { address: "ada@example.org" });
    assert.equal(sent.status, 303);
    await app.monitor.followers.deliver();
    const link = /https:\/\/status\.example\.org(\/subscription\/sub_[0-9a-z]+\/[\w-]{43})/u.exec(
      mails[0]?.text ?? "",
    );
    // The host's paths are those of the page: "/subscription/…" there is "/status/main/subscription/…" here.
    const asked = await app.raw(`/status/main${link?.[1] ?? ""}`);
    assert.match(await asked.text(), /Confirm subscription/u);
  });

  it("is for members alone where the page is", async () => {
    const { app } = await open();
    await addPage(app, { access: "members" });
    for (const path of ["subscribe", "feed.atom", "maintenance.ics"]) {
      const text = await (await app.raw(`/status/main/${path}`)).text();
      assert.doesNotMatch(text, /<feed|VCALENDAR|Email address/u);
    }
    const sent = await send(app, "/status/main/subscribe", { address: "ada@example.org" });
    assert.notEqual(sent.headers.get("location"), "subscribe?done=mail");
  });
});

describe("feeds of a page", () => {
  it("are named in its head, come from memory, and answer 304 to who has them", async () => {
    const { app } = await open();
    const page = await addPage(app);
    await addPost(app, page.id);
    const html = await (await app.raw("/status/main")).text();
    assert.match(
      html,
      /<link rel="alternate" type="application\/atom\+xml" title="Northwind status" href="\/status\/main\/feed\.atom"\/>/u,
    );
    const feed = await app.raw("/status/main/feed.atom");
    assert.equal(feed.headers.get("content-type"), "application/atom+xml; charset=utf-8");
    const text = await feed.text();
    assert.match(text, /<title>Shop is slow — Investigating<\/title>/u);
    const etag = feed.headers.get("etag") ?? "";
    const again = await app.raw("/status/main/feed.atom", { headers: { "if-none-match": etag } });
    assert.equal(again.status, 304);
    await addPost(app, page.id, { title: "Another" });
    const changed = await app.raw("/status/main/feed.atom", { headers: { "if-none-match": etag } });
    assert.equal(changed.status, 200);
    const calendar = await app.raw("/status/main/maintenance.ics");
    assert.match(await calendar.text(), /^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/u);
    assert.equal((await app.raw("/status/none/feed.atom")).status, 404);
  });

  it("tell nothing of drafts", async () => {
    const { app } = await open();
    const page = await addPage(app);
    await addPost(app, page.id, { isDraft: true, title: "Not yet" });
    assert.doesNotMatch(await (await app.raw("/status/main/feed.atom")).text(), /Not yet/u);
  });
});
