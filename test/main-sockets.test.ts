/** The whole program on Unix sockets, which only a proxy reaches: its services find each other, and the doctor them. */
import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fetchLocal, toSocketUrl } from "../src/kit/outbound/unix-socket.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";
const names = ["monitor", "shop", "auth", "agents"] as const;

describe("the program on Unix sockets", () => {
  let programs: Programs;
  let env: Record<string, string>;
  const toSocket = (name: string) => `unix:${join(programs.folder, `${name}.sock`)}` as const;
  const ask = (name: string, path: string, init: RequestInit = {}): Promise<Response> =>
    fetchLocal(toSocketUrl(toSocket(name), path), init);

  before(async () => {
    programs = await createPrograms();
    env = {
      ADMIN_TOKEN: TOKEN,
      LOG_LEVEL: "warn",
      MONITOR_PORT: toSocket("monitor"),
      SHOP_PORT: toSocket("shop"),
      AUTH_PORT: toSocket("auth"),
      GRPC_PORT: toSocket("agents"),
      PUBLIC_URL: "https://status.example.org",
      SHOP_PUBLIC_URL: "https://shop.example.org",
      AUTH_PUBLIC_URL: "https://accounts.example.org",
      PUBLIC_GRPC: "tls://status.example.org:443",
      TRUSTED_PROXIES: "unix",
    };
  });
  after(() => programs.dispose());

  it("serves, finds its auth service by its socket, believes the proxy, and removes the sockets", async () => {
    const program = programs.run(env);
    await program.find(/shop {5}https:\/\/shop\.example\.org\/ {2}through a proxy to unix:\S+shop\.sock/u);
    for (const name of ["monitor", "shop", "auth"]) {
      const response = await ask(name, "/api/health");
      assert.equal(response.status, 200, name);
      const health: unknown = await response.json();
      assert.equal(Reflect.get(Object(health), "status"), "ok", JSON.stringify(health));
    }
    for (const name of names)
      assert.equal((await stat(join(programs.folder, `${name}.sock`))).mode & 0o777, 0o660, name);
    // Its administrator cookie leads through the auth center, which the shop asks by the socket.
    const begun = await ask("shop", "/auth/sign-in?return_to=%2Fadmin", { headers: { host: "x" } });
    assert.ok(begun.status < 500, String(begun.status));
    const wrong = (address: string): Promise<Response> =>
      ask("monitor", "/api/admin/servers", {
        headers: { "x-admin-token": "wrong-token-of-a-stranger", "x-forwarded-for": address },
      });
    const statuses: number[] = [];
    for (let n = 0; n < 7; n += 1) statuses.push((await wrong("198.51.100.7")).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
    assert.equal((await wrong("198.51.100.8")).status, 401);
    const doctor = programs.run({ ...env, LOG_LEVEL: "error" }, ["doctor", "--running"]);
    await doctor.ended;
    assert.match(doctor.output(), /The shop responds/u);
    assert.match(doctor.output(), /Agents can connect to unix:\S+agents\.sock/u);
    assert.doesNotMatch(doctor.output(), /unix\.invalid/u);
    terminate(program);
    assert.equal(await program.ended, 0, program.output());
    for (const name of names)
      await assert.rejects(stat(join(programs.folder, `${name}.sock`)), { code: "ENOENT" });
  });

  it("says what is wrong with a socket, and does not start", async () => {
    const program = programs.run({ ...env, SHOP_PORT: `unix:${programs.folder}/no-folder/shop.sock` }, [
      "shop",
    ]);
    assert.equal(await program.ended, 1);
    assert.match(
      program.output(),
      /^unix:\S+shop\.sock: the folder "\S+no-folder" does not exist\. Create it/mu,
    );
  });
});
