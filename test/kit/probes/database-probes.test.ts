/** Databases, UDP and NTP: bytes that real servers sent, and what clients must send them. */
import assert from "node:assert/strict";
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { afterEach, describe, it } from "node:test";
import { readTimestamp } from "../../../src/kit/probes/kinds/ntp.ts";
import { toBytes } from "../../../src/kit/probes/kinds/udp.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { hexBytes, look, sayResult, serveScript, type ScriptStep, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

const SHORT = { timeoutMs: 400 };
const host = "localhost";

async function said(target: object, more: object = {}): Promise<string> {
  return sayResult(await look({ host, ...target }, more));
}

async function replay(...steps: readonly ScriptStep[]): Promise<TargetServer> {
  const server = await serveScript(...steps);
  cleanUp.push(server.close);
  return server;
}

describe("database probes", () => {
  const database = (system: string, port: number, more: object = {}) => ({
    kind: "database",
    system,
    port,
    ...more,
  });
  /** As MariaDB 10.11 greets. */
  const mariadb = Buffer.concat([
    hexBytes("5d 00 00 00 0a"),
    Buffer.from("5.5.5-10.11.19-MariaDB-0+deb12u1\0"),
    hexBytes("04000000 4142434445464748 00 fef7 2d 0200 ff81 15 000000000000 1d000000"),
    Buffer.from("ABCDEFGHIJKL\0mysql_native_password\0"),
  ]);
  mariadb.writeUIntLE(mariadb.length - 4, 0, 3);
  const mysqlError = (code: number, text: string): Buffer => {
    const body = Buffer.concat([Buffer.from([0xff, code & 255, code >> 8]), Buffer.from(text)]);
    return Buffer.concat([Buffer.from([body.length, 0, 0, 2]), body]);
  };
  const postgresError = (code: string, message: string): Buffer => {
    const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
    const head = Buffer.alloc(5);
    head.write("E");
    head.writeUInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };

  it("ask Redis to answer, with a password and without", async () => {
    const open = await replay([/PING/u, "+PONG\r\n"]);
    assert.equal(await said(database("redis", open.port)), "up | Redis answered PING");
    const closed = await replay([/PING/u, "-NOAUTH Authentication required.\r\n"]);
    assert.equal(await said(database("redis", closed.port)), "up | Redis requires a password");
    const login = await replay(
      [/^\*3\r\n\$4\r\nAUTH\r\n\$3\r\nbob\r\n\$6\r\ns3cret\r\n$/u, "+OK\r\n"],
      [/PING/u, "+PONG\r\n"],
    );
    assert.equal(
      await said(database("redis", login.port, { user: "bob", password: "s3cret" })),
      "up | Redis answered PING",
    );
    const wrong = await replay([/AUTH/u, "-WRONGPASS invalid username-password pair\r\n"]);
    assert.equal(
      await said(database("redis", wrong.port, { password: "x" })),
      "status | Redis: WRONGPASS invalid username-password pair",
    );
    const loading = await replay([/PING/u, "-LOADING Redis is loading the dataset in memory\r\n"]);
    assert.match(await said(database("redis", loading.port)), /^status \| Redis: LOADING/u);
  });

  it("log in to MySQL so that its host is not blocked, and count a rejected login as an answer", async () => {
    const denied = await replay(
      [undefined, mariadb],
      [/trivet\0\0mysql_native_password\0$/u, mysqlError(1_045, "#28000Access denied for user 'trivet'")],
    );
    assert.equal(
      await said(database("mysql", denied.port)),
      "up | MySQL 10.11.19-MariaDB-0+deb12u1 accepts connections",
    );
    const blocked = await replay([undefined, mysqlError(1_129, "Host '192.0.2.1' is blocked")]);
    assert.equal(
      await said(database("mysql", blocked.port)),
      "status | MySQL: Host '192.0.2.1' is blocked (1129)",
    );
    const full = await replay([undefined, mysqlError(1_040, "#08004Too many connections")]);
    assert.equal(await said(database("mysql", full.port)), "status | MySQL: Too many connections (1040)");
    const other = await replay([undefined, "SSH-2.0-OpenSSH_9.2\r\n"]);
    assert.match(await said(database("mysql", other.port), SHORT), /^(?:protocol|timeout) \|/u);
  });

  it("send PostgreSQL a startup message, as pg_isready does", async () => {
    const trust = await replay([/application_name\0trivet check\0\0$/u, hexBytes("52 00000008 00000000")]);
    assert.equal(await said(database("postgresql", trust.port)), "up | PostgreSQL accepts connections");
    const unknown = await replay([/./su, postgresError("28000", "role does not exist")]);
    assert.equal(
      await said(database("postgresql", unknown.port)),
      "up | PostgreSQL accepts connections (28000)",
    );
    for (const [code, message] of [
      ["57P03", "the database system is starting up"],
      ["53300", "sorry, too many clients already"],
    ] as const) {
      const server = await replay([/./su, postgresError(code, message)]);
      assert.equal(
        await said(database("postgresql", server.port)),
        `status | PostgreSQL: ${message} (${code})`,
      );
    }
    const plain = await replay([/^\0\0\0\u0008\u0004\u00d2\u0016\u002f$/u, "N"]);
    assert.equal(
      await said(database("postgresql", plain.port, { tls: true })),
      "tls | The server does not offer TLS",
    );
    const http = await replay([/./su, "HTTP/1.1 400 Bad Request\r\n\r\n"]);
    assert.match(await said(database("postgresql", http.port)), /^protocol \|/u);
  });
});

describe("UDP and NTP probes", () => {
  async function serve(answer: (question: Buffer) => Buffer | undefined): Promise<number> {
    const socket: Datagrams = createSocket("udp4");
    socket.on("message", (message, from) => {
      const found = answer(message);
      if (found !== undefined) socket.send(found, from.port, from.address);
    });
    await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
    cleanUp.push(() => new Promise<void>((resolve) => socket.close(() => resolve())));
    return socket.address().port;
  }
  const timeServer = (packet: Partial<Record<number, number>>, seconds = 2_208_988_800): (() => Buffer) => {
    const answer = Buffer.alloc(48);
    answer[0] = 0x24;
    answer[1] = 2;
    answer.writeUInt32BE(seconds, 40);
    for (const [at, byte = 0] of Object.entries(packet)) answer[Number(at)] = byte;
    return () => answer;
  };

  it("send bytes as they are written, and again when one gets lost", async () => {
    let count = 0;
    const port = await serve((question) => {
      count += 1;
      return count === 1 ? undefined : Buffer.concat([Buffer.from("I"), question]);
    });
    const udp = { kind: "udp", port, send: String.raw`\xff\x00A\\n` };
    assert.match(await said(udp), /^up \| 6 bytes from 127\.0\.0\.1:\d+$/u);
    assert.match(await said({ ...udp, expects: String.raw`\xff\0A` }), /^up/u);
    assert.match(await said({ ...udp, expects: "B" }), /^content \| The answer is "I\\xff\\x00A\\n"$/u);
    const silent = await serve(() => undefined);
    assert.match(await said({ ...udp, port: silent }, SHORT), /^timeout \|/u);
  });

  it("read bytes of a text", () => {
    assert.deepEqual(toBytes(String.raw`a\x0aß\0\n\\`), Buffer.from("a\nß\0\n\\"));
    for (const text of [String.raw`\q`, String.raw`\x1`, "\\"]) assert.equal(toBytes(text), undefined, text);
    assert.equal(targetSchema.safeParse({ kind: "udp", host, port: 1, send: String.raw`\q` }).success, false);
  });

  it("judge time servers by their clock", async () => {
    const ask = async (answer: () => Buffer, more: object = {}) =>
      said({ kind: "ntp", port: await serve(answer), ...more });
    assert.match(await ask(timeServer({})), /^up \| Stratum 2, -?\d+ ms from the clock of this location$/u);
    assert.match(await ask(timeServer({}), { maxOffsetMs: 5 }), /^content \| Stratum 2/u);
    assert.match(await ask(timeServer({ 0: 0xe4 })), /^status \| The server's clock is not synchronized$/u);
    assert.match(await ask(timeServer({ 1: 16 })), /^status \| The server's clock is not synchronized$/u);
    const kiss = timeServer({ 1: 0, 12: 82, 13: 65, 14: 84, 15: 69 });
    assert.equal(await ask(kiss), "status | The server refuses this location (RATE)");
    assert.match(await ask(() => Buffer.from("hello")), /^protocol \|/u);
  });

  it("read timestamps of both eras", () => {
    const at = (hex: string) => new Date(readTimestamp(hexBytes(hex), 0)).toISOString();
    assert.equal(at("83aa7e80 80000000"), "1970-01-01T00:00:00.500Z");
    assert.equal(at("00000000 00000000"), "2036-02-07T06:28:16.000Z");
  });
});
