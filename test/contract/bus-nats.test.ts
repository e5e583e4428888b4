import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { connect } from "@nats-io/transport-node";
import type { Bus } from "../../src/bus/bus.ts";
import { createNatsBus } from "../../src/bus/nats.ts";
import { createBusSeal } from "../../src/bus/seal.ts";
import { type NatsServer, skipWithoutNats, startNatsServer } from "../support/nats-server.ts";
import { type BusFixture, declareBusContract, hear } from "./bus-contract.ts";
import { eventually } from "../support/eventually.ts";

const server = await startNatsServer();
const skip = skipWithoutNats();

/** The server that a suite is skipped without. */
function getServer(): NatsServer {
  assert.ok(server !== undefined);
  return server;
}

const SECRET = "a secret that all nodes of the test have";

interface Joined {
  readonly bus: Bus;
  readonly said: string[];
}

function join(node: string, options: { url?: string; prefix?: string } = {}): Joined {
  const said: string[] = [];
  const { url = getServer().url, prefix = "test.one" } = options;
  const bus = createNatsBus({
    node,
    url,
    prefix,
    name: "trivet-test",
    secret: SECRET,
    now: () => Date.now(),
    onEvent: ({ message, error }) =>
      said.push(error instanceof Error ? `${message}: ${error.message}` : message),
  });
  return { bus, said };
}

async function openFixture(): Promise<BusFixture> {
  const failures: string[] = [];
  const buses: Bus[] = [];
  const all = (isConnected: boolean): Promise<boolean> =>
    eventually(() => buses.every((bus) => bus.isConnected === isConnected));
  return {
    join: async (node, { isStranger = false } = {}) => {
      const bus = createNatsBus({
        node,
        url: getServer().url,
        prefix: isStranger ? "test.two" : "test.one",
        name: "trivet-test",
        secret: SECRET,
        now: () => Date.now(),
        onEvent: ({ message, error }) => {
          if (error !== undefined) failures.push(message);
        },
      });
      buses.push(bus);
      await eventually(() => bus.isConnected);
      return bus;
    },
    cut: async () => {
      await getServer().kill();
      await all(false);
    },
    heal: async () => {
      await getServer().start();
      await all(true);
    },
    failures,
    close: async () => {
      for (const bus of buses) await bus.close();
    },
  };
}

after(() => server?.stop());

describe("the bus over NATS", { skip }, () => {
  declareBusContract(openFixture);
});

describe("createNatsBus", { skip }, () => {
  it("drops unreadable messages, reports them, and receives what comes after", async () => {
    const { bus, said } = join("a");
    const heard = hear(bus, "news");
    const foreign = await connect({ servers: getServer().url.slice("nats://".length) });
    const seal = createBusSeal({ secret: SECRET, now: () => Date.now() });
    const send = (subject: string, message: string | Uint8Array): void => {
      const bytes = typeof message === "string" ? new TextEncoder().encode(message) : message;
      foreign.publish(subject, seal.seal(subject, bytes));
    };
    try {
      await eventually(() => bus.isConnected);
      const texts = [
        "",
        "no JSON",
        "[]",
        "null",
        '{"body":1}',
        '{"from":7,"body":1}',
        '{"from":"x","ask":"1"}',
      ];
      const bad = [...texts.map((text) => new TextEncoder().encode(text)), Uint8Array.of(0x22, 0xff, 0x22)];
      for (const bytes of bad) send("test.one.topic.news", bytes);
      // An unsolicited reply, and one without a request number.
      send("test.one.reply.a", '{"from":"x","body":{"ask":99,"answer":1}}');
      send("test.one.reply.a", '{"from":"x","body":{}}');
      send("test.one.topic.news", '{"from":"x","body":"good"}');
      await eventually(() => heard.messages.length === 1);
      assert.deepEqual(heard.messages, ["good"]);
      await eventually(() => said.filter((text) => text.includes("was dropped")).length === bad.length + 1);
    } finally {
      await foreign.close();
      await bus.close();
    }
  });

  it("hears no stranger, answers none, and tells of them once a minute", async () => {
    const { bus, said } = join("a");
    const other = join("b");
    const heard = hear(bus, "news");
    bus.answer("secrets", () => "a private word");
    const foreign = await connect({ servers: getServer().url.slice("nats://".length) });
    const overheard: Uint8Array[] = [];
    foreign.subscribe(">", { callback: (_error, { data }) => void overheard.push(data) });
    try {
      await eventually(() => bus.isConnected && other.bus.isConnected);
      await foreign.flush();
      const forged = '{"from":"b","body":"forged","ask":1}';
      for (const topic of ["topic.news", "ask.secrets"]) foreign.publish(`test.one.${topic}`, forged);
      other.bus.publish("news", "a private word");
      await eventually(() => heard.messages.length === 1);
      // What was overheard, sent again as it was.
      const repeated = overheard.at(-1);
      assert.ok(repeated);
      foreign.publish("test.one.topic.news", repeated);
      other.bus.publish("news", "the end");
      await eventually(() => heard.messages.length === 2);
      assert.deepEqual(heard.messages, ["a private word", "the end"]);
      assert.ok(!Buffer.concat(overheard).includes("private"));
      assert.equal(said.filter((text) => text.includes("was rejected")).length, 1, said.join("\n"));
    } finally {
      await foreign.close();
      await bus.close();
      await other.bus.close();
    }
  });

  it("says once that the server cannot be reached, tries on, and closes at any time", async () => {
    await getServer().kill();
    const { bus, said } = join("a");
    const heard = hear(bus, "news");
    await eventually(() => said.length === 1);
    assert.match(said[0] ?? "", /cannot be reached/u);
    bus.publish("news", 1);
    const other = join("b");
    await other.bus.close(); // while it tries
    await getServer().start();
    await eventually(() => bus.isConnected);
    assert.deepEqual(said.slice(1), ["The bus is connected"]);
    const third = join("c");
    await eventually(() => third.bus.isConnected);
    third.bus.publish("news", 2);
    await eventually(() => heard.messages.length === 1);
    await bus.close();
    await third.bus.close();
  });
});

describe("createNatsBus with a user who may not hear", { skip }, () => {
  it("tells what the server refuses, once", async () => {
    const strict = await startNatsServer({ deniedSubject: "test.one.topic.>" });
    assert.ok(strict !== undefined);
    const { bus, said } = join("a", { url: strict.url });
    try {
      await eventually(() => bus.isConnected);
      const refusals = (): string[] => said.filter((text) => text.includes("permissions"));
      hear(bus, "news");
      await eventually(() => refusals().length === 1);
      assert.match(refusals()[0] ?? "", /denied.+test\.one\.topic\.news/u);
    } finally {
      await bus.close();
      await strict.stop();
    }
  });
});

describe("createNatsBus with credentials", { skip }, () => {
  let locked: NatsServer | undefined;
  before(async () => {
    locked = await startNatsServer({ credentials: { user: "trivet", password: "a:b@c/d" } });
  });
  after(() => locked?.stop());

  it("is let in with the right ones, and stays away with wrong ones without a word of them", async () => {
    assert.ok(locked !== undefined);
    const withUser = (password: string): string => {
      const url = new URL(locked?.url ?? "");
      return `nats://trivet:${encodeURIComponent(password)}@${url.host}`;
    };
    const wrong = join("a", { url: withUser("wrong-secret") });
    await eventually(() => wrong.said.length > 0);
    assert.equal(wrong.bus.isConnected, false);
    assert.ok(!wrong.said.join().includes("wrong-secret"), wrong.said.join());
    const right = join("b", { url: withUser("a:b@c/d") });
    await eventually(() => right.bus.isConnected);
    await Promise.all([wrong.bus.close(), right.bus.close()]);
  });
});
