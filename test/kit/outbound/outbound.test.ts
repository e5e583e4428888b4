import assert from "node:assert/strict";
import { createServer, type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, it } from "node:test";
import {
  type Outbound,
  type OutboundOptions,
  type OutboundOutcome,
  createOutbound,
  findUrlFault,
} from "../../../src/kit/outbound/outbound.ts";
import { cert } from "../../support/tls-pair.ts";
import { type Receiver, startReceiver } from "../outbound-receiver.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function receiver(options: { tls?: boolean } = {}): Promise<Receiver> {
  const started = await startReceiver(options);
  cleanUp.push(() => started.close());
  return started;
}

/** Every name is this machine, so that no test asks a name server. */
function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  return createOutbound({
    allowPrivate: true,
    privateRemedy: "set NOTIFY_PRIVATE=1 to allow private addresses",
    userAgent: "Trivet/test",
    lookup: () => Promise.resolve(["127.0.0.1"]),
    ...options,
  });
}

function reasonOf(outcome: OutboundOutcome): string {
  assert.notEqual(outcome.kind, "answered");
  return outcome.kind === "answered" ? "" : `${outcome.kind}: ${outcome.reason}`;
}

describe("createOutbound", () => {
  it("sends method, headers and body, and gives the answer with what it says of waiting", async () => {
    const peer = await receiver();
    peer.answer((_request, response) =>
      response.writeHead(429, { "retry-after": "7" }).end("slower, please"),
    );
    const outcome = await outbound().send({
      method: "PUT",
      url: `http://push.example:${peer.port}/a%20b?c=d#e`,
      headers: { authorization: "Bearer s", host: "elsewhere.example", "content-length": "1" },
      contentType: "application/json",
      body: '{"text":"größer"}',
    });
    assert.deepEqual(outcome, { kind: "answered", status: 429, text: "slower, please", retryAfter: "7" });
    const [request] = peer.requests;
    assert.deepEqual(
      [request?.method, request?.url, request?.body],
      ["PUT", "/a%20b?c=d", '{"text":"größer"}'],
    );
    const { headers = {} } = request ?? {};
    assert.equal(headers["host"], `push.example:${peer.port}`);
    assert.equal(headers["authorization"], "Bearer s");
    assert.equal(headers["content-type"], "application/json");
    assert.equal(headers["user-agent"], "Trivet/test");
    assert.equal(headers["accept-encoding"], "identity");
  });

  it("looks a name up once, and connects to what was checked", async () => {
    const peer = await receiver();
    const asked: string[] = [];
    const lookup = (name: string): Promise<readonly string[]> => {
      asked.push(name);
      // A second look-up, also one by the system, would find nothing or another machine.
      return asked.length === 1 ? Promise.resolve(["127.0.0.1"]) : Promise.resolve(["10.0.0.1"]);
    };
    const outcome = await outbound({ lookup }).send({
      method: "GET",
      url: `http://push.invalid:${peer.port}/`,
    });
    assert.equal(outcome.kind, "answered");
    assert.deepEqual(asked, ["push.invalid"]);
  });

  it("refuses private addresses unless they are allowed, and says what allows them", async () => {
    const peer = await receiver();
    const strict = outbound({ allowPrivate: false });
    const text = reasonOf(await strict.send({ method: "POST", url: `${peer.origin}/`, body: "x" }));
    assert.equal(
      text,
      'refused: "localhost" is at 127.0.0.1, a private address; set NOTIFY_PRIVATE=1 to allow private addresses',
    );
    for (const host of ["127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]"]) {
      const reason = reasonOf(await strict.send({ method: "GET", url: `http://${host}:${peer.port}/` }));
      assert.match(reason, /^refused: ".*" is a private address; set NOTIFY_PRIVATE=1/u, host);
    }
    assert.equal(peer.connections(), 0);
  });

  it("refuses a name of which one address is not allowed", async () => {
    const peer = await receiver();
    const lookup = (): Promise<readonly string[]> => Promise.resolve(["93.184.216.34", "127.0.0.1"]);
    const outcome = await outbound({ allowPrivate: false, lookup }).send({ method: "GET", url: peer.origin });
    assert.match(reasonOf(outcome), /^refused: "localhost" is at 127\.0\.0\.1, a private address/u);
    assert.equal(peer.connections(), 0);
  });

  it("never sends to metadata services, whatever is allowed", async () => {
    for (const host of ["169.254.169.254", "0.0.0.0", "[fd00:ec2::254]", "224.0.0.1"])
      assert.match(
        reasonOf(await outbound().send({ method: "GET", url: `http://${host}/latest` })),
        /^refused: ".*" is a reserved address that Trivet never connects to$/u,
      );
  });

  it("checks the address again at each redirect", async () => {
    const peer = await receiver();
    peer.answer((_request, response) =>
      response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end(),
    );
    const outcome = await outbound().send({ method: "POST", url: peer.origin, body: "x" });
    assert.equal(
      reasonOf(outcome),
      'refused: "169.254.169.254" is a reserved address that Trivet never connects to',
    );
    peer.answer((_request, response) => response.writeHead(308, { location: "file:///etc/passwd" }).end());
    assert.match(reasonOf(await outbound().send({ method: "GET", url: peer.origin })), /must be a URL/u);
    peer.answer((_request, response) => response.writeHead(307, { location: "http://a:b@localhost/" }).end());
    assert.match(
      reasonOf(await outbound().send({ method: "GET", url: peer.origin })),
      /username and password/u,
    );
  });

  it("keeps method and body at 307 and 308, and sends no credentials to another origin", async () => {
    const first = await receiver();
    const second = await receiver();
    for (const status of [307, 308]) {
      first.answer(({ url }, response) =>
        response.writeHead(status, { location: url === "/" ? "/moved" : `${second.origin}/there` }).end(),
      );
      second.answer((_request, response) =>
        response.writeHead(status === 307 ? 200 : 307, { location: `${first.origin}/` }).end("fine"),
      );
      const headers = { authorization: "Bearer secret", "x-key": "secret" };
      const sent = {
        method: "POST",
        url: `${first.origin}/`,
        headers,
        contentType: "text/plain",
        body: "x",
      } as const;
      const outcome = await outbound().send(sent);
      if (status === 307) assert.deepEqual(outcome, { kind: "answered", status: 200, text: "fine" });
      const [one, two, , four] = first.requests;
      assert.deepEqual([one?.headers["x-key"], two?.headers["x-key"]], ["secret", "secret"]);
      const [there] = second.requests;
      assert.deepEqual([there?.method, there?.url, there?.body], ["POST", "/there", "x"]);
      assert.deepEqual([there?.headers["authorization"], there?.headers["x-key"]], [undefined, undefined]);
      // The fourth of the second round came back by way of the other origin.
      if (status === 308) assert.equal(first.requests.at(-1)?.headers["x-key"], undefined, String(four?.url));
    }
  });

  it("does not follow a redirect that would lose the body, and names where it led", async () => {
    const peer = await receiver();
    peer.answer((_request, response) =>
      response.writeHead(301, { location: "https://push.example/secret" }).end(),
    );
    const outcome = await outbound().send({ method: "POST", url: peer.origin, body: "x" });
    assert.deepEqual(outcome, {
      kind: "answered",
      status: 301,
      text: "",
      redirectsTo: "https://push.example",
    });
  });

  it("follows three redirects and no fourth", async () => {
    const peer = await receiver();
    peer.answer(({ url }, response) => {
      const step = Number(url.slice(1));
      if (step < 3) response.writeHead(302, { location: `/${step + 1}` }).end();
      else response.end("there");
    });
    assert.deepEqual(await outbound().send({ method: "GET", url: `${peer.origin}/0` }), {
      kind: "answered",
      status: 200,
      text: "there",
    });
    peer.answer((_request, response) => response.writeHead(302, { location: "/" }).end());
    assert.equal(
      reasonOf(await outbound().send({ method: "GET", url: peer.origin })),
      'refused: "localhost" redirects more than 3 times',
    );
  });

  it("ends within its time when the server is silent, when a name is not resolved, and when a response trickles", async () => {
    const silent = createServer();
    cleanUp.push(() => silent.close());
    const sockets = new Set<{ destroy(): void }>();
    silent.on("connection", (socket) => sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    cleanUp.push(() => sockets.forEach((socket) => socket.destroy()));
    const { port } = silent.address() as AddressInfo;
    const quick = outbound({ timeoutMs: 150 });
    assert.equal(
      reasonOf(await quick.send({ method: "GET", url: `http://localhost:${port}/` })),
      "failed: No response within 0.15 s",
    );
    const hanging = outbound({ timeoutMs: 50, lookup: () => new Promise(() => undefined) });
    assert.match(
      reasonOf(await hanging.send({ method: "GET", url: "http://push.example/" })),
      /No response within/u,
    );
    const peer = await receiver();
    peer.answer((_request, response) => void response.writeHead(200).write("the beginning"));
    // The status says that it arrived; the rest of the text is not worth another message.
    assert.deepEqual(await quick.send({ method: "POST", url: peer.origin, body: "x" }), {
      kind: "answered",
      status: 200,
      text: "the beginning",
    });
  });

  it("reads 64 KiB of an answer, unpacked where the receiver packed it unasked", async () => {
    const peer = await receiver();
    peer.answer((_request, response) => {
      const write = (): void => {
        while (response.write("a".repeat(65_536)));
        response.once("drain", write);
      };
      response.writeHead(200);
      write();
    });
    const outcome = await outbound().send({ method: "GET", url: peer.origin });
    assert.equal(outcome.kind === "answered" && outcome.text.length, 65_536);
    peer.answer((_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(`{"a":1}${" ".repeat(100_000)}`)),
    );
    const packed = await outbound().send({ method: "GET", url: peer.origin });
    assert.equal(packed.kind === "answered" && packed.text.length, 65_536);
    assert.match(packed.kind === "answered" ? packed.text : "", /^\{"a":1\}/u);
  });

  it("tries the next address when the first refuses connections, and sends once", async () => {
    const peer = await receiver();
    const lookup = (): Promise<readonly string[]> => Promise.resolve(["::1", "127.0.0.1"]);
    const outcome = await outbound({ lookup }).send({ method: "POST", url: peer.origin, body: "x" });
    assert.equal(outcome.kind, "answered");
    assert.equal(peer.requests.length, 1);
  });

  it("says what went wrong with a connection", async () => {
    const peer = await receiver();
    peer.answer((_request, response) => response.socket?.destroy());
    assert.match(
      reasonOf(await outbound().send({ method: "POST", url: peer.origin, body: "x" })),
      /^failed: /u,
    );
    await peer.close();
    assert.match(
      reasonOf(await outbound().send({ method: "GET", url: `${peer.origin}/s3cret` })),
      /^failed: "localhost" refused the connection\. Check the URL and its port$/u,
    );
    const lookup = (): Promise<readonly string[]> => Promise.reject(new Error("ENOTFOUND"));
    assert.equal(
      reasonOf(await outbound({ lookup }).send({ method: "GET", url: "http://push.invalid/s3cret" })),
      'failed: The name "push.invalid" could not be resolved',
    );
    const odd = await outbound().send({ method: "GET", url: peer.origin, headers: { "x-a": "b\r\nc" } });
    assert.equal(odd.kind, "failed");
  });

  it("binds TLS to the name of the address", async () => {
    const peer = await receiver({ tls: true });
    peer.answer((_request, response) => response.end("sealed"));
    const trusting = outbound({ ca: cert });
    assert.deepEqual(await trusting.send({ method: "GET", url: peer.origin }), {
      kind: "answered",
      status: 200,
      text: "sealed",
    });
    assert.equal(
      (await trusting.send({ method: "GET", url: `https://127.0.0.1:${peer.port}/` })).kind,
      "answered",
    );
    for (const [label, one] of [
      ["another name", await trusting.send({ method: "GET", url: `https://push.example:${peer.port}/` })],
      ["an unknown authority", await outbound().send({ method: "GET", url: peer.origin })],
    ] as const)
      assert.match(reasonOf(one), /^failed: The certificate of ".*" is not trusted/u, label);
    assert.equal(peer.requests.length, 2);
  });
});

describe("findUrlFault", () => {
  it("takes http and https, and nothing with user and password", () => {
    assert.equal(findUrlFault("https://push.example/a?b=c"), undefined);
    for (const text of ["ftp://a/", "javascript:alert(1)", "push.example", "http://", ""])
      assert.match(findUrlFault(text) ?? "", /http:\/\/ or https:\/\//u, text);
    assert.match(findUrlFault("https://a:b@push.example/") ?? "", /Authorization/u);
  });
});
