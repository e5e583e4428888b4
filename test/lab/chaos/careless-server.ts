/**
 * The controls of everything that listens: small servers as they are easily written, each with one habit that breaks a
 * promise. Started as `careless-server.ts HABIT [ADDRESS]`; prints its port.
 *   plain     HTTP and WebSocket; ignores SIGTERM, buffers whole bodies, waits for slow readers
 *   sync      each POST is written and synced while all others wait
 *   asks      each request sends a request to ADDRESS, without a timeout
 *   postgres  each request queries the database at ADDRESS once, over a connection that is never reopened
 *   nats      health of a connection to ADDRESS that is never reopened
 *   mails     each request sends a mail to ADDRESS before it is answered
 *   tokens    POST issues a token for a minute, GET says whether it is valid, both by the wall clock
 *   grpc      a gRPC listener without keepalive; HTTP returns how many streams it believes open
 */
import { createServer, type IncomingMessage } from "node:http";
import process from "node:process";
import { Server, ServerCredentials, type ServerDuplexStream } from "@grpc/grpc-js";
import { connect } from "@nats-io/transport-node";
import { createTransport } from "nodemailer";
import pg from "pg";
import { WebSocketServer } from "ws";
import { connectPath } from "../../../src/monitor/proto/codec.ts";

const [, , habit = "plain", address = ""] = process.argv;

/** What a request is answered with. */
type Answer = (request: IncomingMessage, body: Buffer) => Promise<unknown>;

const TOKEN_MS = 60_000;

function createTokens(): Answer {
  const ends = new Map<string, number>();
  return async ({ method, headers }) => {
    const { authorization = "" } = headers;
    if (method === "POST") {
      const token = `token-${ends.size}`;
      ends.set(token, Date.now() + TOKEN_MS);
      return { token };
    }
    return { isValid: (ends.get(authorization) ?? 0) > Date.now() };
  };
}

async function createPostgresAnswer(): Promise<Answer> {
  const client = new pg.Client({ connectionString: address });
  client.on("error", () => undefined);
  await client.connect();
  return async () => (await client.query("select 1")).rowCount;
}

async function createNatsAnswer(): Promise<Answer> {
  const connection = await connect({ servers: address, reconnect: false });
  return async () => connection.flush();
}

/** Gives the number of streams that were opened and have not ended. */
async function createGrpcAnswer(): Promise<Answer> {
  let streams = 0;
  const identity = (bytes: Buffer): Buffer => bytes;
  const codec = { requestSerialize: identity, requestDeserialize: identity };
  const server = new Server();
  server.addService(
    {
      connect: {
        path: connectPath,
        requestStream: true,
        responseStream: true,
        ...codec,
        responseSerialize: identity,
        responseDeserialize: identity,
      },
    },
    {
      connect: (call: ServerDuplexStream<Buffer, Buffer>) => {
        streams += 1;
        let isOpen = true;
        const end = (): void => {
          if (isOpen) streams -= 1;
          isOpen = false;
        };
        call
          .on("data", () => undefined)
          .on("cancelled", end)
          .on("error", end)
          .on("end", end);
      },
    },
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return async () => ({ streams, grpc: `127.0.0.1:${port}` });
}

/** Synchronous, as `writeFileSync` and `fsyncSync` are on a disk that takes two seconds. */
function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function createAnswer(): Promise<Answer> {
  switch (habit) {
    case "tokens":
      return createTokens();
    case "postgres":
      return createPostgresAnswer();
    case "nats":
      return createNatsAnswer();
    case "grpc":
      return createGrpcAnswer();
    case "asks":
      return async () => (await fetch(address)).status;
    case "mails": {
      const transport = createTransport(address);
      return async () =>
        transport.sendMail({ from: "a@example.org", to: "b@example.org", subject: "Code", text: "1" });
    }
    case "sync":
      return async ({ method }) => {
        if (method === "POST") blockFor(2_000);
        return "ok";
      };
    default:
      return async (_, body) => body.length;
  }
}

const answer = await createAnswer();
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    answer(request, Buffer.concat(chunks))
      .then((result) => response.end(JSON.stringify(result ?? null)))
      .catch(() => response.writeHead(500).end());
  });
});
const sockets = new WebSocketServer({ server });
if (habit === "plain") {
  // To all clients, ten times a second, however much of it waits.
  setInterval(() => {
    for (const socket of sockets.clients) socket.send(Buffer.alloc(200_000, 1));
  }, 100);
}
server.listen(0, "127.0.0.1", () => {
  const place = server.address();
  process.stdout.write(`${typeof place === "object" && place !== null ? place.port : 0}\n`);
});
