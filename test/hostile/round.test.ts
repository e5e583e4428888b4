import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Round } from "./round.ts";
import type { Route, Subject } from "./route-cases.ts";

const route: Route = {
  name: "GET /stream",
  method: "GET",
  template: "/stream",
  places: [],
  query: [],
  scope: undefined,
  applicationScope: undefined,
  schemes: ["adminToken"],
  mediaType: undefined,
  example: undefined,
  fields: new Set(),
};

/** A service that answers every request with a stream that never ends. */
function createOpenStream(): { subject: Subject; isClosed: () => boolean } {
  let isClosed = false;
  const unused = (): never => assert.fail("not asked for");
  const subject: Subject = {
    name: "open",
    store: { transact: unused, read: unused, check: unused, close: unused },
    collections: [],
    places: unused,
    credentials: unused,
    document: unused,
    fetch: async () => {
      const body = new ReadableStream({ cancel: () => void (isClosed = true) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  };
  return { subject, isClosed: () => isClosed };
}

describe("Round", () => {
  it("notices a stream that is open to strangers, and does not wait for its end", async () => {
    const { subject, isClosed } = createOpenStream();
    const round = new Round(subject);
    await round.send(route, {}, { what: "credential: none", allowed: [401] });
    assert.throws(() => round.finish(1), /credential: none: GET \/stream → 200 a stream/u);
    assert.equal(isClosed(), true);
  });

  it("takes a stream where it may be one", async () => {
    const round = new Round(createOpenStream().subject);
    await round.send(route, {}, { what: "opens" });
    round.finish(1);
  });
});
