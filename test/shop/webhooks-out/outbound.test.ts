/** Webhooks over real connections: what they follow, where they may go, and what stays after a kill. */
import assert from "node:assert/strict";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { Webhook } from "standardwebhooks";
import { createOutbound } from "../../../src/kit/outbound/outbound.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";
import { createTestShop, read } from "../app-fixture.ts";
import { addProduct, order, setProvider } from "../goods.ts";

const toOutbound = (allowPrivate: boolean) =>
  createOutbound({
    allowPrivate,
    privateRemedy: "set NOTIFY_PRIVATE=1 to allow private addresses",
    userAgent: "test",
  });

interface Endpoint {
  readonly id: string;
  readonly secret: string;
}
interface Delivery {
  readonly state: string;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

describe("webhooks over the network", () => {
  const paths: string[] = [];
  const genuine: boolean[] = [];
  let secret = "";
  let receiver: Server;
  let origin = "";
  let folder = "";
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "trivet-webhooks-"));
    receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        paths.push(request.url ?? "");
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        try {
          new Webhook(secret).verify(Buffer.concat(chunks), headers);
          genuine.push(true);
        } catch {
          genuine.push(false);
        }
        if (request.url === "/moved") response.writeHead(307, { location: "/in" }).end();
        else response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const address = receiver.address();
    assert.ok(address !== null && typeof address === "object", "it listens on a port");
    origin = `http://127.0.0.1:${address.port}`;
  });
  after(async () => {
    await new Promise((resolve) => receiver.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  const body = (path: string) => ({ url: `${origin}${path}`, types: ["order.placed"] });

  it("go to no private address unless that is allowed, and follow nothing", async () => {
    const closed = await createTestShop({ webhookOutbound: toOutbound(false) });
    const { id } = await read<Endpoint>(await closed.admin("POST", "/api/admin/webhooks", body("/in")), 201);
    const refused = await read<Delivery>(await closed.admin("POST", `/api/admin/webhooks/${id}/test`));
    assert.equal(refused.state, "failed");
    assert.match(refused.lastError ?? "", /is a private address; set NOTIFY_PRIVATE=1/u);
    assert.deepEqual(paths, []);
    const open = await createTestShop({ webhookOutbound: toOutbound(true) });
    const made = await read<Endpoint>(await open.admin("POST", "/api/admin/webhooks", body("/moved")), 201);
    const moved = await read<Delivery>(await open.admin("POST", `/api/admin/webhooks/${made.id}/test`));
    assert.deepEqual([moved.state, moved.lastStatus], ["failed", 307]);
    assert.deepEqual(paths.splice(0), ["/moved"]);
  });

  it("leave after a kill between the order and the sending, signed with the secret of before", async () => {
    const openStore = (name: string) =>
      openJournalStore({
        folder: join(folder, name),
        name: "shop",
        collections: shopCollections,
        log: silentLog,
      });
    const store = await openStore("first");
    const clock = createFixedClock(Date.now());
    const app = await createTestShop({ store, clock });
    await setProvider(app);
    ({ secret } = await read<Endpoint>(await app.admin("POST", "/api/admin/webhooks", body("/in")), 201));
    const { id: productId } = await addProduct(app);
    await order(app, [{ productId }]);
    // What a process leaves that is killed now.
    await cp(join(folder, "first"), join(folder, "second"), { recursive: true });
    await rm(join(folder, "second", "shop.lock"), { force: true });
    await store.close();
    genuine.length = 0;
    const again = await openStore("second");
    const second = await createTestShop({ store: again, clock, webhookOutbound: toOutbound(true) });
    assert.deepEqual(await second.shop.webhookSender.deliver(), { sent: 1, failed: 0, waiting: 0 });
    assert.deepEqual(await second.shop.webhookSender.deliver(), { sent: 0, failed: 0, waiting: 0 });
    assert.deepEqual([paths, genuine], [["/in"], [true]]);
    await second.shop.webhookSender.close();
    await again.close();
  });
});
