/** What a sign-in costs: its time must not tell what a name belongs to. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPasswordHasher } from "../../../src/auth/base/hashing/password-hash.ts";
import { createTestApp, PASSWORD } from "../app-fixture.ts";
import { OTHER, post, register } from "../http/people.ts";

describe("the work of a sign-in", () => {
  it("is two comparisons for whatever fails, and one for the right password", async () => {
    const hasher = createPasswordHasher({ cost: { memoryKiB: 8, passes: 1, lanes: 1 } });
    const done = { hashes: 0, comparisons: 0 };
    const app = await createTestApp({
      hasher: {
        ...hasher,
        hash: (password) => {
          done.hashes += 1;
          return hasher.hash(password);
        },
        verify: (password, phc) => {
          done.comparisons += 1;
          return hasher.verify(password, phc);
        },
      },
    });
    await app.signUp("ann");
    await app.signUp("bare", { passwordHash: undefined });
    await app.signUp("dora", { status: "deleted" });
    await app.signUp("vera");
    await register(app, "walt");
    await register(app, "rival", { email: "vera@example.org" });
    let requests = 0;
    const work = async (identifier: string, password: string): Promise<unknown> => {
      requests += 1;
      Object.assign(done, { hashes: 0, comparisons: 0 });
      const { status } = await post(
        app,
        "login",
        { identifier, password },
        { from: `198.51.100.${requests}` },
      );
      return { status, ...done };
    };
    await work("nobody", PASSWORD); // Computes the hash that unknown names are compared with.
    for (const [name, password] of [
      ["nobody", PASSWORD],
      ["nobody@example.org", PASSWORD],
      ["ann", OTHER],
      ["bare", PASSWORD],
      ["dora", PASSWORD],
      ["dora", OTHER],
      ["walt", OTHER],
      ["walt@example.org", OTHER],
      ["vera@example.org", OTHER],
    ] as const)
      assert.deepEqual(
        [name, await work(name, password)],
        [name, { status: 401, hashes: 0, comparisons: 2 }],
      );
    assert.deepEqual(await work("ann", PASSWORD), { status: 200, hashes: 0, comparisons: 1 });
    assert.deepEqual(await work("vera@example.org", PASSWORD), { status: 200, hashes: 0, comparisons: 1 });
  });
});
