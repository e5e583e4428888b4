/** One port for all services: which of them a request reaches, and what else comes through as on a port of its own. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { describe, it } from "node:test";
import { WebSocket } from "ws";
import { loadConfig } from "../../src/config.ts";
import { createLog } from "../../src/kit/observe/log.ts";
import { systemClock } from "../../src/kit/time/clock.ts";
import type { HttpHandler } from "../../src/runtime/runtime.ts";
import { serveHttp } from "../../src/runtime/http/http.ts";
import { upgradeWebSocket } from "../../src/runtime/http/upgrade.ts";
import { createGateway } from "../../src/service/gateway.ts";

const log = createLog({ level: "error", clock: systemClock, write: () => undefined });

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with a Host of its own, which fetch does not send. */
function ask(port: number, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host: "127.0.0.1", port, path, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (body += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** A gateway before services that answer with their name and the path that they saw. */
async function withGateway(
  env: Record<string, string>,
  work: (
    port: number,
    gateway: Awaited<ReturnType<typeof createGateway>>,
    lines: readonly string[],
  ) => Promise<void>,
  {
    handlers = {},
    monitorsHost,
  }: { handlers?: Partial<Record<"monitor" | "auth" | "shop", HttpHandler>>; monitorsHost?: string } = {},
): Promise<void> {
  const config = { ...loadConfig({ ...env, GATEWAY_PORT: "0" }), gatewayPort: 0 };
  let port = 0;
  const runtime = {
    serveHttp: async (options: Parameters<typeof serveHttp>[0]) => {
      const listener = await serveHttp(options);
      ({ port } = listener);
      return listener;
    },
  };
  const gateway = await createGateway({ config, runtime, clock: systemClock, log });
  const naming =
    (name: string): HttpHandler =>
    (request, { remoteAddress }) =>
      Response.json({ name, path: new URL(request.url).pathname, remoteAddress });
  for (const name of ["monitor", "auth", "shop"] as const) {
    const ownsHost = name === "monitor" ? (host: string) => host === monitorsHost : undefined;
    gateway.add(name, handlers[name] ?? naming(name), ownsHost);
  }
  const lines = await gateway.listen();
  try {
    await work(port, gateway, lines);
  } finally {
    await gateway.close({ graceMs: 0 });
  }
}

async function reached(port: number, path: string, host?: string): Promise<string> {
  const { status, body } = await ask(port, path, host === undefined ? {} : { host });
  if (status !== 200) return String(status);
  const { name, path: seen }: { name: string; path: string } = JSON.parse(body);
  return `${name} ${seen}`;
}

describe("one port for all services", () => {
  it("finds them by path if no URL is set, on any host", async () => {
    await withGateway({}, async (port) => {
      for (const host of [undefined, "192.0.2.7:8000", "anything.example"]) {
        assert.equal(await reached(port, "/", host), "monitor /");
        assert.equal(await reached(port, "/auth", host), "auth /auth");
        assert.equal(await reached(port, "/auth/sign-in?rd=%2Fshop", host), "auth /auth/sign-in");
        assert.equal(await reached(port, "/shop/api/products", host), "shop /shop/api/products");
        assert.equal(await reached(port, "/authors", host), "monitor /authors");
        // RFC 8414 section 3.1: between the host and the issuer's path.
        const metadata = "/.well-known/oauth-authorization-server/auth";
        assert.equal(await reached(port, metadata, host), `auth ${metadata}`);
      }
    });
  });

  it("rejects foreign names that point here, which come with the port", async () => {
    await withGateway({}, async (port) => {
      assert.equal(await reached(port, "/", `evil.example:${port}`), "421");
      assert.equal(await reached(port, "/", `localhost:${port}`), "monitor /");
    });
  });

  it("has security.txt at the root of its host, even without a service there", async () => {
    const env = { SECURITY_CONTACT: "security@example.org", PUBLIC_URL: "https://example.org/monitor" };
    const own = { AUTH_PUBLIC_URL: "https://example.org/auth", SHOP_PUBLIC_URL: "https://example.org/shop" };
    await withGateway({ ...env, ...own }, async (port) => {
      const path = "/.well-known/security.txt";
      const { status, body } = await ask(port, path, { host: "example.org" });
      assert.equal(status, 200);
      assert.match(body, /^Contact: mailto:security@example\.org\n/u);
    });
  });

  it("finds them by host name, without its case, port and dot, and knows no others", async () => {
    const env = {
      PUBLIC_URL: "https://status.example.org",
      AUTH_PUBLIC_URL: "https://accounts.example.org",
      SHOP_PUBLIC_URL: "https://example.org/shop",
    };
    await withGateway(env, async (port) => {
      assert.equal(await reached(port, "/", "status.example.org"), "monitor /");
      assert.equal(await reached(port, "/account", "Accounts.Example.org.:8443"), "auth /account");
      assert.equal(await reached(port, "/shop/", "example.org"), "shop /shop/");
      assert.equal(await reached(port, "/", "example.org"), "404");
      assert.equal(await reached(port, "/", "other.example"), "421");
      // On the machine itself the path is enough, where it is one service's alone.
      assert.equal(await reached(port, "/shop/"), "shop /shop/");
      assert.equal(await reached(port, "/"), "404");
    });
  });

  it("leads services of this machine to each other where host names tell them apart", async () => {
    const env = {
      PUBLIC_URL: "https://status.example.org",
      AUTH_PUBLIC_URL: "https://accounts.example.org",
      SHOP_PUBLIC_URL: "https://shop.example.org",
    };
    await withGateway(env, async (port) => {
      assert.equal(await reached(port, "/.services/auth/api/auth/validate"), "auth /api/auth/validate");
      assert.equal(await reached(port, "/.services/nothing/x"), "421");
      assert.equal(await reached(port, "/.services/auth/x", "shop.example.org"), "shop /.services/auth/x");
    });
  });

  it("answers for robots.txt at the root of the shop's host, where crawlers look", async () => {
    const monitorsHost = "status.shop.example";
    await withGateway(
      {},
      async (port) => {
        assert.equal(await reached(port, "/robots.txt", "example.org"), "shop /robots.txt");
        assert.equal(await reached(port, "/robots.txt", monitorsHost), "monitor /robots.txt");
      },
      { monitorsHost },
    );
    const env = { PUBLIC_URL: "https://status.example.org", SHOP_PUBLIC_URL: "https://example.org/shop" };
    await withGateway(env, async (port) => {
      assert.equal(await reached(port, "/robots.txt", "example.org"), "shop /robots.txt");
      assert.equal(await reached(port, "/robots.txt", "status.example.org"), "monitor /robots.txt");
    });
  });

  it("leaves a host of a service's own to it, unless the host is in an address", async () => {
    const monitorsHost = "status.shop.example";
    await withGateway(
      {},
      async (port) => {
        assert.equal(await reached(port, "/auth/sign-in", `${monitorsHost}:8443`), "monitor /auth/sign-in");
        assert.equal(await reached(port, "/auth/sign-in", "other.example"), "auth /auth/sign-in");
      },
      { monitorsHost },
    );
    const env = { PUBLIC_URL: "https://example.org", SHOP_PUBLIC_URL: `https://${monitorsHost}/` };
    await withGateway(env, async (port) => assert.equal(await reached(port, "/", monitorsHost), "shop /"), {
      monitorsHost,
    });
  });

  it("says at the start where each service and its console is", async () => {
    const how = "(sign in with the administrator token)";
    await withGateway({}, async (port, _gateway, lines) => {
      const own = `http://127.0.0.1:${port}`;
      assert.deepEqual(lines, [
        `gateway  ${own}/  monitor`,
        `         administration  ${own}/admin ${how}`,
        `         ${own}/auth/  auth`,
        `         administration  ${own}/auth/admin ${how}`,
        `         ${own}/shop/  shop`,
        `         administration  ${own}/shop/admin ${how}`,
      ]);
    });
    await withGateway({ PUBLIC_URL: "https://example.org" }, async (_port, _gateway, lines) => {
      assert.ok(
        lines.includes(`         administration  https://example.org/auth/admin ${how}`),
        lines.join("\n"),
      );
      assert.ok(lines.includes(`         administration  https://example.org/admin ${how}`));
    });
  });

  it("tells who comes to another place where the services are, on a page or as a problem", async () => {
    const env = { PUBLIC_URL: "https://example.org" };
    await withGateway(env, async (port) => {
      const problem = await ask(port, "/", { host: "other.example" });
      const { code, addresses }: { code: string; addresses: string[] } = JSON.parse(problem.body);
      assert.deepEqual([problem.status, code], [421, "misdirected"]);
      assert.deepEqual(addresses, [
        "https://example.org",
        "https://example.org/auth",
        "https://example.org/shop",
      ]);
      const headers = { host: "other.example", accept: "text/html", "accept-language": "de" };
      const page = await ask(port, "/", headers);
      assert.equal(page.status, 421);
      assert.match(page.body, /<html lang="de".*Unbekannter Hostname.*href="https:\/\/example\.org\/auth"/u);
      assert.equal(page.headers["x-content-type-options"], "nosniff");
      const style = /href="(\/assets\/[^"]+)"/u.exec(page.body)?.[1] ?? "";
      assert.equal((await ask(port, style, { host: "other.example" })).status, 200);
    });
  });

  it("gives the health of all where none of them is", async () => {
    let isWell = true;
    const shop: HttpHandler = () => new Response(null, { status: isWell ? 200 : 503 });
    const env = { PUBLIC_URL: "https://status.example.org", AUTH_PUBLIC_URL: "https://accounts.example.org" };
    await withGateway(
      env,
      async (port) => {
        const host = "probe.example";
        assert.equal((await ask(port, "/api/health", { host })).status, 200);
        isWell = false;
        const { status, body } = await ask(port, "/api/health", { host });
        const { checks }: { checks: Record<string, { status: string }> } = JSON.parse(body);
        assert.equal(status, 503);
        assert.deepEqual([checks["auth"]?.status, checks["shop"]?.status], ["ok", "failing"]);
      },
      { handlers: { shop } },
    );
  });

  it("passes WebSockets on, and ends them with the listener", async () => {
    const auth: HttpHandler = (request) => {
      const { socket, response } = upgradeWebSocket(request);
      socket.onmessage = (data) => socket.send(data);
      return response;
    };
    await withGateway(
      {},
      async (port, gateway) => {
        const url = `ws://127.0.0.1:${port}/auth/echo`;
        const socket = new WebSocket(url);
        await once(socket, "open");
        const answer = once(socket, "message");
        socket.send("hello");
        assert.equal(String((await answer)[0]), "hello");
        const closed = once(socket, "close");
        await gateway.close({ graceMs: 0 });
        await closed;
      },
      { handlers: { auth } },
    );
  });

  it("lets what runs finish when it stops", async () => {
    let finish = (): void => undefined;
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    const monitor: HttpHandler = () => {
      begun();
      return new Promise((resolve) => (finish = () => resolve(new Response("done"))));
    };
    await withGateway(
      {},
      async (port, gateway) => {
        const answer = ask(port, "/");
        await hasBegun;
        const stopped = gateway.close({ graceMs: 600_000 });
        finish();
        assert.equal((await answer).body, "done");
        await stopped;
      },
      { handlers: { monitor } },
    );
  });
});
