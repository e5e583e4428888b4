/** Requests of pages: an answer that breaks off, or that is none of the service, is a failed request like any other. */
import "./resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import { ApiError, request } from "../../src/web/app/api.ts";

async function failWith(body: BodyInit): Promise<ApiError> {
  const fetched = mock.method(globalThis, "fetch", async () => new Response(body));
  try {
    await request("/api/admin/things");
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return error;
  } finally {
    fetched.mock.restore();
  }
  throw new Error("It did not fail");
}

describe("request", () => {
  it("says that the service is offline when its answer breaks off", async () => {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"items":'));
        controller.error(new TypeError("network error"));
      },
    });
    assert.equal((await failWith(broken)).code, "offline");
  });

  it("says so when something else answers in its place", async () => {
    assert.equal((await failWith("<!doctype html><title>Sign in to this network</title>")).code, "unknown");
  });
});
