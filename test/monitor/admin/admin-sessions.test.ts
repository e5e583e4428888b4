import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { hashSecret } from "../../../src/kit/secrets/admin-token.ts";
import { createLocalLimits } from "../../../src/bus/shared-limit.ts";
import type { Right } from "../../../src/monitor/access/visitor.ts";
import {
  type AdminSessions,
  createAdminSessions,
  ADMIN_SESSION_SECONDS,
} from "../../../src/monitor/access/sessions.ts";
import type { Store } from "../../../src/store/store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";
import { actor, createTestStore } from "../fixtures.ts";

const token = "adm_the-token-of-these-tests";
const from = { clientAddress: "192.0.2.1", requestId: "req-1" };

const accounts = {
  scopesOfAccount: () => new Set<never>(),
  rightOfAccount: (): Right => "nothing",
  onEnd: () => undefined,
  centerSessions: {
    seal: () => "",
    check: async () => "ended" as const,
    end: async () => undefined,
  },
};

describe("admin sessions", () => {
  let clock: FixedClock;
  let sessions: AdminSessions;
  let store: Store;

  beforeEach(() => {
    clock = createFixedClock();
    store = createTestStore();
    sessions = createAdminSessions({
      store,
      clock,
      limits: createLocalLimits(clock),
      tokenHashes: [hashSecret(token)],
      ...accounts,
    });
  });

  it("exchanges the token for a session that names its holder", async () => {
    const session = await sessions.signIn({ token, ...from });
    assert.equal(session.expiresAt, clock.now() + ADMIN_SESSION_SECONDS * 1_000);
    assert.match((await sessions.find(session.token))?.name ?? "", /^session /u);
    assert.equal(await sessions.find(`${session.token}x`), undefined);
  });

  it("ends a session at sign-out, and only that one", async () => {
    const one = await sessions.signIn({ token, ...from });
    const two = await sessions.signIn({ token, ...from });
    await sessions.signOut(one.token, actor);
    assert.equal(await sessions.find(one.token), undefined);
    assert.notEqual(await sessions.find(two.token), undefined);
  });

  it("ends a session after 12 hours, also when the wall clock then jumps back", async () => {
    const session = await sessions.signIn({ token, ...from });
    clock.advance(ADMIN_SESSION_SECONDS * 1_000);
    assert.equal(await sessions.find(session.token), undefined);
    clock.jump(-3 * 86_400_000);
    assert.equal(await sessions.find(session.token), undefined);
  });

  it("ends every session when the administrator token is changed", async () => {
    const session = await sessions.signIn({ token, ...from });
    const tokenHashes = [hashSecret("adm_another-token")];
    const afterwards = createAdminSessions({
      store,
      clock,
      limits: createLocalLimits(clock),
      tokenHashes,
      ...accounts,
    });
    assert.equal(await afterwards.find(session.token), undefined);
  });

  it("sweeps expired sessions and keeps the others", async () => {
    await sessions.signIn({ token, ...from });
    clock.advance(ADMIN_SESSION_SECONDS * 1_000 + 1);
    const fresh = await sessions.signIn({ token, ...from });
    assert.equal(await sessions.sweep(), 1);
    assert.notEqual(await sessions.find(fresh.token), undefined);
  });

  it("refuses wrong tokens after 5 failures from an address, and the right one never", async () => {
    for (let i = 0; i < 5; i += 1) {
      await assert.rejects(sessions.signIn({ token: "wrong", ...from }), { code: "unauthenticated" });
    }
    await assert.rejects(sessions.signIn({ token: "wrong", ...from }), { code: "rate_limited" });
    assert.throws(() => sessions.checkToken("wrong", from.clientAddress), { code: "rate_limited" });
    assert.throws(() => sessions.checkToken("wrong", "192.0.2.2"), { code: "unauthenticated" });
    assert.equal(sessions.checkToken(token, from.clientAddress), "token");
    await sessions.signIn({ token, ...from });
  });
});
