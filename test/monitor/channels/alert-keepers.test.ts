/**
 * Receivers that keep alerts of their own, PagerDuty, Opsgenie, and templates with a request for each alert: stand-ins
 * follow the services' documentation and hold what is open there. Alerts, outbox and requests are the real ones.
 */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { z } from "zod";
import type { Notices } from "../../../src/monitor/channels/notification.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Receiver, ReceivedRequest } from "../../kit/outbound-receiver.ts";
import { type AlertsBench, benchCollections, createAlertsBench } from "../alerts/alerts-bench.ts";
import { actor } from "../fixtures.ts";
import { type Bench, closeReceivers, createBench, openReceiver } from "./notice-bench.ts";

const ROUTING_KEY = "0123456789abcdef0123456789ABCDEF";
const noFacts = {
  rule: "",
  check: "",
  server: "",
  group: "",
  value: "",
  threshold: "",
  duration: "",
  target: "",
};
const rule = { kind: "check", name: "Outage", severity: "critical" };

/** An event as the documentation has it: https://developer.pagerduty.com/docs/send-alert-event */
const eventSchema = z.discriminatedUnion("event_action", [
  z.strictObject({
    event_action: z.literal("trigger"),
    routing_key: z.literal(ROUTING_KEY),
    dedup_key: z.string().min(1).max(255),
    client: z.string(),
    client_url: z.url().optional(),
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      group: z.string().optional(),
      class: z.string().optional(),
      custom_details: z.record(z.string(), z.string()),
    }),
  }),
  ...(["acknowledge", "resolve"] as const).map((action) =>
    z.strictObject({
      event_action: z.literal(action),
      routing_key: z.literal(ROUTING_KEY),
      dedup_key: z.string().min(1).max(255),
    }),
  ),
]);

/** What is open at the stand-in, with its state; and the actions in their order. */
interface Keeper {
  readonly peer: Receiver;
  readonly open: Map<string, "triggered" | "acknowledged">;
  readonly actions: string[];
  readonly handle: Handler;
}
type Handler = Parameters<Receiver["answer"]>[0];

type Kept = Pick<Keeper, "open" | "actions">;

async function createKeeper(toHandler: (kept: Kept) => Handler): Promise<Keeper> {
  const kept: Kept = { open: new Map(), actions: [] };
  const peer = await openReceiver();
  const handle = toHandler(kept);
  peer.answer(handle);
  return { ...kept, peer, handle };
}

function apply({ open, actions }: Kept, action: string, key: string): void {
  actions.push(action);
  // Later events of a key that is not open are dropped, as the services do.
  if (action === "trigger") open.set(key, open.get(key) ?? "triggered");
  else if (!open.has(key)) return;
  else if (action === "resolve") open.delete(key);
  else open.set(key, "acknowledged");
}

function createPagerDuty(): Promise<Keeper> {
  return createKeeper((keeper) => ({ method, url, body }, response) => {
    const parsed = eventSchema.safeParse(JSON.parse(body));
    if (method !== "POST" || url !== "/v2/enqueue" || !parsed.success)
      return void response.writeHead(400).end('{"status":"invalid event"}');
    const { event_action: action, dedup_key: key } = parsed.data;
    apply(keeper, action, key);
    response
      .writeHead(202)
      .end(JSON.stringify({ status: "success", message: "Event processed", dedup_key: key }));
  });
}

/** https://docs.opsgenie.com/docs/alert-api */
const alertSchema = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().min(1).max(512),
  description: z.string().max(15_000),
  priority: z.enum(["P1", "P2", "P3", "P4", "P5"]),
  source: z.string().max(100),
  entity: z.string().max(512).optional(),
  tags: z.array(z.string().max(50)).max(20),
  details: z.record(z.string(), z.string()),
});
const noteSchema = z.strictObject({ source: z.string(), note: z.string().max(25_000) });

function readOpsgenie({
  method,
  url,
  headers,
  body,
}: ReceivedRequest): { action: string; key: string } | undefined {
  if (method !== "POST" || headers["authorization"] !== "GenieKey k") return undefined;
  const data: unknown = JSON.parse(body);
  if (url === "/jsm/v2/alerts") {
    const parsed = alertSchema.safeParse(data);
    return parsed.success ? { action: "trigger", key: parsed.data.alias } : undefined;
  }
  const [, key, verb] =
    /^\/jsm\/v2\/alerts\/([^/?]+)\/(close|acknowledge)\?identifierType=alias$/u.exec(url) ?? [];
  if (key === undefined || !noteSchema.safeParse(data).success) return undefined;
  return { action: verb === "close" ? "resolve" : "acknowledge", key: decodeURIComponent(key) };
}

function createOpsgenie(): Promise<Keeper> {
  return createKeeper((keeper) => (request, response) => {
    const read = readOpsgenie(request);
    if (read === undefined)
      return void response.writeHead(422).end('{"message":"Request body is not processable"}');
    apply(keeper, read.action, read.key);
    response.writeHead(202).end('{"result":"Request will be processed","took":0.1,"requestId":"r"}');
  });
}

const kinds = {
  PagerDuty: {
    create: createPagerDuty,
    toInput: ({ peer }: Keeper) => ({
      type: "pagerduty",
      apiUrl: `${peer.origin}/`,
      routingKey: ROUTING_KEY,
    }),
  },
  Opsgenie: {
    create: createOpsgenie,
    toInput: ({ peer }: Keeper) => ({ type: "opsgenie", apiUrl: `${peer.origin}/jsm`, apiKey: "k" }),
  },
} as const;

let bench: AlertsBench;
let outbox: Bench;

beforeEach(async () => {
  const late: { log?: Notices } = {};
  const store = createMemoryStore({ collections: benchCollections });
  const notices: Notices = {
    enqueue: async (tx, notice) => late.log?.enqueue(tx, notice),
    wake: () => undefined,
  };
  bench = await createAlertsBench(store, { notices });
  outbox = createBench({ store: bench.store, clock: bench.clock });
  late.log = outbox.notices;
});
afterEach(closeReceivers);

const many = Array.from({ length: 13 }, (_, index) => `check ${index}`);

/** Passes, and delivers what is due after each. */
async function pass(seconds: number): Promise<void> {
  await bench.pass(seconds);
  // What waits for an earlier one of its thread is due a moment later.
  for (let round = 0; round < 3; round += 1) {
    bench.clock.advance(2);
    assert.equal((await outbox.notices.deliver()).failed, 0);
  }
}

for (const [name, { create, toInput }] of Object.entries(kinds))
  describe(`alerts at ${name}`, () => {
    let keeper: Keeper;

    beforeEach(async () => {
      keeper = await create();
      const id = await outbox.addChannel(toInput(keeper));
      await bench.rule({ ...rule, channelIds: [id], remindEveryHours: 1 });
      for (const check of many) bench.checks.add(check);
      bench.checks.up(...many);
      await pass(1);
    });

    it("are one from firing over reminders and acknowledgement to recovery", async () => {
      bench.checks.down("check 1");
      await pass(1);
      const [key] = keeper.open.keys();
      assert.equal(key, bench.alerts.firing()[0]?.id);
      await pass(3_601);
      assert.deepEqual(keeper.actions, ["trigger", "trigger"]);
      await bench.alerts.incidents.acknowledge(String(key), actor);
      await bench.alerts.incidents.acknowledge(String(key), actor);
      await pass(1);
      assert.deepEqual([...keeper.open], [[key, "acknowledged"]]);
      bench.checks.up("check 1");
      await pass(1);
      assert.deepEqual(keeper.actions, ["trigger", "trigger", "acknowledge", "resolve"]);
      assert.equal(keeper.open.size, 0);
      bench.checks.down("check 1");
      await pass(1);
      assert.notEqual([...keeper.open.keys()][0], key);
    });

    it("are each their own when a message elsewhere is about many, and all close", async () => {
      bench.checks.down(...many);
      await pass(40);
      assert.deepEqual(new Set(keeper.open.keys()), new Set(bench.alerts.firing().map(({ id }) => id)));
      assert.equal(keeper.open.size, many.length);
      bench.checks.up(...many);
      await pass(40);
      assert.equal(keeper.open.size, 0);
    });

    it("have a key of their own where a message names no alert, such as a test", async () => {
      const id = await outbox.addChannel(toInput(keeper));
      const facts = { ...noFacts, key: "" };
      const notice = { kind: "test", severity: "info", title: "Test", text: "", facts } as const;
      for (let round = 0; round < 2; round += 1)
        assert.equal((await outbox.channels.test(id, { notice, actor })).ok, true);
      await outbox.tell({ channelIds: [id], kind: "firing" });
      await outbox.tell({ channelIds: [id], kind: "firing" });
      await pass(1);
      assert.deepEqual([keeper.actions.length, keeper.open.size, keeper.open.has("")], [4, 4, false]);
    });

    it("are never opened for what came and went in quiet hours", async () => {
      await bench.quietHours({ from: "00:00", to: "23:59", timeZone: "UTC", exceptCritical: false });
      bench.checks.down("check 1", "check 2", "check 3");
      await pass(60);
      bench.checks.up("check 1");
      await pass(60);
      assert.deepEqual(keeper.actions, []);
      await bench.quietHours({ enabled: false });
      await pass(5);
      assert.deepEqual(keeper.actions, ["trigger", "trigger"]);
      bench.checks.up(...many);
      await pass(5);
      assert.equal(keeper.open.size, 0);
    });

    it("arrive in order although the service was away", async () => {
      const { peer, actions } = keeper;
      const served = await create();
      peer.answer((_request, response) => void response.writeHead(503).end());
      const some = many.slice(0, 3);
      await bench.quietHours({ from: "00:00", to: "23:59", timeZone: "UTC", exceptCritical: false });
      bench.checks.down(...some);
      await pass(1);
      await bench.quietHours({ enabled: false });
      await pass(1);
      assert.ok(peer.requests.length > 0);
      assert.deepEqual(actions, []);
      // The same service again, at its old address: recoveries are due before the next attempts.
      peer.answer((request, response) => served.handle(request, response));
      bench.checks.up(...some);
      await pass(1);
      for (let minute = 0; minute < 5; minute += 1) await pass(60);
      assert.equal(served.open.size, 0);
      assert.equal(served.actions.filter((action) => action === "trigger").length, some.length);
    });
  });

describe("a template with a request for each alert", () => {
  it("gets every alert of a mass with its key, and its recovery with the same", async () => {
    const peer = await openReceiver();
    const body = '{"key":{{json key}},"kind":{{json kind}},"check":{{json check}}}';
    const input = { type: "http", url: `${peer.origin}/x`, body };
    const each = await outbox.addChannel({ ...input, perAlert: true });
    for (const check of many) bench.checks.add(check);
    bench.checks.up(...many);
    await bench.rule({ ...rule, channelIds: [each] });
    bench.checks.down(...many);
    await pass(40);
    bench.checks.up(...many);
    await pass(40);
    const sent = peer.requests.map(({ body: text }): { key: string; kind: string; check: string } =>
      JSON.parse(text),
    );
    const keysOf = (kind: string): Set<string> =>
      new Set(sent.filter((one) => one.kind === kind).map(({ key, check }) => `${key} ${check}`));
    assert.equal(keysOf("firing").size, many.length);
    assert.deepEqual(keysOf("firing"), keysOf("resolved"));
  });

  it("gets acknowledgements, which other channels do not", async () => {
    const [each, other] = [await openReceiver(), await openReceiver()];
    const channelIds = [
      await outbox.addChannel({
        type: "http",
        url: `${each.origin}/x`,
        perAlert: true,
        body: "{{json kind}}",
      }),
      await outbox.addChannel({ type: "http", url: `${other.origin}/x`, body: "{{json kind}}" }),
    ];
    bench.checks.add("shop");
    bench.checks.up("shop");
    await bench.rule({ ...rule, channelIds });
    bench.checks.down("shop");
    await pass(1);
    const ids = bench.alerts.firing().map(({ id }) => id);
    const setMute = (): Promise<void> => Promise.resolve();
    await bench.alerts.incidents.changeMany({ ids, what: { action: "acknowledge" }, actor, setMute });
    await pass(1);
    const bodies = ({ requests }: Receiver): readonly string[] => requests.map(({ body }) => body);
    assert.deepEqual(bodies(each), ['"firing"', '"acknowledged"']);
    assert.deepEqual(bodies(other), ['"firing"']);
  });
});
