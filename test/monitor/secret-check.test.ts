import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { assertSecret } from "../../src/monitor/secret-check.ts";
import { createTestStore } from "./fixtures.ts";

describe("assertSecret of the monitor", () => {
  it("takes the first secret, the same one again, and refuses another with what to do", async () => {
    const store = createTestStore();
    const secret = "a secret of more than thirty-two characters";
    await assertSecret(store, createSecretBox(secret));
    await assertSecret(store, createSecretBox(secret));
    const other = createSecretBox(`${secret}, and another`);
    await assert.rejects(() => assertSecret(store, other), /set MONITOR_SECRET to the former value/u);
    await assertSecret(store, createSecretBox(secret));
  });
});
