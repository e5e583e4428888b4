/** The question for a person's verified addresses, over a real connection. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAddressCheck } from "../../../src/shop/users/verified-emails.ts";
import type { AddressesResult } from "../../../src/shop/users/user-check.ts";
import { json, openCenter, problem, sayBusy, type StandInCenter } from "../../support/stand-in-center.ts";

let center: StandInCenter;

before(async () => {
  center = await openCenter();
});
after(() => center.close());
beforeEach(() => center.reset());

function ask(authUrl = `${center.url}/`): Promise<AddressesResult> {
  const headers = new Headers({ authorization: "Bearer acc_1" });
  return createAddressCheck({ authUrl, timeoutMs: 30_000 })({ headers });
}

const unavailable = { status: "auth_unavailable", retryAfterSeconds: 1 };

describe("createAddressCheck", () => {
  it("asks with the person's own token, and returns verified addresses, the primary one first", async () => {
    const item = { id: "x", purposes: [], createdAt: 1 };
    center.respond = json(200, {
      items: [
        { ...item, address: "ann@work.example", primary: false, verified: true },
        { ...item, address: "new@example.org", primary: false, verified: false },
        { ...item, address: "ann@example.org", primary: true, verified: true },
      ],
    });
    assert.deepEqual(await ask(), { status: "known", addresses: ["ann@example.org", "ann@work.example"] });
    const [seen] = center.seen;
    assert.deepEqual([seen?.url, seen?.headers.authorization], ["/api/auth/emails", "Bearer acc_1"]);
  });

  it("distinguishes a refused token from a center that has no answer", async () => {
    center.respond = json(401, { status: 401, code: "token_invalid" }, problem);
    assert.deepEqual(await ask(), { status: "refused" });
    for (const respond of [sayBusy, json(200, { items: [{}] }), json(302, {}, { location: "/elsewhere" })]) {
      center.respond = respond;
      assert.deepEqual(await ask(), unavailable);
    }
    assert.deepEqual(await ask("http://127.0.0.1:9"), unavailable);
  });
});
