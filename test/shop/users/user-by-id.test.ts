/** People are their ID at the auth center: a username or an email address that changes hands brings nothing else along. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestShop, read } from "../app-fixture.ts";
import { addProduct } from "../goods.ts";

interface Orders {
  readonly items: readonly { readonly id: string }[];
}

describe("a user of the shop", () => {
  it("is known by the ID, and by neither username nor email address", async () => {
    let id = "usr_first";
    let username = "ann";
    const app = await createTestShop({
      userCheck: {
        validateRequest: async () => ({
          status: "valid",
          user: { id, username, displayName: "Ann", emailVerified: true },
        }),
        readAddresses: async () => ({ status: "known", addresses: ["ann@example.org"] }),
      },
    });
    const product = await addProduct(app);
    const bought = await read<{ order: { id: string } }>(
      await app.send("POST", "/api/checkout", {
        as: "ann",
        body: {
          items: [{ productId: product.id, quantity: 1 }],
          contact: { email: "ann@example.org" },
          consents: { digitalContent: true },
        },
      }),
      201,
    );
    const list = async (): Promise<readonly string[]> => {
      const { items } = await read<Orders>(await app.send("GET", "/api/orders", { as: "ann" }));
      return items.map((order) => order.id);
    };
    const open = async (): Promise<number> =>
      (await app.send("GET", `/api/orders/${bought.order.id}`, { as: "ann" })).status;
    assert.deepEqual([await list(), await open()], [[bought.order.id], 200]);
    // Another account with the same username and email address.
    id = "usr_second";
    assert.deepEqual([await list(), await open()], [[], 404]);
    // The same account under another name.
    [id, username] = ["usr_first", "anna"];
    assert.deepEqual([await list(), await open()], [[bought.order.id], 200]);
  });
});
