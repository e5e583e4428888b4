/** Listening on Unix sockets: who may connect, what is in the way, and what clients are called. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { type Server, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { WebSocket } from "ws";
import { fetchLocal, toSocketUrl } from "../../src/kit/outbound/unix-socket.ts";
import { type SocketAddress } from "../../src/kit/text/socket-address.ts";
import type { HttpHandler } from "../../src/runtime/runtime.ts";
import { serveHttp } from "../../src/runtime/http/http.ts";
import { upgradeWebSocket } from "../../src/runtime/http/upgrade.ts";
import { createTestClient } from "./grpc/grpc-client.ts";
import { listenerKinds, toOptions } from "./grpc/grpc-listeners.ts";

const echo: HttpHandler = async (request, { remoteAddress }) =>
  Response.json(
    {
      remoteAddress,
      url: request.url,
      method: request.method,
      type: request.headers.get("content-type"),
      body: await request.text(),
    },
    { status: request.method === "POST" ? 201 : 200, headers: { "x-seen": "yes" } },
  );

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trivet-socket-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const toAddress = (name: string): SocketAddress => `unix:${join(folder, name)}`;
const listen = (port: SocketAddress, handler: HttpHandler = echo) =>
  serveHttp({ hostname: "127.0.0.1", port, socketMode: 0o660, handler });
const exists = (name: string): Promise<boolean> =>
  stat(join(folder, name)).then(
    () => true,
    () => false,
  );

/** A socket file that no process listens on: its listener lost the name first. */
async function leaveStale(name: string): Promise<void> {
  const { link, unlink } = await import("node:fs/promises");
  const listener: Server = createServer();
  listener.listen(join(folder, `${name}-first`));
  await once(listener, "listening");
  await link(join(folder, `${name}-first`), join(folder, name));
  listener.close();
  await once(listener, "close");
  await unlink(join(folder, `${name}-first`)).catch(() => undefined);
}

describe("serveHttp on a Unix socket", () => {
  it("answers fetchLocal, calls clients unix, sets the permissions and removes the socket at the end", async () => {
    const listener = await listen(toAddress("http.sock"));
    try {
      assert.equal(listener.port, 0);
      assert.equal((await stat(join(folder, "http.sock"))).mode & 0o777, 0o660);
      const response = await fetchLocal(toSocketUrl(toAddress("http.sock"), "/a/b?c=d"), {
        method: "POST",
        headers: { "content-type": "text/plain" },
        body: "ü",
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get("x-seen"), "yes");
      assert.deepEqual(await response.json(), {
        remoteAddress: "unix",
        url: "http://localhost/a/b?c=d",
        method: "POST",
        type: "text/plain",
        body: "ü",
      });
    } finally {
      await listener.close({ graceMs: 0 });
    }
    assert.equal(await exists("http.sock"), false);
    await assert.rejects(fetchLocal(toSocketUrl(toAddress("http.sock"), "/")), /ENOENT/u);
  });

  it("takes WebSockets", async () => {
    const listener = await listen(toAddress("ws.sock"), (request, { remoteAddress }) => {
      const { socket, response } = upgradeWebSocket(request);
      socket.onopen = () => socket.send(remoteAddress);
      return response;
    });
    const client = new WebSocket(`ws+unix:${join(folder, "ws.sock")}:/live`);
    const [message] = await once(client, "message");
    assert.equal(String(message), "unix");
    client.terminate();
    await listener.close({ graceMs: 0 });
  });

  it("takes the place of a process that is gone, and of no other file or process", async () => {
    await leaveStale("stale.sock");
    const listener = await listen(toAddress("stale.sock"));
    try {
      const again = listen(toAddress("stale.sock"));
      await assert.rejects(again, { code: "EADDRINUSE", message: /stale\.sock: another process listens/u });
      assert.equal((await fetchLocal(toSocketUrl(toAddress("stale.sock"), "/"))).status, 200);
    } finally {
      await listener.close({ graceMs: 0 });
    }
    await writeFile(join(folder, "file.sock"), "mine");
    const message = /a file that is not a socket has this path/u;
    await assert.rejects(listen(toAddress("file.sock")), { code: "EEXIST", message });
    assert.equal(await exists("file.sock"), true);
  });

  it("names a path that is too long, a missing folder, and one that is not writable", async () => {
    const long = `unix:${folder}/${"a".repeat(120)}` as const;
    await assert.rejects(listen(long), { code: "ENAMETOOLONG", message: /has up to \d+ bytes, not \d+/u });
    const missing = `unix:${folder}/no/x.sock` as const;
    await assert.rejects(listen(missing), { code: "ENOENT", message: /folder ".*no" does not exist/u });
    await assert.rejects(listen("unix:relative.sock"), { code: "EINVAL", message: /absolute/u });
    if (process.getuid?.() === 0) return;
    await mkdir(join(folder, "closed"));
    await chmod(join(folder, "closed"), 0o500);
    await assert.rejects(listen(toAddress("closed/x.sock")), { code: "EACCES", message: /not writable/u });
  });
});

for (const kind of listenerKinds)
  describe(`gRPC on a Unix socket (${kind.name})`, () => {
    it("streams, calls clients unix, and takes the place of a process that is gone", async () => {
      const name = `grpc-${kind.supervised ? 1 : 2}.sock`;
      await leaveStale(name);
      const options = toOptions(
        {
          "/t.T/Who": async function* who(requests, { remoteAddress }) {
            for await (const _ of requests) yield new TextEncoder().encode(remoteAddress);
          },
        },
        { port: toAddress(name), socketMode: 0o600 },
      );
      const listener = await kind.serve(options);
      const client = createTestClient(`unix:${join(folder, name)}`);
      try {
        assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600);
        const stream = client.open("/t.T/Who");
        stream.send("?");
        assert.equal(new TextDecoder().decode(await stream.next()), "unix");
        stream.cancel();
        const second = { ...options };
        if (!kind.supervised) await assert.rejects(kind.serve(second), { code: "EADDRINUSE" });
      } finally {
        client.close();
        await listener.close({ graceMs: 0 });
      }
    });
  });
