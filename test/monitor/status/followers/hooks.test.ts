/** Webhooks of subscribers: confirmed first, signed, in order, retried, and ended when no request is accepted. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isWebhookSignature } from "../../../../src/kit/secrets/webhook-signature.ts";
import { subscriberHooks, subscribers } from "../../../../src/monitor/status/followers/records.ts";
import { ask, createFollowersFixture, follow } from "./followers-fixture.ts";

const URL_OF_RECEIVER = "https://hooks.example.org/status";
const hour = 3_600_000;
const webhook = { way: "webhook" } as const;

function parse(body: string | undefined): Record<string, unknown> {
  return JSON.parse(body ?? "{}") as Record<string, unknown>;
}

describe("a webhook that wants to follow", () => {
  it("gets a confirmation request, and no notification before it confirms", async () => {
    const fixture = await createFollowersFixture();
    await ask(fixture, URL_OF_RECEIVER, webhook);
    await fixture.publish();
    await fixture.deliver();
    assert.equal(fixture.requests.length, 1);
    const body = parse(fixture.requests[0]?.body);
    assert.equal(body["type"], "subscription.confirm");
    assert.match(JSON.stringify(body), /\/status\/main\/subscription\/sub_/u);
  });

  it("gets signed requests about what happened", async () => {
    const fixture = await createFollowersFixture();
    const name = await follow(fixture, URL_OF_RECEIVER, webhook);
    const { secret = "" } = await fixture.followers.subscriptions.find(name);
    await fixture.publish({ post: { components: { cmp_web: "major_outage" } } });
    await fixture.deliver();
    const request = fixture.requests.at(-1);
    const headers = request?.headers ?? {};
    const signed = {
      id: headers["webhook-id"] ?? "",
      timestamp: headers["webhook-timestamp"] ?? "",
      body: request?.body ?? "",
    };
    assert.ok(isWebhookSignature(headers["webhook-signature"] ?? "", secret, signed));
    assert.ok(!isWebhookSignature(headers["webhook-signature"] ?? "", secret, { ...signed, body: "{}" }));
    assert.equal(request?.followRedirects, false);
    const { type, data } = parse(request?.body) as { type: string; data: Record<string, unknown> };
    assert.equal(type, "incident.created");
    assert.deepEqual(data["components"], [{ id: "cmp_web", name: "Website", status: "major_outage" }]);
    assert.match(String(data["unsubscribeUrl"]), /\/unsubscribe$/u);
  });

  it("gets what it missed in its order, and nothing that is a day old", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, URL_OF_RECEIVER, webhook);
    const before = fixture.requests.length;
    fixture.answer = () => ({ kind: "failed", reason: "It is away" });
    await fixture.publish({ post: { id: "inc_1" } });
    await fixture.publish({ post: { id: "inc_2" } });
    await fixture.deliver();
    // The second waits behind the first: one try says enough.
    assert.equal(fixture.requests.length, before + 1);
    fixture.answer = () => ({ kind: "answered", status: 200, text: "" });
    fixture.clock.advance(60_000);
    await fixture.deliver();
    fixture.clock.advance(1_000);
    await fixture.deliver();
    const told = fixture.requests
      .slice(before + 1)
      .map(({ body }) => /"id":"(inc_\d)"/u.exec(body ?? "")?.[1]);
    assert.deepEqual(told, ["inc_1", "inc_2"]);
    assert.equal(await fixture.store.read((tx) => tx.count(subscriberHooks)), 0);
  });

  it("is ended at once by 410, and after days in which it took nothing", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, URL_OF_RECEIVER, webhook);
    fixture.answer = () => ({ kind: "answered", status: 410, text: "" });
    await fixture.publish();
    await fixture.deliver();
    assert.equal(await fixture.store.read((tx) => tx.count(subscribers)), 0);

    const slow = await createFollowersFixture();
    await follow(slow, URL_OF_RECEIVER, webhook);
    slow.answer = () => ({ kind: "answered", status: 500, text: "" });
    for (let n = 0; n < 100; n += 1) {
      if (n % 20 === 0) await slow.publish({ post: { id: `inc_${n}` } });
      slow.clock.advance(hour + 1);
      await slow.deliver();
    }
    assert.equal(await slow.store.read((tx) => tx.count(subscribers)), 0);
    assert.equal(await slow.store.read((tx) => tx.count(subscriberHooks)), 0);
    assert.ok(slow.requests.length < 110, `${slow.requests.length} requests`);
  });

  it("queues a limited number of requests", async () => {
    const fixture = await createFollowersFixture();
    await follow(fixture, URL_OF_RECEIVER, webhook);
    fixture.answer = () => ({ kind: "failed", reason: "It is away" });
    for (let n = 0; n < 60; n += 1) await fixture.publish({ post: { id: `inc_${n}` } });
    await fixture.deliver();
    assert.equal(await fixture.store.read((tx) => tx.count(subscriberHooks)), 50);
  });
});
