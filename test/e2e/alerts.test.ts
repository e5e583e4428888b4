/** An alert from the agent that dies to the message that arrives, and what administration shows of it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { signIn } from "./admin-view.ts";
import { createBrowserRoom } from "./browser-room.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import type { Site } from "./site.ts";

function readId(made: unknown): string {
  assert.ok(typeof made === "object" && made !== null && "id" in made && typeof made.id === "string");
  return made.id;
}

describe("an alert", () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
  });
  after(() => receiver.close());
  const room = createBrowserRoom({ env: { NOTIFY_PRIVATE: "1" } });

  async function addChannel(site: Site): Promise<string> {
    const channel = { type: "http", name: "Receiver", url: receiver.url };
    return readId(await site.admin("POST", "/api/admin/channels", channel));
  }

  it(
    "tells a local receiver once that a server is gone, and once that it is back",
    room.page(async ({ page }, site) => {
      const channelId = await addChannel(site);
      const rule = { kind: "offline", name: "Gone", graceSeconds: 1, channelIds: [channelId] };
      await site.admin("POST", "/api/admin/alert-rules", { ...rule, severity: "critical" });
      const key = await site.addServer({ id: "web-1", name: "web-1" });
      const first = site.startAgent(key);
      await first.report();
      const quiet = await site.addOnline({ id: "web-2", name: "web-2" });

      await first.stop();
      await receiver.waitFor(1);
      await signIn(page, "/admin/alerts");
      await page.getByRole("main").getByText("web-1").first().waitFor();
      assert.equal(await page.getByRole("main").getByText("web-2").count(), 0);

      const second = site.startAgent(key);
      await second.report();
      await receiver.waitFor(2);
      // Whatever else was on its way came before this answer.
      const tested = await site.admin("POST", `/api/admin/channels/${channelId}/test`);
      assert.ok(typeof tested === "object" && tested !== null && "ok" in tested && tested.ok === true);

      assert.deepEqual(receiver.notices.map(({ kind, severity }) => [kind, severity]).slice(0, 2), [
        ["firing", "critical"],
        ["resolved", "critical"],
      ]);
      assert.deepEqual(
        receiver.notices.map(({ kind }) => kind),
        ["firing", "resolved", "test"],
      );
      assert.match(receiver.notices[0]?.title ?? "", /web-1/u);
      assert.match(receiver.notices[1]?.title ?? "", /web-1/u);
      await second.stop();
      await quiet.agent.stop();
    }),
  );
});
