/** A public demo that starts over: the next one replaces the present one without a gap, and one that fails changes nothing. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, type Socket, connect } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { loadConfig } from "../../src/config.ts";
import { findFreePort } from "../support/free-ports.ts";
import { projectFolder } from "../support/process.ts";
import { demoBase, toDemoEnvironment, toFrontEnvironment } from "./demo/all.ts";
import { type Front, openFront } from "./demo/front.ts";
import { runRounds } from "./demo/rounds.ts";

describe("the rounds of a demo", () => {
  it("replace the demo only once the next one runs, and keep it where that fails", async () => {
    const seen: string[] = [];
    let stop: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    const create = (name: string) => ({ stop: async () => void seen.push(`stop ${name}`) });
    const outcomes = ["two", new Error("no room on the disk"), "three", "broken", "four"];
    let rounds = 0;
    await runRounds(create("one"), {
      stopped,
      say: (text) => seen.push(text),
      wait: async () => {
        rounds += 1;
        if (rounds > outcomes.length) stop?.();
      },
      fill: async () => {
        const outcome = outcomes[rounds - 1];
        if (outcome instanceof Error) throw outcome;
        return outcome ?? assert.fail();
      },
      start: async (name) => {
        seen.push(`start ${name}`);
        if (name === "broken") throw new Error("a port is taken");
        return create(name);
      },
    });
    assert.deepEqual(seen, [
      ...["start two", "stop one", "The demo has started over"],
      "The demo could not start over, and goes on as it is: no room on the disk",
      ...["start three", "stop two", "The demo has started over"],
      ...["start broken", "The demo could not start over, and goes on as it is: a port is taken"],
      ...["start four", "stop three", "The demo has started over"],
      "stop four",
    ]);
  });

  it("end at once while the next demo is being filled", async () => {
    const seen: string[] = [];
    let stop: (() => void) | undefined;
    const stopped = new Promise<void>((resolve) => {
      stop = resolve;
    });
    await runRounds<string, { stop(): Promise<void> }>(
      { stop: async () => void seen.push("stopped") },
      {
        stopped,
        say: (text) => seen.push(text),
        wait: async () => undefined,
        fill: () => {
          stop?.();
          return new Promise(() => undefined);
        },
        start: () => assert.fail("a demo was started after the end"),
      },
    );
    assert.deepEqual(seen, ["stopped"]);
  });
});

describe("the ports of a demo", () => {
  const ends: (() => void)[] = [];
  after(() => {
    for (const end of ends) end();
  });

  async function startSite(name: string): Promise<number> {
    const server = createServer((_request, response) => void response.end(name)).listen(0, "127.0.0.1");
    ends.push(() => {
      server.closeAllConnections();
      server.close();
    });
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address() as AddressInfo; // of a TCP server that listens
    return address.port;
  }

  /** One request on a connection that stays open. */
  const ask = (socket: Socket): Promise<string> =>
    new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", (bytes: Buffer) => resolve(bytes.toString().split("\r\n\r\n")[1] ?? ""));
      socket.write("GET / HTTP/1.1\r\nHost: demo\r\n\r\n");
    });

  it("lead new visitors to the next program, and leave the others where they are", async () => {
    const port = await findFreePort();
    const front: Front = await openFront({ SHOP_PORT: port }, "127.0.0.1");
    ends.push(() => void front.close());
    front.lead("SHOP_PORT", await startSite("first"));
    const early = connect(port, "127.0.0.1");
    assert.match(await ask(early), /first/u);
    front.lead("SHOP_PORT", await startSite("second"));
    const late = connect(port, "127.0.0.1");
    assert.match(await ask(late), /second/u);
    assert.match(await ask(early), /first/u);
    await front.close();
    // Both connections end with the ports.
    for (const socket of [early, late])
      if (!socket.destroyed) await new Promise((resolve) => socket.once("close", resolve));
  });

  it("survive a program that is gone", async () => {
    const port = await findFreePort();
    const front = await openFront({ SHOP_PORT: port }, "127.0.0.1");
    ends.push(() => void front.close());
    front.lead("SHOP_PORT", await findFreePort());
    const socket = connect(port, "127.0.0.1");
    await new Promise((end) => socket.on("error", () => undefined).once("close", end));
    front.lead("SHOP_PORT", await startSite("back"));
    assert.match(await ask(connect(port, "127.0.0.1")), /back/u);
    await front.close();
  });
});

describe("the environment of a public demo", () => {
  it("is one that the program starts with, as the documentation gives it", async () => {
    const page = await readFile(join(projectFolder, "docs/demo.md"), "utf8");
    const block = /## Publish a demo\n```sh\n([^]*?)```/u.exec(page)?.[1] ?? "";
    const given = Object.fromEntries(
      Array.from(block.matchAll(/(\w+_(?:URL|PORT))=(\S+)/gu), ([, name, value]): [string, string] => [
        name ?? "",
        value ?? "",
      ]),
    );
    assert.equal(given["SHOP_PUBLIC_URL"], "https://demo.example.org/shop");
    const { env, ports } = toFrontEnvironment(toDemoEnvironment(given));
    assert.deepEqual(Object.keys(ports).toSorted(), [
      "AUTH_PORT",
      "GATEWAY_PORT",
      "GRPC_PORT",
      "MONITOR_PORT",
      "SHOP_PORT",
    ]);
    const config = loadConfig({ ...demoBase, ...env, READ_ONLY: "1" });
    assert.deepEqual([config.shopDemo, config.readOnly], [true, true]);
  });

  it("has the addresses that visitors use, not those of the program behind them", () => {
    const { env } = toFrontEnvironment(toDemoEnvironment({ SHOP_PORT: "9081" }));
    assert.deepEqual(
      [env["PUBLIC_URL"], env["AUTH_PUBLIC_URL"], env["SHOP_PUBLIC_URL"]],
      ["http://127.0.0.1:8080", "http://127.0.0.1:8082", "http://127.0.0.1:9081"],
    );
  });
});
