/** Uploads that a service rejects without reading them, through nginx with kept connections to the nodes. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cluster } from "./cluster.ts";

const { monitor, auth, shop } = cluster.front;
const MIB = 1024 * 1024;
const body = new Uint8Array(2 * MIB);

interface Upload {
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly token?: string;
}

/** Rejected before the body is read: by path, by credentials, by size, by what it names. */
const uploads: readonly Upload[] = [
  { url: `${shop}/api/admin/uploads/upl_unknown`, method: "PUT", status: 404, token: cluster.adminToken },
  { url: `${shop}/api/admin/uploads/upl_unknown`, method: "PUT", status: 401 },
  { url: `${shop}/api/checkout`, method: "POST", status: 413 },
  { url: `${shop}/no/such/path`, method: "POST", status: 413 },
  { url: `${auth}/api/auth/login`, method: "POST", status: 413 },
  { url: `${auth}/oauth/token`, method: "POST", status: 413 },
  { url: `${monitor}/api/admin/servers`, method: "DELETE", status: 413 },
];

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  return response.status;
}

describe("an upload that is rejected unread, through the front", () => {
  for (const { url, method, status, token } of uploads) {
    it(`leaves the connection to the next request: ${method} ${new URL(url).pathname}, ${status}`, async () => {
      const type = url.includes("/uploads/")
        ? "application/octet-stream"
        : url.endsWith("/token")
          ? "application/x-www-form-urlencoded"
          : "application/json";
      const headers = { "content-type": type, ...(token === undefined ? {} : { "x-admin-token": token }) };
      const seen = new Map<number, number>();
      for (let round = 0; round < 8; round += 1) {
        const reads = Array.from({ length: 8 }, () => statusOf(`${new URL(url).origin}/api/health`));
        const [uploaded, ...read] = await Promise.all([statusOf(url, { method, headers, body }), ...reads]);
        assert.equal(uploaded, status);
        for (const one of read) seen.set(one, (seen.get(one) ?? 0) + 1);
      }
      assert.deepEqual([...seen], [[200, 64]]);
    });
  }
});
