import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type Socket, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createChoices } from "../../../src/agent/choices.ts";
import { noLists } from "../../../src/agent/name-filter.ts";
import { decodeMessage, encodeCall } from "../../../src/agent/details/dbus-message.ts";
import { createUnitsReader, readFailedUnits } from "../../../src/agent/details/failed-units.ts";

/** A message of a bus in either byte order, made apart from the code under test. */
function toMessage(
  type: number,
  { serial, body, isLittle = true }: { serial: number; body: Buffer; isLittle?: boolean },
): Buffer {
  const uint32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    if (isLittle) bytes.writeUInt32LE(value);
    else bytes.writeUInt32BE(value);
    return bytes;
  };
  // REPLY_SERIAL, a variant of "u"; then SENDER, a variant of "s", at the next multiple of 8.
  const sender = Buffer.from(":1.7\0");
  const fields = Buffer.concat([
    Buffer.from([5, 1, 0x75, 0]),
    uint32(serial),
    Buffer.from([7, 1, 0x73, 0]),
    uint32(4),
    sender,
  ]);
  const head = Buffer.concat([
    Buffer.from([isLittle ? 0x6c : 0x42, type, 0, 1]),
    uint32(body.length),
    uint32(99),
    uint32(fields.length),
    fields,
  ]);
  return Buffer.concat([head, Buffer.alloc((8 - (head.length % 8)) % 8), body]);
}

/** The body of an answer of type a(ssssssouso). */
function toUnits(units: readonly (readonly [name: string, description: string])[]): Buffer {
  let structs = Buffer.alloc(0);
  const add = (...parts: Buffer[]): void => {
    structs = Buffer.concat([structs, ...parts]);
  };
  const align = (to: number): void => add(Buffer.alloc((to - (structs.length % to)) % to));
  const uint32 = (value: number): void => {
    align(4);
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    add(bytes);
  };
  const string = (text: string): void => {
    uint32(Buffer.byteLength(text));
    add(Buffer.from(`${text}\0`));
  };
  for (const [name, description] of units) {
    align(8);
    for (const text of [
      name,
      description,
      "loaded",
      "failed",
      "failed",
      "",
      "/org/freedesktop/systemd1/unit/x",
    ])
      string(text);
    uint32(0);
    for (const text of ["", "/"]) string(text);
  }
  const length = Buffer.alloc(8);
  length.writeUInt32LE(structs.length);
  return Buffer.concat([length, structs]);
}

/** A bus that authenticates every client, and answers the second call with `answer`. */
async function startBus(answer: (socket: Socket) => void): Promise<{
  readonly path: string;
  readonly lines: string[];
  stop(): Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bus-"));
  const path = join(folder, "bus");
  const lines: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", (auth: Buffer) => {
      lines.push(auth.toString());
      socket.write("OK 1234deadbeef\r\n");
      socket.once("data", (calls: Buffer) => {
        lines.push(calls.toString("latin1"));
        answer(socket);
      });
    });
  }).listen(path);
  await once(server, "listening");
  return {
    path,
    lines,
    async stop() {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const hello = toMessage(2, { serial: 1, body: Buffer.from("\u0004\0\0\0:1.7\0", "latin1") });

describe("failed units", () => {
  it("are read over the system bus, whatever pieces the answer comes in", async () => {
    const units = [
      ["certbot.service", "Renews certificates — weekly"],
      ["backup.timer", ""],
    ] as const;
    const bus = await startBus((socket) => {
      socket.setNoDelay(true);
      const bytes = Buffer.concat([hello, toMessage(2, { serial: 2, body: toUnits(units) })]);
      for (const byte of bytes) socket.write(Buffer.from([byte]));
    });
    try {
      const reading = await createUnitsReader({
        socketPath: bus.path,
        uid: 1_000,
        choices: createChoices(noLists),
      })();
      assert.deepEqual(reading, {
        systemd: { failedUnits: 2 },
        details: {
          failedUnits: [
            { name: "certbot.service", description: "Renews certificates — weekly" },
            { name: "backup.timer", description: undefined },
          ],
        },
      });
      assert.equal(bus.lines[0], "\0AUTH EXTERNAL 31303030\r\n");
      assert.match(bus.lines[1] ?? "", /^BEGIN\r\nl[^]*Hello[^]*ListUnitsFiltered[^]*failed\0$/u);
    } finally {
      await bus.stop();
    }
  });

  it("are unknown, with a reason, when the bus refuses, goes away or talks nonsense", async () => {
    const answers: readonly (readonly [(socket: Socket) => void, RegExp])[] = [
      [(socket) => socket.write(toMessage(3, { serial: 2, body: Buffer.alloc(0) })), /denied listing/u],
      [(socket) => socket.end(), /closed the connection/u],
      [
        (socket) => socket.write(toMessage(2, { serial: 2, body: Buffer.from("ffffff7f00000000", "hex") })),
        /bounds|range/iu,
      ],
    ];
    for (const [answer, expected] of answers) {
      const bus = await startBus(answer);
      try {
        await assert.rejects(readFailedUnits(bus.path, 0), expected);
      } finally {
        await bus.stop();
      }
    }
    await assert.rejects(readFailedUnits("/nowhere/bus", 0), /ENOENT|No such file/u);
  });
});

describe("D-Bus messages", () => {
  it("are written as the specification has them", () => {
    const call = { serial: 7, destination: "d.e", path: "/p", interface: "i.f", member: "M" };
    const bytes = encodeCall({ ...call, strings: ["ab", "c"] });
    assert.deepEqual([...bytes.slice(0, 12)], [0x6c, 1, 0, 1, 18, 0, 0, 0, 7, 0, 0, 0]);
    // The body: its length, then "ab" and "c", each with length, NUL, and at a multiple of 4.
    assert.deepEqual([...bytes.slice(-18)], [14, 0, 0, 0, 2, 0, 0, 0, 97, 98, 0, 0, 1, 0, 0, 0, 99, 0]);
    assert.equal((bytes.length - 18) % 8, 0);
  });

  it("are read in either byte order, and not before they are whole", () => {
    for (const isLittle of [true, false]) {
      const bytes = toMessage(2, { serial: 258, body: Buffer.from([1, 2]), isLittle });
      for (let length = 0; length < bytes.length; length += 1)
        assert.equal(decodeMessage(bytes.subarray(0, length)), undefined);
      const message = decodeMessage(bytes);
      assert.deepEqual([message?.type, message?.replySerial, message?.size], [2, 258, bytes.length]);
    }
  });
});
