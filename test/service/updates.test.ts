import assert from "node:assert/strict";
import { type IncomingHttpHeaders, type RequestListener, createServer } from "node:http";
import { afterEach, describe, it } from "node:test";
import { createLog } from "../../src/kit/observe/log.ts";
import { type UpdatesOptions, createUpdates } from "../../src/service/updates.ts";

interface Asked {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

describe("createUpdates", () => {
  const ends: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  async function serve(listener: RequestListener): Promise<{ url: string; asked: Asked[] }> {
    const asked: Asked[] = [];
    const server = createServer((request, response) => {
      asked.push({ url: request.url ?? "", headers: request.headers });
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ends.push(
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    return { url: `http://127.0.0.1:${port}/latest.json`, asked };
  }

  /** Serves this text, asks once, and tells what came of it. */
  async function ask(answer: string | RequestListener, options: Partial<UpdatesOptions> = {}) {
    const listener: RequestListener =
      typeof answer === "string" ? (_request, response) => response.end(answer) : answer;
    const { url, asked } = await serve(listener);
    const lines: { level: string; message: string; reason?: string }[] = [];
    const log = createLog({
      level: "debug",
      pretty: false,
      write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]),
    });
    const updates = createUpdates({ address: url, version: "1.9.3", log, ...options });
    await updates.check();
    return { updates, lines, asked, newer: updates.newer() };
  }

  it("tells of a newer version, once in the log", async () => {
    const { updates, lines, newer } = await ask('{"version":"1.10.0"}');
    assert.equal(newer, "1.10.0");
    await updates.check();
    assert.deepEqual(
      lines.map(({ level, message }) => [level, message]),
      [["info", "Version 1.10.0 is available"]],
    );
  });

  it("reads the latest release as GitHub, Gitea and Forgejo tell it", async () => {
    assert.equal((await ask('{"id":1,"tag_name":"v2.0.0","draft":false}')).newer, "2.0.0");
  });

  it("compares by number, and says nothing of the same or an older version", async () => {
    for (const version of ["1.9.3", "1.9.2", "1.8.20", "0.99.99", "v1.9.3"])
      assert.equal((await ask(JSON.stringify({ version }))).newer, undefined, version);
    for (const version of ["1.9.10", "2.0.0"])
      assert.equal((await ask(JSON.stringify({ version }))).newer, version);
  });

  it("forgets a version that was taken back", async () => {
    let version = "2.0.0";
    const { updates } = await ask((_request, response) => response.end(JSON.stringify({ version })));
    version = "1.9.3";
    await updates.check();
    assert.equal(updates.newer(), undefined);
  });

  it("sends nothing that tells one install from another", async () => {
    const { asked } = await ask('{"version":"1.10.0"}');
    const [{ url, headers } = { url: "", headers: {} }] = asked;
    const { host: _host, ...rest } = headers;
    assert.equal(url, "/latest.json");
    assert.equal(rest["user-agent"], "Trivet");
    assert.deepEqual(
      Object.keys(rest).filter(
        (name) => !["accept", "accept-encoding", "connection", "user-agent"].includes(name),
      ),
      [],
    );
  });

  it("takes nothing else for a version, and tells failures at debug level alone", async () => {
    for (const answer of [
      "",
      "null",
      "[]",
      "not JSON",
      '{"version":2}',
      '{"version":"2.0"}',
      '{"version":"2.0.0-beta.1"}',
      '{"version":"<b>2.0.0</b>"}',
      '{"version":"2.0.0\\n"}',
      '{"version":"99999999.0.0"}',
      '{"__proto__":{"version":"2.0.0"}}',
      `{"version":"2.0.0","more":"${"x".repeat(100_000)}"}`,
      "[".repeat(60_000),
    ]) {
      const { newer, lines } = await ask(answer);
      assert.equal(newer, undefined, answer.slice(0, 40));
      assert.deepEqual(
        lines.map(({ level }) => level),
        ["debug"],
      );
    }
  });

  it("takes no answer but 200, and none that does not end", async () => {
    const statuses = [204, 404, 500];
    for (const status of statuses) {
      const { newer } = await ask((_request, response) =>
        response.writeHead(status).end('{"version":"2.0.0"}'),
      );
      assert.equal(newer, undefined, String(status));
    }
    const endless = await ask((_request, response) => {
      const pour = (): void => void response.write("x".repeat(65_536), pour);
      pour();
    });
    assert.deepEqual([endless.newer, endless.lines[0]?.level], [undefined, "debug"]);
  });

  it("is not led to this machine or a private network by a redirect", async () => {
    const inner = await serve((_request, response) => response.end('{"version":"2.0.0"}'));
    for (const location of [
      inner.url,
      "http://10.0.0.1/",
      "http://169.254.169.254/latest",
      "file:///etc/passwd",
    ]) {
      const { newer, lines } = await ask((_request, response) => response.writeHead(302, { location }).end());
      assert.deepEqual([newer, lines[0]?.level], [undefined, "debug"], location);
    }
    assert.deepEqual(inner.asked, []);
  });

  it("keeps what it knew while the server does not respond", async () => {
    let fails = false;
    const { updates } = await ask((_request, response) =>
      fails ? response.destroy() : response.end('{"version":"2.0.0"}'),
    );
    fails = true;
    await updates.check();
    assert.equal(updates.newer(), "2.0.0");
  });

  it("asks first within the hour after a start, then once a day", async () => {
    const { updates } = await ask("{}", { random: () => 0.5 });
    assert.deepEqual(
      [updates.everyMs(), updates.everyMs(), updates.everyMs()],
      [1_800_000, 86_400_000, 86_400_000],
    );
  });
});
