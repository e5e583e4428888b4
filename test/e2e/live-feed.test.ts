/** The live feed in a real browser when things go wrong: the program dies, a frame is lost. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { createBrowserRoom } from "./browser-room.ts";
import { eventually } from "../support/eventually.ts";
import { assertSameDocument, findLiveState, markDocument, openFleet, waitForText } from "./fleet-view.ts";
import type { TestAgent } from "./site.ts";

interface FeedTap {
  /** From now on loses the next delta that tells of this server. */
  loseDeltaOf(id: string): void;
  /** How many frames were lost. */
  readonly lost: number;
  /** What the page sent. */
  readonly sent: readonly string[];
}

function readFrame(message: string | Buffer): string {
  return typeof message === "string" ? message : gunzipSync(message).toString();
}

/** Connects the page and the feed through a tap. */
async function tapFeed(page: Page): Promise<FeedTap> {
  const sent: string[] = [];
  let lost = 0;
  let losing: string | undefined;
  await page.routeWebSocket(/\/api\/ws\/monitor/u, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const frame = readFrame(message);
      if (losing !== undefined && frame.startsWith('{"type":"delta"') && frame.includes(`"id":"${losing}"`)) {
        losing = undefined;
        lost += 1;
        return;
      }
      socket.send(message);
    });
    socket.onMessage((message) => {
      sent.push(String(message));
      server.send(message);
    });
  });
  return {
    loseDeltaOf: (id) => {
      losing = id;
    },
    get lost() {
      return lost;
    },
    sent,
  };
}

describe("the live feed in a browser", () => {
  const agents: TestAgent[] = [];
  const room = createBrowserRoom({
    prepare: async (site) => {
      for (const id of ["web-1", "web-2"]) agents.push((await site.addOnline({ id, name: id })).agent);
    },
  });

  it(
    "is requested again as a snapshot when a frame was lost, and the page shows what the frame contained",
    room.page(async ({ page }) => {
      const tap = await tapFeed(page);
      await openFleet(page);
      await markDocument(page);
      tap.loseDeltaOf("web-1");
      await agents[0]?.report({ cpuPercent: 61 });
      await eventually(() => assert.equal(tap.lost, 1));
      // The next frame has a number too many.
      await agents[1]?.report({ cpuPercent: 72 });
      await waitForText(page, "web-2", /72\s?%/u);
      await waitForText(page, "web-1", /61\s?%/u);
      assert.deepEqual(tap.sent, ['{"type":"resync"}']);
      await assertSameDocument(page);
    }),
  );

  it(
    "comes back by itself after the program was killed, and says so in between",
    room.page(async ({ page, allow }, site) => {
      await agents[0]?.report({ cpuPercent: 23 });
      await openFleet(page);
      await waitForText(page, "web-1", /23\s?%/u);
      await markDocument(page);
      // What a browser has to say about a program that is not there.
      allow(/WebSocket connection to .* failed/u);
      allow(/net::ERR_(?:CONNECTION|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)/u);
      await site.kill();
      await findLiveState(page)
        .filter({ hasText: /lost|trying|reconnect/iu })
        .waitFor();
      // What was last known stays on the page.
      await waitForText(page, "web-1", /23\s?%/u);
      await site.restart();
      await findLiveState(page).filter({ hasText: "Live" }).waitFor();
      await agents[0]?.report({ cpuPercent: 34 });
      await waitForText(page, "web-1", /34\s?%/u);
      await assertSameDocument(page);
    }),
  );
});
