import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hashSecret } from "../../src/kit/secrets/admin-token.ts";
import { adminTokenCheckCollection, watchAdminToken } from "../../src/records/admin-token-watch.ts";
import { createLog } from "../../src/kit/observe/log.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import type { Store } from "../../src/store/store.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";

const box = createSecretBox("a secret of more than thirty-two characters");

/** A process on the store: what it logs, and a look at what the others did. */
async function startProcess(
  store: Store,
  token: string,
): Promise<{ lines: string[]; look: () => Promise<void> }> {
  const lines: string[] = [];
  const log = createLog({ level: "info", write: (line) => void lines.push(line) });
  const look = await watchAdminToken({ store, box, log, tokenHashes: [hashSecret(token)] });
  return { lines, look };
}

describe("watchAdminToken", () => {
  it("is silent while every process has the same token", async () => {
    const store = createMemoryStore({ collections: [adminTokenCheckCollection] });
    const first = await startProcess(store, "a-token-for-all-nodes");
    const second = await startProcess(store, "a-token-for-all-nodes");
    await first.look();
    await second.look();
    assert.deepEqual([...first.lines, ...second.lines], []);
  });

  it("warns at a start with another token, and once where the former one still counts", async () => {
    const store = createMemoryStore({ collections: [adminTokenCheckCollection] });
    const first = await startProcess(store, "the-former-token-of-all");
    const second = await startProcess(store, "the-new-token-of-one-node");
    assert.equal(second.lines.length, 1);
    assert.match(second.lines[0] ?? "", /"warn".*Every node needs the same ADMIN_TOKEN/u);
    for (let looks = 0; looks < 3; looks += 1) await first.look();
    assert.equal(first.lines.length, 1);
    assert.match(first.lines[0] ?? "", /"warn".*with a different administrator token/u);
    await second.look();
    assert.equal(second.lines.length, 1);
  });

  it("ends when the former process takes the new token too", async () => {
    const store = createMemoryStore({ collections: [adminTokenCheckCollection] });
    await startProcess(store, "the-former-token-of-all");
    const second = await startProcess(store, "the-new-token-of-one-node");
    const again = await startProcess(store, "the-new-token-of-one-node");
    await second.look();
    assert.deepEqual([second.lines.length, again.lines.length], [1, 0]);
  });

  it("keeps neither the token nor its hash", async () => {
    const store = createMemoryStore({ collections: [adminTokenCheckCollection] });
    await startProcess(store, "a-token-for-all-nodes");
    const kept = await store.read((tx) => tx.get(adminTokenCheckCollection, "token"));
    assert.ok(kept !== undefined && kept.check !== hashSecret("a-token-for-all-nodes"));
    assert.ok(!JSON.stringify(kept).includes("a-token-for-all-nodes"));
  });
});
