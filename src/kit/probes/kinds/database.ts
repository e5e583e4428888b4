/** Whether a database server takes connections: its greeting, and for Redis the login. */
import { z } from "zod";
import { line } from "../../text/schemas.ts";
import { type Conversation, converse, tlsSettings } from "../conversation.ts";
import { describePlace, hostSchema, portSchema } from "../fields.ts";
import type { ProbeForm, ProbeKind } from "../probe.ts";
import { ProbeFailure, runTry } from "../try.ts";

const systems = ["postgresql", "mysql", "redis"] as const;
type System = (typeof systems)[number];

const settings = () => ({
  system: z.enum(systems).default("postgresql"),
  host: hostSchema,
  port: portSchema.default(5_432),
  /** Whether the connection is encrypted. */
  tls: z.boolean().default(false),
  /** PostgreSQL and MySQL: the name to connect as, without a password. Redis: the user of the password. */
  user: line(63).trim().default(""),
  ...tlsSettings(),
});
const secrets = () => ({ password: line(500).min(1) });

type Place = z.infer<z.ZodObject<ReturnType<typeof settings>>> & { readonly password: string };

const names: Readonly<Record<System, string>> = {
  postgresql: "PostgreSQL",
  mysql: "MySQL",
  redis: "Redis",
};

function refuse(what: string): ProbeFailure {
  return new ProbeFailure("status", what);
}

function word32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Fields of an ErrorResponse: a letter, and a text that ends with 0. */
function readPostgresError(body: Buffer): { readonly code: string; readonly message: string } {
  const fields = new Map(
    body
      .toString("utf8")
      .split("\0")
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  );
  return { code: fields.get("C") ?? "", message: fields.get("M") ?? "" };
}

/** "The database system is starting up", and too many connections: the server runs, but accepts no connections. */
const NOT_SERVING = /^(?:57P03|53300|57P01|57P02)$/u;

/** As pg_isready: any answer to a startup message but that the server cannot serve now counts. */
async function askPostgres(talk: Conversation, place: Place): Promise<string> {
  if (place.tls) {
    // SSLRequest: https://www.postgresql.org/docs/current/protocol-flow.html
    talk.send(Buffer.concat([word32(8), word32(80_877_103)]));
    const [answer] = await talk.bytes(1);
    if (answer !== 83) throw new ProbeFailure("tls", "The server does not offer TLS");
    await talk.startTls(place);
  }
  const user = place.user === "" ? "postgres" : place.user;
  const body = Buffer.from(`user\0${user}\0database\0postgres\0application_name\0trivet check\0\0`);
  talk.send(Buffer.concat([word32(body.length + 8), word32(196_608), body]));
  const head = await talk.bytes(5);
  const kind = String.fromCharCode(head[0] ?? 0);
  const length = head.readUInt32BE(1) - 4;
  if (!"RENv".includes(kind) || length < 0 || length > 16_000)
    throw new ProbeFailure("protocol", "The server does not speak the protocol of PostgreSQL");
  if (kind !== "E") return "PostgreSQL accepts connections";
  const { code, message } = readPostgresError(await talk.bytes(length));
  if (NOT_SERVING.test(code)) throw refuse(`PostgreSQL: ${message} (${code})`);
  return `PostgreSQL accepts connections (${code})`;
}

async function readMysqlPacket(talk: Conversation): Promise<Buffer> {
  const head = await talk.bytes(4);
  const length = head.readUIntLE(0, 3);
  if (length === 0 || length > 16_000)
    throw new ProbeFailure("protocol", "The server does not speak the protocol of MySQL");
  return talk.bytes(length);
}

function readMysqlError(packet: Buffer): { readonly code: number; readonly message: string } {
  // 0xff, the code, and from protocol 4.1 on "#" with a state of 5 characters.
  const text = packet.subarray(3).toString("utf8");
  return { code: packet.readUInt16LE(1), message: text.replace(/^#.{5}/u, "") };
}

const ACCESS_DENIED = new Set([1_045, 1_044, 1_251, 1_698, 1_873]);
/** CLIENT_PROTOCOL_41, CLIENT_SECURE_CONNECTION, CLIENT_PLUGIN_AUTH. */
const CLIENT = 0x00_08_82_00;
const CLIENT_SSL = 0x0800;

/**
 * Answers the greeting with a login without a password: a server counts connections that say nothing, and blocks their
 * host after 100 of them (max_connect_errors). "Access denied" is an answer.
 */
async function askMysql(talk: Conversation, place: Place): Promise<string> {
  const greeting = await readMysqlPacket(talk);
  if (greeting[0] === 0xff) {
    const { code, message } = readMysqlError(greeting);
    throw refuse(`MySQL: ${message} (${code})`);
  }
  if (greeting[0] !== 10)
    throw new ProbeFailure("protocol", "The server does not speak the protocol of MySQL");
  // MariaDB says "5.5.5-10.11.19-MariaDB", for replicas of old versions.
  const version = greeting
    .subarray(1, greeting.indexOf(0, 1))
    .toString("utf8")
    .replace(/^5\.5\.5-/u, "");
  const capabilities = Buffer.alloc(32);
  capabilities.writeUInt32LE(CLIENT | (place.tls ? CLIENT_SSL : 0), 0);
  capabilities.writeUInt32LE(16_777_215, 4);
  capabilities[8] = 45;
  const packet = (body: Buffer, number: number): Buffer =>
    Buffer.concat([Buffer.from([body.length & 255, body.length >> 8, 0, number]), body]);
  let number = 1;
  if (place.tls) {
    if (((greeting.at(greeting.indexOf(0, 1) + 15) ?? 0) & 8) === 0)
      throw new ProbeFailure("tls", "The server does not offer TLS");
    talk.send(packet(capabilities, number));
    number += 1;
    await talk.startTls(place);
  }
  const user = place.user === "" ? "trivet" : place.user;
  const login = Buffer.from(`${user}\0\0mysql_native_password\0`);
  talk.send(packet(Buffer.concat([capabilities, login]), number));
  const answer = await readMysqlPacket(talk);
  if (answer[0] === 0xff) {
    const { code, message } = readMysqlError(answer);
    if (!ACCESS_DENIED.has(code)) throw refuse(`MySQL: ${message} (${code})`);
  }
  return `MySQL ${version} accepts connections`;
}

const toCommand = (...words: readonly string[]): string =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join("")}`;

async function askRedis(talk: Conversation, { user, password }: Place): Promise<string> {
  if (password !== "") {
    talk.send(toCommand("AUTH", ...(user === "" ? [] : [user]), password));
    const answer = await talk.line();
    if (!answer.startsWith("+OK")) throw refuse(`Redis: ${answer.slice(1)}`);
  }
  talk.send(toCommand("PING"));
  const answer = await talk.line();
  // NOAUTH: it is there, and wants a password that the check does not have.
  if (answer.startsWith("+PONG")) return "Redis answered PING";
  if (answer.startsWith("-NOAUTH")) return "Redis requires a password";
  // LOADING, MASTERDOWN, DENIED by protected mode …
  if (answer.startsWith("-")) throw refuse(`Redis: ${answer.slice(1)}`);
  throw new ProbeFailure("protocol", "The server does not speak the protocol of Redis");
}

const asks: Readonly<Record<System, (talk: Conversation, place: Place) => Promise<string>>> = {
  postgresql: askPostgres,
  mysql: askMysql,
  redis: askRedis,
};

export const database: ProbeKind<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  settings,
  secrets,
  describe: ({ system, host, port }) => `${names[system]} ${describePlace({ host, port })}`,
  address: describePlace,
  host: ({ host }) => host,
  recipient: ({ host, port, tls }) => `${describePlace({ host, port })} ${tls}`,
  usesSecret: ({ system }) => system === "redis",
  probe: (target, context) =>
    runTry(context, (run) =>
      // PostgreSQL and MySQL go on to TLS within their own protocol.
      converse(run, { ...target, isTls: target.tls && target.system === "redis" }, (talk) =>
        asks[target.system](talk, target),
      ),
    ),
};

export const databaseForm: ProbeForm<ReturnType<typeof settings>, ReturnType<typeof secrets>> = {
  icon: "table",
  name: "{host}:{port}",
  fields: {
    system: {},
    host: { placeholder: "db.example.org" },
    port: {},
    tls: {},
    user: {},
    password: { when: { name: "system", among: ["redis"] } },
    certificateDays: { folded: true },
    ignoresCertificate: { folded: true },
  },
};
