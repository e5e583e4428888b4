/** Using invites. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import {
  type InviteFields,
  type Invites,
  createInvites,
} from "../../../src/auth/registration/invite-admin.ts";
import { noteInviteUse, redeemInvite } from "../../../src/auth/registration/invites.ts";
import { authCollections } from "../../../src/auth/app/records.ts";
import { invites as inviteRecords } from "../../../src/auth/registration/records.ts";
import { AppError } from "../../../src/kit/errors.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createSecretBox } from "../../../src/kit/secrets/secret-box.ts";
import { createOutbox } from "../../../src/records/outbox.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { withTestKey } from "../../support/audited-store.ts";
import { type FixedClock, createFixedClock } from "../../support/fixed-clock.ts";

const actor = { name: "test", clientId: "test", requestId: "test" };
const email = "ann@example.org";
let store: Store;
let clock: FixedClock;
let invites: Invites;

function setUp(forceReruns: boolean): void {
  store = withTestKey(createMemoryStore({ collections: authCollections, forceReruns }));
  clock = createFixedClock();
  const box = createSecretBox("a secret of the test suite, long enough");
  const outbox = createOutbox({ store, clock, box, log: silentLog, sender: () => undefined });
  invites = createInvites({ store, clock, expiry: clock, outbox });
}

beforeEach(() => setUp(false));

async function create(fields: InviteFields = {}): Promise<{ code: string; id: string }> {
  const [made] = await invites.create([fields], { mailing: { mail: false }, actor });
  assert.ok(made);
  return { code: made.code, id: made.invite.id };
}

function redeem(code: string, address = email): Promise<{ usedCount: number }> {
  return store.transact((tx) => redeemInvite(tx, { code, email: address, nowMs: clock.now() }));
}

describe("using an invite", () => {
  it("does not mind case, dashes, spaces, a missing prefix, or letters that look like digits", async () => {
    const { code } = await create({ maxUses: 10 });
    const bare = code.slice(4);
    const forms = [
      code,
      code.toUpperCase(),
      code.replaceAll("-", ""),
      bare,
      ` ${bare.replaceAll("-", " ")} `,
    ];
    for (const form of forms) await redeem(form);
    assert.equal((await redeem(bare.replaceAll("0", "O").replaceAll("1", "l"))).usedCount, forms.length + 1);
  });

  it("gives one answer for every reason to refuse", async () => {
    const spent = await create({ maxUses: 1 });
    await redeem(spent.code);
    const expired = await create({ ttlDays: 1 });
    const off = await create();
    await invites.change(off.id, { change: { enabled: false }, actor });
    const bound = await create({ boundEmail: "Bob@example.org" });
    const domain = await create({ emailDomains: ["example.com"] });
    clock.advance(86_400_000);
    const codes = [spent, expired, off, bound, domain].map(({ code }) => code);
    const texts = new Set<string>();
    for (const code of [...codes, "inv-00000-00000-00000-00000", "", "nonsense", "\u0000", "inv"]) {
      await assert.rejects(redeem(code), (error) => {
        assert.ok(error instanceof AppError && error.code === "invite_invalid", code);
        texts.add(error.message);
        return true;
      });
    }
    assert.equal(texts.size, 1);
    await redeem(bound.code, "bob@EXAMPLE.org");
    await redeem(domain.code, "ann@example.com");
    await assert.rejects(redeem(domain.code, "ann@example.com.evil.org"), { code: "invite_invalid" });
  });

  for (const forceReruns of [false, true]) {
    it(`counts its last use once among 16 at the same time${forceReruns ? ", when work runs again" : ""}`, async () => {
      setUp(forceReruns);
      const { code, id } = await create({ maxUses: 3 });
      await redeem(code);
      await redeem(code);
      const ends = await Promise.allSettled(Array.from({ length: 16 }, () => redeem(code)));
      assert.equal(ends.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal((await store.read((tx) => tx.get(inviteRecords, id)))?.usedCount, 3);
    });
  }

  it("remembers its last hundred users", async () => {
    const { id, code } = await create({ maxUses: 200 });
    for (let i = 0; i < 110; i += 1) {
      await store.transact((tx) => noteInviteUse(tx, id, `usr_${i}`, clock.now()));
    }
    await store.transact((tx) => redeemInvite(tx, { code, email, userId: "usr_last", nowMs: clock.now() }));
    const uses = (await store.read((tx) => tx.get(inviteRecords, id)))?.uses ?? [];
    assert.equal(uses.length, 100);
    assert.deepEqual([uses[0]?.userId, uses[99]?.userId], ["usr_11", "usr_last"]);
    await store.transact((tx) => noteInviteUse(tx, "ivt_gone", "usr_1", clock.now()));
  });
});
