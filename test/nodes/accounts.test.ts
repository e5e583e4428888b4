/** Accounts on two nodes: what one of them did counts on the other. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { realPng } from "../auth/pictures.ts";
import { eventually } from "../support/eventually.ts";
import { ask, bothNodes, call, cluster, newName } from "./cluster.ts";
import { type Tokens, PASSWORD, signIn, signUp } from "./people.ts";

const { a, b } = cluster.nodes;
const front = cluster.front.auth;

function validate(url: string, token: string): Promise<{ status: number }> {
  return ask("GET", `${url}/api/auth/validate`, { token });
}

describe("an account on two nodes", () => {
  let name = "";
  let tokens: Tokens;
  before(async () => {
    name = newName("ann").replaceAll("-", "");
    await signUp(a.auth, name);
    tokens = await signIn(a.auth, name);
  });

  it("signs in on one, and is known to the other at once", async () => {
    for (const url of [a.auth, b.auth, front])
      assert.equal((await validate(url, tokens.accessToken)).status, 200);
  });

  it("renews its session on either node; a race of both gives one successor; an old one ends the family", async () => {
    const refresh = (url: string, refreshToken: string) =>
      ask<Tokens>("POST", `${url}/api/auth/refresh`, { body: { refreshToken } });
    const old = tokens.refreshToken;
    for (let turn = 0; turn < 6; turn += 1) {
      const { status, body } = await refresh(front, tokens.refreshToken);
      assert.equal(status, 200);
      tokens = body;
    }
    const raced = await Promise.all([a, b, a, b].map(({ auth }) => refresh(auth, tokens.refreshToken)));
    assert.deepEqual(
      raced.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    assert.equal(new Set(raced.map(({ body }) => body.refreshToken)).size, 1);
    const { status, body } = await ask<{ code: string }>("POST", `${b.auth}/api/auth/refresh`, {
      body: { refreshToken: old },
    });
    assert.deepEqual([status, body.code], [401, "refresh_reused"]);
    const [last] = raced;
    for (const { auth } of bothNodes)
      assert.equal((await validate(auth, last?.body.accessToken ?? "")).status, 401);
    tokens = await signIn(b.auth, name);
  });

  it("is signed out on both when it signs out on one", async () => {
    const { accessToken } = await signIn(a.auth, name);
    assert.equal((await validate(b.auth, accessToken)).status, 200);
    assert.equal((await ask("POST", `${a.auth}/api/auth/logout`, { token: accessToken })).status, 204);
    for (const { auth } of bothNodes) assert.equal((await validate(auth, accessToken)).status, 401);
  });

  it("shows a picture that was sent to one on the other", async () => {
    await call("PATCH", `${b.auth}/api/auth/profile`, {
      token: tokens.accessToken,
      body: { visibility: "public" },
    });
    const sent = await fetch(`${a.auth}/api/auth/profile/avatar`, {
      method: "PUT",
      headers: { "content-type": "image/png", authorization: `Bearer ${tokens.accessToken}` },
      body: realPng,
    });
    assert.ok(sent.ok, await sent.text());
    const profile = await call<{ avatarUrl: string }>("GET", `${b.auth}/api/auth/profile`, {
      token: tokens.accessToken,
    });
    const { pathname } = new URL(profile.avatarUrl, b.auth);
    for (const { auth } of bothNodes) {
      const picture = await fetch(`${auth}${pathname}`);
      assert.equal(picture.status, 200);
      assert.deepEqual(new Uint8Array(await picture.arrayBuffer()), realPng);
    }
  });

  it("gives one reward for check-ins on both nodes at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () =>
        ask("POST", `${front}/api/auth/checkin`, { token: tokens.accessToken }),
      ),
    );
    const rewarded = answers.filter(({ status }) => status === 201);
    assert.equal(rewarded.length, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 201));
  });

  it("sees a changed setting on the other node", async () => {
    const path = "/api/admin/settings/checkin";
    const read = (url: string) => call<{ enabled: boolean }>("GET", `${url}${path}`, { admin: true });
    const before = await read(a.auth);
    const change = async (enabled: boolean): Promise<void> => {
      await call("PUT", `${a.auth}${path}`, { admin: true, body: { ...(await read(a.auth)), enabled } });
    };
    await change(!before.enabled);
    const checkIn = () => ask("POST", `${b.auth}/api/auth/checkin`, { token: tokens.accessToken });
    await eventually(async () => {
      assert.equal((await read(b.auth)).enabled, !before.enabled);
      assert.equal((await checkIn()).status, before.enabled ? 403 : 200);
    });
    await change(before.enabled);
  });
});

describe("the limit of wrong passwords by address", () => {
  const attempt = (from: string, headers: Readonly<Record<string, string>> = {}) =>
    ask<{ code: string }>("POST", `${front}/api/auth/login`, {
      from,
      headers,
      body: { identifier: newName("nobody"), password: PASSWORD },
    });

  it("counts over both nodes, by the address that the front tells", async () => {
    const statuses: number[] = [];
    // One after the other: the front goes round, so each node sees every second one.
    for (let turn = 0; turn < 14; turn += 1) {
      const { status } = await attempt("203.0.113.7");
      statuses.push(status);
      // One node's counts reach the other within milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    // Ten are let in, and one more at most, whose count was still on its way.
    const refusedAt = statuses.indexOf(429);
    assert.ok(refusedAt === 10 || refusedAt === 11, statuses.join());
    assert.deepEqual(new Set(statuses.slice(0, refusedAt)), new Set([401]));
    assert.deepEqual(new Set(statuses.slice(refusedAt)), new Set([429]));
    assert.equal((await attempt("203.0.113.8")).status, 401);
  });
});
