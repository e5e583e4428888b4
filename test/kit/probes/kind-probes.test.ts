/** WebSocket, gRPC, mail and MQTT: servers of other projects where npm has them, else bytes that they sent. */
import assert from "node:assert/strict";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { afterEach, describe, it } from "node:test";
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { WebSocketServer } from "ws";
import { describeTarget } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { isDeno } from "../../support/own-runtime.ts";
import { ended, good, otherName } from "./certificates.ts";
import {
  hexBytes,
  look,
  sayResult,
  serveScript,
  serveTcp,
  type ScriptStep,
  type TargetServer,
} from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

const SHORT = { timeoutMs: 400 };
const host = "localhost";

async function said(target: object, more: object = {}): Promise<string> {
  return sayResult(await look("url" in target ? target : { host, ...target }, more));
}

async function replay(...steps: readonly ScriptStep[]): Promise<TargetServer> {
  const server = await serveScript(...steps);
  cleanUp.push(server.close);
  return server;
}

describe("WebSocket probes", () => {
  async function serve(
    options: { pair?: typeof good; protocol?: string; answer?: number } = {},
  ): Promise<number> {
    const server = options.pair === undefined ? createHttp() : createHttps(options.pair);
    const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => options.protocol ?? false });
    server.on("upgrade", (request, socket, head) => {
      if (options.answer !== undefined) socket.end(`HTTP/1.1 ${options.answer} Nope\r\n\r\n`);
      else sockets.handleUpgrade(request, socket, head, (one) => one.on("error", () => undefined));
    });
    server.on("tlsClientError", () => undefined);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => server.close());
    // `as`: a listener on a port has an address of this shape.
    return (server.address() as AddressInfo).port;
  }

  it("complete the handshake with ws, in plain and over TLS", async () => {
    const plain = await serve();
    assert.equal(
      await said({ kind: "websocket", url: `ws://localhost:${plain}/feed?x=1` }),
      "up | 101 Switching Protocols",
    );
    const secure = await serve({ pair: good });
    const result = await look({ kind: "websocket", url: `wss://localhost:${secure}/` });
    assert.equal(sayResult(result), "up | 101 Switching Protocols");
    assert.equal(result.certificate?.subject, "localhost");
  });

  it("say what keeps them from it", async () => {
    const web = async (target: object, more?: object) => said({ kind: "websocket", ...target }, more);
    const forbidden = await serve({ answer: 403 });
    assert.equal(await web({ url: `ws://localhost:${forbidden}/` }), "status | No WebSocket here: 403 Nope");
    const subprotocol = await serve({ protocol: "mqtt" });
    assert.equal(
      await web({ url: `ws://localhost:${subprotocol}/`, subprotocol: "mqtt" }),
      "up | 101 Switching Protocols",
    );
    assert.match(
      await web({ url: `ws://localhost:${await serve()}/`, subprotocol: "graphql-ws" }),
      /^protocol \| The server did not accept the subprotocol/u,
    );
    const bad = await serve({ pair: otherName });
    assert.match(await web({ url: `wss://localhost:${bad}/` }), /^certificate \|/u);
    const lies = await replay([/\r\n\r\n/u, "HTTP/1.1 101 Yes\r\nSec-WebSocket-Accept: none\r\n\r\n"]);
    assert.match(await web({ url: `ws://localhost:${lies.port}/` }), /^protocol \| .*Sec-WebSocket-Accept$/u);
    const silent = await replay();
    assert.match(await web({ url: `ws://localhost:${silent.port}/` }, SHORT), /^timeout \|/u);
  });

  it("refuse other URLs when they are saved", () => {
    for (const url of ["https://example.org/", "wss://user:pass@example.org/", "feed", ""])
      assert.equal(targetSchema.safeParse({ kind: "websocket", url }).success, false, url);
  });
});

/** grpc.health.v1 as its .proto says it: field 1 of the answer is the status. */
function healthService(status: (service: string) => number | Error) {
  const plain = (value: Buffer): Buffer => value;
  const definition: ServiceDefinition = {
    check: {
      path: "/grpc.health.v1.Health/Check",
      requestStream: false,
      responseStream: false,
      requestSerialize: plain,
      requestDeserialize: plain,
      responseSerialize: plain,
      responseDeserialize: plain,
    },
  };
  const implementation: UntypedServiceImplementation = {
    check: (call: { request: Buffer }, answer: (error: Error | null, value?: Buffer) => void) => {
      const found = status(call.request.subarray(2).toString());
      if (found instanceof Error) answer(found);
      else answer(null, found === 0 ? Buffer.alloc(0) : Buffer.from([0x08, found]));
    },
  };
  return { definition, implementation };
}

describe("gRPC probes", { skip: isDeno && "Deno has no server of HTTP/2 for grpc-js" }, () => {
  async function serve(status: (service: string) => number | Error, pair?: typeof good): Promise<number> {
    const server = new Server();
    const { definition, implementation } = healthService(status);
    server.addService(definition, implementation);
    const credentials =
      pair === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [
            { cert_chain: Buffer.from(pair.cert), private_key: Buffer.from(pair.key) },
          ]);
    cleanUp.push(() => server.forceShutdown());
    return new Promise((resolve, reject) =>
      server.bindAsync("127.0.0.1:0", credentials, (error, port) => (error ? reject(error) : resolve(port))),
    );
  }

  it("tell what the health service of grpc-js says, of the server and of a service", async () => {
    const port = await serve((service) => (service === "acme.Down" ? 2 : service === "acme.Odd" ? 0 : 1));
    const grpc = { kind: "grpc", port, tls: false };
    assert.equal(await said(grpc), "up | SERVING");
    assert.equal(await said({ ...grpc, service: "acme.Up" }), "up | SERVING");
    assert.equal(await said({ ...grpc, service: "acme.Down" }), "status | The server answered NOT_SERVING");
    assert.equal(await said({ ...grpc, service: "acme.Odd" }), "status | The server answered UNKNOWN");
    const long = `a.${"b".repeat(150)}`;
    assert.equal(await said({ ...grpc, service: long }), "up | SERVING");
  });

  it("tell refusals, certificates and servers without a health service", async () => {
    const failing = await serve(() => Object.assign(new Error("no"), { code: 16 }));
    assert.match(await said({ kind: "grpc", port: failing, tls: false }), /^status \| .*UNAUTHENTICATED/u);
    const secure = await serve(() => 1, good);
    const result = await look({ kind: "grpc", host, port: secure });
    assert.equal(sayResult(result), "up | SERVING");
    assert.equal(result.certificate?.isTrusted, true);
    const old = await serve(() => 1, ended);
    assert.match(await said({ kind: "grpc", port: old }), /^certificate \| The certificate expired/u);
    assert.equal(await said({ kind: "grpc", port: old, ignoresCertificate: true }), "up | SERVING");
    const http1 = await replay([/\n/u, "HTTP/1.1 400 Bad Request\r\n\r\n"]);
    assert.match(
      await said({ kind: "grpc", port: http1.port, tls: false }, SHORT),
      /^(?:protocol|timeout|reset) \|/u,
    );
  });
});

describe("mail probes", () => {
  const mail = (protocol: string, port: number, security = "none") => ({
    kind: "mail",
    protocol,
    port,
    security,
  });
  /** As OpenSMTPD and Dovecot answer. */
  const smtp = [
    [undefined, "220 vm ESMTP OpenSMTPD\r\n"],
    [/^EHLO \S+\r\n/u, "250-vm Hello\r\n250-8BITMIME\r\n250 HELP\r\n"],
  ] as const;

  it("wait for the greeting of each protocol", async () => {
    const server = await replay(...smtp, [/QUIT/u, "221 2.0.0 Bye\r\n"]);
    assert.equal(await said(mail("smtp", server.port)), "up | 220 vm ESMTP OpenSMTPD");
    const imap = await replay([undefined, "* OK [CAPABILITY IMAP4rev1] Dovecot ready.\r\n"]);
    assert.equal(await said(mail("imap", imap.port)), "up | * OK [CAPABILITY IMAP4rev1] Dovecot ready.");
    const pop3 = await replay([undefined, "+OK Dovecot ready.\r\n"]);
    assert.equal(await said(mail("pop3", pop3.port)), "up | +OK Dovecot ready.");
  });

  for (const [protocol, steps] of [
    ["smtp", [...smtp, [/^STARTTLS\r\n/u, "220 2.0.0 Ready\r\n"]]],
    [
      "imap",
      [
        [undefined, "* OK ready\r\n"],
        [/^a1 STARTTLS\r\n/u, "* CAPABILITY X\r\na1 OK Begin TLS\r\n"],
      ],
    ],
    [
      "pop3",
      [
        [undefined, "+OK ready\r\n"],
        [/^STLS\r\n/u, "+OK Begin TLS\r\n"],
      ],
    ],
  ] as const)
    it(`judge the certificate after STARTTLS of ${protocol}`, async () => {
      for (const [pair, expected] of [
        [good, /^up \|/u],
        [ended, /^certificate \| The certificate expired/u],
      ] as const) {
        const server = await serveTcp((socket: Socket) => {
          let at = 0;
          const go = (sent: string): void => {
            let text = sent;
            for (let step = steps[at]; step !== undefined; step = steps[at]) {
              if (step[0] !== undefined && !step[0].test(text)) return;
              text = "";
              at += 1;
              socket.write(step[1]);
            }
            socket.removeAllListeners("data");
            const secure = new TLSSocket(socket, { isServer: true, cert: pair.cert, key: pair.key });
            secure.on("error", () => undefined);
          };
          socket.on("data", (part: Buffer) => go(part.toString("latin1")));
          go("");
        });
        cleanUp.push(server.close);
        assert.match(await said(mail(protocol, server.port, "starttls")), expected);
      }
    });

  it("tell refusals, other protocols, silence and endless lines", async () => {
    const busy = await replay([undefined, "421 4.3.2 Too many connections\r\n"]);
    assert.equal(
      await said(mail("smtp", busy.port)),
      'status | The server answered "421 4.3.2 Too many connections"',
    );
    const bye = await replay([undefined, "* BYE overloaded\r\n"]);
    assert.equal(await said(mail("imap", bye.port)), 'status | The server answered "* BYE overloaded"');
    const ssh = await replay([undefined, "SSH-2.0-OpenSSH_9.2\r\n"]);
    for (const protocol of ["smtp", "imap", "pop3"])
      assert.match(await said(mail(protocol, ssh.port)), /^protocol \| .*"SSH-2\.0-OpenSSH_9\.2"$/u);
    const plain = await replay(...smtp, [/^STARTTLS\r\n/u, "502 5.5.1 No\r\n"]);
    assert.equal(
      await said(mail("smtp", plain.port, "starttls")),
      'tls | The server refuses STARTTLS: "502 5.5.1 No"',
    );
    const endless = await replay([undefined, "220 ".padEnd(100_000, "x")]);
    assert.match(
      await said(mail("smtp", endless.port), SHORT),
      /^protocol \| The server sent something else/u,
    );
    assert.match(
      await said(mail("smtp", (await replay()).port), SHORT),
      /^timeout \| .*waiting for the response$/u,
    );
    const gone = await serveTcp((socket: Socket) => socket.end());
    cleanUp.push(gone.close);
    assert.match(await said(mail("smtp", gone.port)), /^reset \|/u);
  });
});

describe("MQTT probes", () => {
  it("connect as mosquitto expects it, and tell why they may not", async () => {
    const mqtt = (port: number, more: object = {}) => said({ kind: "mqtt", port, ...more }, SHORT);
    const open = await replay([/^\x10.\0\x04MQTT\x04\x02\0\x1e\0\x13trivet-/su, hexBytes("20 02 00 00")]);
    assert.equal(await mqtt(open.port), "up | The broker accepted the client");
    const known = await replay([/MQTT\x04\xc2.*\0\x03bob\0\x07hunter2$/su, hexBytes("20 02 00 00")]);
    assert.equal(
      await mqtt(known.port, { username: "bob", password: "hunter2" }),
      "up | The broker accepted the client",
    );
    const refused = await replay([/MQTT/u, hexBytes("20 02 00 05")]);
    assert.equal(await mqtt(refused.port), "status | The broker refused: the client is not authorized");
    const other = await replay([/MQTT/u, "HTTP/1.1 400 Bad Request\r\n"]);
    assert.equal(await mqtt(other.port), "protocol | The server does not speak MQTT 3.1.1");
  });
});

describe("descriptions of new kinds", () => {
  it("name protocol and place, without secrets", () => {
    const say = (target: object): string =>
      describeTarget(targetSchema.parse({ host: "a.example", ...target }));
    assert.equal(say({ kind: "mail", protocol: "imap", port: 143 }), "IMAP a.example:143");
    assert.equal(say({ kind: "database", password: "x" }), "PostgreSQL a.example:5432");
    assert.equal(say({ kind: "mqtt", username: "bob", password: "x" }), "MQTT a.example:1883");
    assert.equal(say({ kind: "grpc", service: "b.C" }), "gRPC a.example:443 b.C");
    assert.equal(say({ kind: "ntp" }), "NTP a.example");
    assert.equal(say({ kind: "udp", port: 5, send: "x" }), "UDP a.example:5");
    assert.equal(
      describeTarget(targetSchema.parse({ kind: "websocket", url: "wss://a.example/feed?token=x" })),
      "WebSocket a.example/feed",
    );
  });
});
