/** Payment providers one by one, for administrators. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readSite } from "../../../src/shop/site/settings.ts";
import { type TestShop, code, createTestShop, read } from "../app-fixture.ts";
import { addProduct, liftLimits, order } from "../goods.ts";

interface ProviderView {
  readonly word: string;
  readonly title: string;
  readonly enabled: boolean;
  readonly secretSet: boolean;
  readonly payUrlTemplate: string;
  readonly instructions: string;
  readonly expiryMinutes?: number;
}

const PATH = "/api/admin/site/providers";
const SECRET = "a secret of the service, long enough";

async function storedSecrets(app: TestShop): Promise<Record<string, string | undefined>> {
  const site = await app.store.read(readSite);
  return Object.fromEntries(site.paymentProviders.map(({ word, secret }) => [word, secret]));
}

describe("/api/admin/site/providers/{word}", () => {
  it("creates, reads, changes, replaces and removes one, and leaves the others and its secret alone", async () => {
    const app = await createTestShop();
    const bank = { title: "Bank", secret: SECRET, instructions: "IBAN", expiryMinutes: 10_080 };
    const made = await read<ProviderView>(await app.admin("PUT", `${PATH}/bank`, bank));
    assert.deepEqual([made.word, made.secretSet, made.expiryMinutes], ["bank", true, 10_080]);
    const sealed = await storedSecrets(app);
    assert.deepEqual(Object.keys(sealed), ["generic", "demo", "bank"]);

    const changed = await app.admin("PATCH", `${PATH}/bank`, { title: "Bank transfer", expiryMinutes: null });
    const view = await read<ProviderView>(changed);
    assert.deepEqual(
      [view.title, view.instructions, view.expiryMinutes],
      ["Bank transfer", "IBAN", undefined],
    );
    await app.admin("PUT", `${PATH}/generic`, { title: "Other", secret: `${SECRET}!` });
    const replaced = await read<ProviderView>(await app.admin("PUT", `${PATH}/bank`, { title: "Bank" }));
    assert.deepEqual([replaced.instructions, replaced.secretSet], ["", true]);
    assert.equal((await storedSecrets(app))["bank"], sealed["bank"]);
    const got = await app.admin("GET", `${PATH}/bank`);
    assert.equal(got.headers.get("etag"), '"4"');
    assert.doesNotMatch(await got.text(), /of the service|"secret":/u);

    const gone = await read<ProviderView>(await app.admin("PATCH", `${PATH}/bank`, { secret: "" }));
    assert.equal(gone.secretSet, false);
    assert.equal((await app.admin("DELETE", `${PATH}/bank`)).status, 204);
    assert.deepEqual(Object.keys(await storedSecrets(app)), ["generic", "demo"]);
  });

  it("lists all with the version of the settings, and how the form of each kind is drawn", async () => {
    const app = await createTestShop();
    await app.admin("PUT", `${PATH}/bank`, { kind: "manual", title: "Bank transfer" });
    const { items } = await read<{ items: { word: string; version: number }[] }>(
      await app.admin("GET", PATH),
    );
    assert.deepEqual(
      items.map(({ word, version }) => [word, version]),
      [
        ["generic", 1],
        ["demo", 1],
        ["bank", 1],
      ],
    );
    type Forms = { items: { kind: string; form: Record<string, Record<string, unknown>> }[] };
    const kinds = await read<Forms>(await app.admin("GET", "/api/admin/site/provider-kinds"));
    const form = kinds.items.find(({ kind }) => kind === "wechat")?.form ?? {};
    assert.deepEqual(Object.keys(form).slice(0, 5), [
      "options/appId",
      "options/mchId",
      "options/serialNumber",
      "credentials/privateKey",
      "credentials/apiV3Key",
    ]);
    const { label: _label, hint: _hint, ...key } = form["credentials/privateKey"] ?? {};
    assert.deepEqual(key, { kind: "secret", required: true, long: true });
    assert.deepEqual(
      [
        form["options/url"]?.["nullable"],
        form["options/url"]?.["initial"],
        form["options/appId"]?.["required"],
      ],
      [true, "https://api.mch.weixin.qq.com", true],
    );
  });

  it("gives an option that is null its default again, and keeps those that a change leaves out", async () => {
    const app = await createTestShop();
    const options = { url: "https://pay.example.org/", pid: "1000", type: "alipay" };
    await app.admin("PUT", `${PATH}/pay`, { kind: "epay", title: "Pay", enabled: false, options });
    type View = { options: Record<string, unknown> };
    const kept = await read<View>(await app.admin("PATCH", `${PATH}/pay`, { options: { pid: "1001" } }));
    assert.deepEqual([kept.options["pid"], kept.options["type"]], ["1001", "alipay"]);
    const emptied = await read<View>(await app.admin("PATCH", `${PATH}/pay`, { options: { type: null } }));
    assert.deepEqual([emptied.options["pid"], emptied.options["type"] ?? ""], ["1001", ""]);
  });

  it("is guarded by versions, tokens and the provider's schema", async () => {
    const app = await createTestShop();
    for (const method of ["GET", "PATCH", "DELETE"])
      assert.deepEqual(
        await code(await app.admin(method, `${PATH}/acme`, method === "PATCH" ? {} : undefined)),
        [404, "not_found"],
      );
    assert.deepEqual(await code(await app.send("GET", `${PATH}/generic`)), [401, "unauthenticated"]);
    const stale = await app.admin("PATCH", `${PATH}/generic`, { title: "A" }, { "if-match": '"7"' });
    assert.deepEqual(await code(stale), [412, "version_conflict"]);
    const bodies: readonly object[] = [
      {},
      { title: "A", word: "other" },
      { title: "A", payUrlTemplate: "ftp://pay.example.org" },
      { title: "A", payUrlTemplate: "https://pay.example.org/{mail}" },
      { title: "A", expiryMinutes: 43_201 },
    ];
    for (const body of bodies)
      assert.deepEqual(await code(await app.admin("PUT", `${PATH}/acme`, body)), [422, "invalid"]);
    assert.deepEqual(await code(await app.admin("PUT", `${PATH}/Acme`, { title: "A" })), [422, "invalid"]);
  });

  it("says how many orders wait to be paid with it, and not those that were paid or chose another", async () => {
    const app = await createTestShop();
    await liftLimits(app);
    const mug = await addProduct(app, { onHand: 100 });
    for (const word of ["bank", "card"])
      await app.admin("PUT", `${PATH}/${word}`, { title: word, enabled: true, secret: SECRET });
    const countWaiting = async (word: string): Promise<unknown> => {
      const { waitingOrders } = await read<Record<string, unknown>>(
        await app.admin("GET", `${PATH}/${word}`),
      );
      return waitingOrders;
    };
    assert.equal(await countWaiting("bank"), 0);
    const buy = (paymentMethod: string) => order(app, [{ productId: mug.id }], { paymentMethod });
    const { order: paid } = await buy("bank");
    for (const word of ["bank", "bank", "card"]) await buy(word);
    assert.deepEqual([await countWaiting("bank"), await countWaiting("card")], [3, 1]);
    const marked = await app.admin("POST", `/api/admin/orders/${paid.id}/mark-paid`, { reference: "1" });
    assert.equal(marked.status, 200);
    assert.deepEqual([await countWaiting("bank"), await countWaiting("generic")], [2, 0]);
  });

  it("takes secrets that cannot be guessed", async () => {
    const app = await createTestShop();
    const put = (secret: string): Promise<Response> =>
      app.admin("PUT", `${PATH}/acme`, { title: "Card", secret });
    const base64 = (bytes: number): string => `whsec_${Buffer.alloc(bytes, "x").toString("base64")}`;
    const quoted = `"${base64(32)}"`.slice(1);
    for (const secret of ["a", "x".repeat(23), "whsec_", "whsec_!!!!", base64(23), base64(65), quoted])
      assert.deepEqual(await code(await put(secret)), [422, "invalid"], secret);
    const urlSafe = `whsec_${Buffer.alloc(32, 255).toString("base64url")}`;
    assert.deepEqual(await code(await put(urlSafe)), [422, "invalid"]);
    for (const secret of ["x".repeat(24), base64(24), base64(64)])
      assert.equal((await put(secret)).status, 200, secret);
  });

  it("has the demo provider, off until it is switched on, with a secret of its own", async () => {
    const app = await createTestShop({ publicUrl: "http://localhost:8081" });
    const off = await read<ProviderView>(await app.admin("GET", `${PATH}/demo`));
    assert.deepEqual([off.enabled, off.secretSet], [false, true]);
    await app.admin("DELETE", `${PATH}/demo`);
    const replaced = await read<ProviderView>(await app.admin("PUT", `${PATH}/demo`, { title: "Demo" }));
    assert.deepEqual(
      [replaced.enabled, replaced.payUrlTemplate],
      [false, "/demo-pay/{orderId}?token={token}"],
    );
    await app.admin("DELETE", `${PATH}/demo`);
    const on = await read<ProviderView>(await app.admin("PATCH", `${PATH}/demo`, { enabled: true }));
    assert.deepEqual([on.enabled, on.secretSet], [true, true]);
    const secret = await app.admin("PATCH", `${PATH}/demo`, { secret: SECRET });
    assert.deepEqual(await code(secret), [422, "invalid"]);
  });

  it("cannot switch the demo provider on in a shop that people reach over https", async () => {
    const app = await createTestShop();
    const response = await app.admin("PATCH", `${PATH}/demo`, { enabled: true });
    assert.deepEqual(await code(response), [409, "conflict"]);
    const list = { paymentProviders: [{ word: "demo", title: "Demo", enabled: true }] };
    assert.deepEqual(await code(await app.admin("PATCH", "/api/admin/site", list)), [409, "conflict"]);
  });
});
