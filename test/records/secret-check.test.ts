import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { authCollections } from "../../src/auth/app/records.ts";
import { authSecretCheck } from "../../src/auth/app/secret-check.ts";
import { createSecretBox } from "../../src/kit/secrets/secret-box.ts";
import { monitorCollections, monitorSecretCheck } from "../../src/monitor/app/records.ts";
import { assertSecret } from "../../src/records/secret-check.ts";
import { shopCollections, shopSecretCheck } from "../../src/shop/app/records.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";

const secret = "a secret of more than thirty-two characters";
const messages = {
  monitor:
    "The secret is not the one that this monitor was sealed with. Restore the previous monitor-secret.json from your copy or from a backup with keys, or set MONITOR_SECRET to the previous value on every node. With another secret, channel secrets, header values of checks and the password of the mail server cannot be read",
  auth: "The secret is not the one that these accounts were sealed with. Restore the previous auth-secret.json from your copy or from a backup with keys, or set AUTH_SECRET to the previous value on every node. With another secret, codes, second factors and the SMTP password cannot be read",
  shop: "The secret is not the one that this shop was sealed with. Restore the previous shop-secret.json from your copy or from a backup with keys, or set SHOP_SECRET to the previous value on every node. With another secret, license keys, order tokens and credentials of payment providers cannot be read",
};

describe("assertSecret", () => {
  for (const { check, collections, message } of [
    { check: monitorSecretCheck, collections: monitorCollections, message: messages.monitor },
    { check: authSecretCheck, collections: authCollections, message: messages.auth },
    { check: shopSecretCheck, collections: shopCollections, message: messages.shop },
  ])
    it(`takes the ${check.service}'s first secret, the same one again, and refuses another with what to do`, async () => {
      const store = createMemoryStore({ collections });
      await assertSecret(store, createSecretBox(secret), check);
      await assertSecret(store, createSecretBox(secret), check);
      const other = createSecretBox(`${secret}, and another`);
      await assert.rejects(() => assertSecret(store, other, check), { message });
      await assertSecret(store, createSecretBox(secret), check);
    });
});
