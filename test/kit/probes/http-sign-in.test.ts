import assert from "node:assert/strict";
import { createServer as createHttps } from "node:https";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer as createHttp, type IncomingMessage, type RequestListener } from "node:http";
import { afterEach, describe, it } from "node:test";
import { isDeno } from "../../support/own-runtime.ts";
import { authority, ended, good, otherName, type Pair, selfSigned } from "./certificates.ts";
import { chainLeaf, chainRoot, client, middle } from "./chain-certificates.ts";
import { findClosedPort, look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function start(listener: RequestListener, pair?: Pair): Promise<TargetServer> {
  const server = await serveHttp(listener, pair);
  cleanUp.push(() => server.close());
  return server;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const bytes of request) text += String(bytes);
  return text;
}

/** A target that says which `Authorization` it wants. */
async function startGuarded(wanted: () => string, pair?: Pair): Promise<TargetServer> {
  return start((request, response) => {
    const isRight = request.headers.authorization === wanted();
    response.writeHead(isRight ? 200 : 401).end(isRight ? "welcome" : "no");
  }, pair);
}

describe("HTTP probes sign in", () => {
  it("with a user name and password, in UTF-8", async () => {
    const basic = `Basic ${Buffer.from("probe:pä:ss").toString("base64")}`;
    const server = await startGuarded(() => basic);
    const target = {
      kind: "http",
      url: `http://localhost:${server.port}/`,
      auth: "basic",
      username: "probe",
    };
    assert.equal(sayResult(await look({ ...target, password: "pä:ss" })), "up | 200 OK");
    assert.equal(sayResult(await look({ ...target, password: "other" })), "status | 401 Unauthorized");
  });

  it("with a bearer token, and not at another origin that a redirect names", async () => {
    const elsewhere = await start((request, response) =>
      response.end(request.headers.authorization ?? "none"),
    );
    const server = await start((request, response) => {
      if (request.headers.authorization !== "Bearer t0ken") response.writeHead(401).end();
      else response.writeHead(302, { location: `http://127.0.0.1:${elsewhere.port}/` }).end();
    });
    const target = { kind: "http", url: `http://localhost:${server.port}/`, auth: "bearer" };
    assert.equal(sayResult(await look({ ...target, bearerToken: "t0ken", contains: "none" })), "up | 200 OK");
  });

  interface TokenServer {
    readonly url: string;
    readonly asks: string[];
    expiresIn: number | undefined;
    /** Takes the client's secret in the body alone. */
    wantsBody: boolean;
    token: () => string;
  }
  async function startTokens(): Promise<TokenServer> {
    const tokens: TokenServer = {
      url: "",
      asks: [],
      expiresIn: 3_600,
      wantsBody: false,
      token: () => `token-${tokens.asks.length}`,
    };
    const server = await start((request, response) => {
      void readText(request).then((form) => {
        const isBasic =
          request.headers.authorization === `Basic ${Buffer.from("probe:s%26cret").toString("base64")}`;
        const isBody = new URLSearchParams(form).get("client_secret") === "s&cret";
        tokens.asks.push(form);
        response.setHeader("content-type", "application/json");
        if (tokens.wantsBody ? !isBody : !isBasic)
          response.writeHead(401).end(JSON.stringify({ error: "invalid_client" }));
        else response.end(JSON.stringify({ access_token: tokens.token(), expires_in: tokens.expiresIn }));
      });
    });
    return Object.assign(tokens, { url: `http://localhost:${server.port}/token` });
  }
  const oauth = (tokens: TokenServer, port: number, clientId: string): object => ({
    kind: "http",
    url: `http://localhost:${port}/`,
    auth: "oauth2",
    tokenUrl: tokens.url,
    clientId,
    clientSecret: "s&cret",
    scopes: "read health",
    audience: "api",
  });

  it("with OAuth 2.0 client credentials, whose token is kept until it expires", async () => {
    const tokens = await startTokens();
    const server = await startGuarded(() => "Bearer token-1");
    const target = oauth(tokens, server.port, "probe");
    let ms = 0;
    const clock = { now: () => Date.now(), monotonic: () => ms };
    for (let runs = 0; runs < 3; runs += 1)
      assert.equal(sayResult(await look(target, { clock })), "up | 200 OK");
    assert.deepEqual(tokens.asks, ["grant_type=client_credentials&scope=read+health&audience=api"]);
    ms = 3_600_000;
    assert.equal(sayResult(await look(target, { clock })), "status | 401 Unauthorized");
    assert.equal(tokens.asks.length, 2);
  });

  it("with a new token where the kept one was revoked, and once alone", async () => {
    const tokens = await startTokens();
    let wanted = "Bearer token-1";
    const server = await startGuarded(() => wanted);
    const target = { ...oauth(tokens, server.port, "probe"), audience: "revoked" };
    assert.equal(sayResult(await look(target)), "up | 200 OK");
    wanted = "Bearer token-2";
    assert.equal(sayResult(await look(target)), "up | 200 OK");
    wanted = "Bearer nobody";
    assert.equal(sayResult(await look(target)), "status | 401 Unauthorized");
    assert.equal(server.connections(), 5);
  });

  it("at token servers that take the secret in the body alone", async () => {
    const tokens = await startTokens();
    tokens.wantsBody = true;
    const server = await startGuarded(() => "Bearer token-2");
    assert.equal(sayResult(await look(oauth(tokens, server.port, "body"))), "up | 200 OK");
  });

  it("and say when the token server gives none", async () => {
    const tokens = await startTokens();
    const server = await startGuarded(() => "nothing");
    const target = oauth(tokens, server.port, "stranger");
    assert.equal(
      sayResult(await look(target)),
      "status | The token server responded with 401 (invalid_client)",
    );
    const away = { ...target, tokenUrl: `http://localhost:${await findClosedPort()}/` };
    assert.match(sayResult(await look(away)), /^refused \| Token server: The connection was refused/u);
    const page = await start((_request, response) => response.end("<html>"));
    const odd = { ...target, tokenUrl: `http://localhost:${page.port}/` };
    assert.equal(sayResult(await look(odd)), "status | The token server sent no access token");
    assert.equal(server.connections(), 0);
  });

  it("and send a body with its type", async () => {
    const server = await start((request, response) => response.end(request.headers["content-type"] ?? ""));
    const target = { kind: "http", url: `http://localhost:${server.port}/`, method: "POST", body: "a=1" };
    const types = {
      form: "application/x-www-form-urlencoded",
      json: "application/json",
      xml: "application/xml",
    };
    for (const [bodyType, contains] of Object.entries(types))
      assert.equal((await look({ ...target, bodyType, contains })).fault, undefined, bodyType);
    assert.equal((await look({ ...target, contains: "text/plain" })).fault, undefined);
  });
});

/** An HTTPS server that asks for a client's certificate. */
async function startMutual(ca: string): Promise<number> {
  const server = createHttps(
    { cert: chainLeaf.cert + middle, key: chainLeaf.key, ca, requestCert: true, rejectUnauthorized: true },
    (_request, response) => response.end("welcome"),
  );
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => new Promise((resolve) => server.close(resolve)));
  // `as`: a listener on a port has an address of this shape.
  return (server.address() as AddressInfo).port;
}

describe("HTTP probes use the certificates of a check", () => {
  it("an authority of its own in the place of the well-known ones", async () => {
    const server = await start((_request, response) => response.end("x"), {
      cert: chainLeaf.cert + middle,
      key: chainLeaf.key,
    });
    const target = { kind: "http", url: `https://localhost:${server.port}/` };
    assert.match(sayResult(await look(target)), /^certificate \| The certificate is not trusted/u);
    assert.equal(sayResult(await look({ ...target, ca: chainRoot })), "up | 200 OK");
    assert.equal(sayResult(await look({ ...target, ca: `${authority}${chainRoot}` })), "up | 200 OK");
    const other = await start((_request, response) => response.end("x"), good);
    const known = { kind: "http", url: `https://localhost:${other.port}/` };
    assert.match(sayResult(await look({ ...known, ca: chainRoot })), /^certificate \| /u);
  });

  it("a client's certificate, shown to the target alone", async () => {
    const port = await startMutual(chainRoot);
    const target = { kind: "http", url: `https://localhost:${port}/`, ca: chainRoot };
    const own = { clientCertificate: client.cert, clientKey: client.key };
    assert.equal(sayResult(await look({ ...target, ...own, contains: "welcome" })), "up | 200 OK");
    const without = await look(target);
    assert.ok(["reset", "tls", "certificate"].includes(without.fault ?? ""), sayResult(without));
    const entrance = await start((_request, response) =>
      response.writeHead(302, { location: `https://localhost:${port}/` }).end(),
    );
    const led = { ...target, ...own, url: `http://127.0.0.1:${entrance.port}/` };
    assert.notEqual((await look(led)).fault, undefined);
  });

  it("what is accepted of a certificate: issuer, name and time, each alone", async () => {
    const cases: readonly (readonly [string, Pair])[] = [
      ["issuer", selfSigned],
      ["name", otherName],
      ["expired", ended],
    ];
    for (const [fault, pair] of cases) {
      const server = await start((_request, response) => response.end("x"), pair);
      const target = { kind: "http", url: `https://localhost:${server.port}/` };
      for (const one of ["issuer", "name", "expired"]) {
        // Deno says of an expired certificate nothing about who signed it.
        if (isDeno && fault === "expired" && one === fault) continue;
        const result = await look({ ...target, acceptsCertificate: [one] });
        assert.equal(
          result.fault,
          one === fault ? undefined : "certificate",
          `${fault}: ${one} ${result.detail}`,
        );
      }
      assert.equal((await look({ ...target, ignoresCertificate: true })).fault, undefined, fault);
      assert.equal((await look({ ...target, acceptsCertificate: [] })).fault, "certificate", fault);
    }
  });
});

interface TestProxy {
  readonly port: number;
  readonly seen: string[];
}

/** A proxy for HTTP and CONNECT; `credentials`: what it wants. */
async function startProxy(credentials?: string): Promise<TestProxy> {
  const seen: string[] = [];
  const server = createHttp((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (credentials !== undefined && request.headers["proxy-authorization"] !== credentials)
      response.writeHead(407).end();
    else response.end(`through the proxy ${String(request.headers["proxy-authorization"])}`);
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`);
    socket.on("error", () => undefined);
    if (credentials !== undefined && request.headers["proxy-authorization"] !== credentials)
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const port = Number(request.url?.split(":").at(-1));
    const target = connect(port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // `as`: a listener on a port has an address of this shape.
  return { port: (server.address() as AddressInfo).port, seen };
}

describe("HTTP probes go through a proxy", () => {
  it("to http targets, which the proxy looks up", async () => {
    const { port, seen } = await startProxy();
    const target = {
      kind: "http",
      url: "http://only-there.example/a?b#c",
      proxy: `http://localhost:${port}`,
    };
    assert.equal(sayResult(await look({ ...target, contains: "through the proxy" })), "up | 200 OK");
    assert.deepEqual(seen, ["GET http://only-there.example/a?b"]);
  });

  it("to https targets by CONNECT, whose certificates are judged as ever", async () => {
    const { port, seen } = await startProxy();
    const server = await start((request, response) => response.end(String(request.headers["x-key"])), good);
    const proxy = `http://localhost:${port}/`;
    const headers = [{ name: "x-key", value: "k" }];
    const target = { kind: "http", url: `https://localhost:${server.port}/`, proxy, headers };
    const result = await look({ ...target, contains: "k" });
    assert.equal(sayResult(result), "up | 200 OK");
    assert.equal(result.certificate?.isTrusted, true);
    assert.deepEqual(seen, [`CONNECT localhost:${server.port}`]);
    const other = await start((_request, response) => response.end("x"), otherName);
    const wrong = { ...target, url: `https://localhost:${other.port}/` };
    assert.match(
      sayResult(await look(wrong)),
      /^certificate \| The certificate is not valid for "localhost"/u,
    );
    assert.equal(other.received().includes("x-key"), false);
  });

  it("with credentials that only the proxy gets", async () => {
    const credentials = `Basic ${Buffer.from("me:pw").toString("base64")}`;
    const { port } = await startProxy(credentials);
    const server = await start(
      (request, response) => response.end(String(request.headers["proxy-authorization"])),
      good,
    );
    const own = { kind: "http", proxy: `http://localhost:${port}`, proxyUsername: "me", proxyPassword: "pw" };
    const https = { ...own, url: `https://localhost:${server.port}/` };
    assert.equal(sayResult(await look({ ...https, contains: "undefined" })), "up | 200 OK");
    assert.equal(
      sayResult(await look({ ...own, url: "http://there.example/", contains: credentials })),
      "up | 200 OK",
    );
    assert.equal(
      sayResult(await look({ ...https, proxyPassword: "other" })),
      "unsupported | The proxy responded with 407 Proxy Authentication Required",
    );
  });

  it("and say nothing of the target where the proxy fails, but what it says of the target", async () => {
    const target = { kind: "http", url: "https://localhost:1/" };
    const away = { ...target, proxy: `http://localhost:${await findClosedPort()}` };
    assert.equal(sayResult(await look(away)), "unsupported | The proxy cannot be reached (ECONNREFUSED)");
    const { port } = await startProxy();
    const closed = `https://localhost:${await findClosedPort()}/`;
    assert.equal(
      sayResult(await look({ ...target, url: closed, proxy: `http://localhost:${port}` })),
      "unreachable | The proxy responded with 502 Bad Gateway",
    );
    const page = await start((_request, response) => response.end("x"));
    const odd = await look({ ...target, proxy: `http://localhost:${page.port}` });
    assert.equal(odd.fault, "unsupported", sayResult(odd));
  });

  it("and reach no address that is forbidden", async () => {
    const { port } = await startProxy();
    const proxy = `http://localhost:${port}`;
    const metadata = await look({ kind: "http", url: "http://169.254.169.254/", proxy });
    assert.equal(metadata.fault, "forbidden");
    const rules = { allowPrivate: false, privateRemedy: "ask" };
    const result = await look({ kind: "http", url: "http://a.example/", proxy }, { rules });
    assert.equal(result.fault, "forbidden");
  });
});
