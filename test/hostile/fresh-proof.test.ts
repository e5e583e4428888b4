/** Fresh proof at shop and monitor: which administrative routes ask people for it, and that a proof at the center opens them. */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { AccountCenter, CenterPerson } from "../../src/kit/outbound/account-center.ts";
import { PASSWORD } from "../auth/app-fixture.ts";
import { type Browser, createBrowser, locationOf, signIn } from "../auth/pages/browser.ts";
import { createTestApp as createMonitorTest } from "../monitor/app-fixture.ts";
import { createTestShop } from "../shop/app-fixture.ts";
import { type OwnCenter, cookiesOf, openOwnCenter } from "../support/own-center.ts";
import { type Route, type Subject, listRoutes, takesJson, toPath } from "./route-cases.ts";
import { createMonitorSubject, createShopSubject } from "./subjects.ts";

const MINUTE = 60_000;
const own = { origin: "http://localhost", "sec-fetch-site": "same-origin" };

type Send = (path: string, init: RequestInit) => Promise<Response>;
interface Case {
  readonly service: "shop" | "monitor";
  /** Scopes whose writes ask. */
  readonly asking: readonly string[];
  /** Operations of these scopes that require no fresh verification. */
  readonly harmless: readonly string[];
  /** Of others, what asks all the same. */
  readonly more: readonly string[];
}

const cases: readonly Case[] = [
  {
    service: "shop",
    asking: ["shop-settings:write", "administrator"],
    harmless: [
      "POST /api/admin/mails/{kind}/{language}/test",
      "POST /api/admin/webhooks/{id}/test",
      "POST /api/admin/webhooks/{id}/resume",
      "POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver",
      "POST /api/admin/site/providers/{word}/test",
      "POST /api/admin/smtp/test",
      "POST /api/admin/smtp/outbox/{id}/retry",
    ],
    more: [
      "POST /api/admin/orders/{id}/refund",
      "POST /api/admin/gift-cards",
      "POST /api/admin/gift-cards/{id}/adjust",
      "GET /api/admin/gift-cards/{id}/code",
      "POST /api/admin/customers/{id}/anonymise",
      "POST /api/admin/products/{id}/secrets/read",
    ],
  },
  {
    service: "monitor",
    asking: ["monitor-settings:write", "administrator"],
    harmless: ["POST /api/admin/smtp/test", "POST /api/admin/backups"],
    more: [
      "DELETE /api/admin/servers/{id}",
      "POST /api/admin/servers/{id}/rotate-key",
      "POST /api/admin/enrolments",
      "POST /api/admin/servers/import",
      "POST /api/admin/channels",
      "PUT /api/admin/channels/{id}",
      "DELETE /api/admin/channels/{id}",
    ],
  },
];

const never = (): never => assert.fail("not asked here");
const tokens = { accessToken: "acc_x", refreshToken: "ref_x", accessEndsAt: 9e15, refreshEndsAt: 9e15 };

/** A center that knows one administrator, who proved at `provedAt` who they are. */
function toCenter(provedAt: () => number | undefined): AccountCenter {
  const person = (): CenterPerson => ({
    ...{ id: "usr_1", username: "ann", displayName: "Ann", emailVerified: true, adminScopes: [] },
    administers: true,
    provedAt: provedAt(),
  });
  return {
    ...{ ask: async () => "ready", findUrl: () => undefined, begin: never, end: never, readLogout: never },
    receive: async () => ({ person: person(), tokens, returnTo: "/admin" }),
    check: async () => ({ status: "valid", person: person(), tokens }),
    checkBearer: async () => ({ status: "refused" }),
    checkMachine: async () => undefined,
    cookie: { write: async () => "held=1", read: async () => tokens, clear: () => "held=" },
  };
}

async function open(
  service: Case["service"],
  center: AccountCenter,
): Promise<{ send: Send; now: () => number }> {
  if (service === "shop") {
    const userCheck = {
      validateRequest: async () => ({ status: "refused" }) as const,
      readAddresses: async () => ({ status: "refused" }) as const,
    };
    const shop = await createTestShop({ center, userCheck, publicUrl: "http://localhost" });
    // The check against the document would wait for the end of a stream.
    const send: Send = (path, init) =>
      init.method === "GET" ? shop.raw(path, init) : shop.fetch(path, init);
    return { send, now: () => shop.clock.now() };
  }
  const monitor = await createMonitorTest({ center, publicUrl: "http://localhost" });
  const cookie = cookiesOf(await monitor.raw("/callback"));
  return {
    now: () => monitor.clock.now(),
    send: (path, init) => {
      const headers = new Headers(init.headers);
      headers.set("cookie", cookie);
      return monitor.raw(path, { ...init, headers });
    },
  };
}

for (const { service, asking, harmless, more } of cases)
  describe(`fresh proof at the ${service}`, () => {
    let subject: Subject;
    let routes: Route[];
    let provedAt: number | undefined;
    let parts: Awaited<ReturnType<typeof open>>;
    before(async () => {
      subject = await (service === "shop" ? createShopSubject() : createMonitorSubject());
      routes = (await listRoutes(subject)).filter(
        ({ schemes, template }) => schemes.includes("adminToken") && template.startsWith("/api/admin/"),
      );
      parts = await open(
        service,
        toCenter(() => provedAt),
      );
    });

    async function ask(route: Route): Promise<Record<string, unknown>> {
      const headers = new Headers(own);
      if (route.mediaType !== undefined) headers.set("content-type", route.mediaType);
      const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
      const response = await parts.send(toPath(subject, route), { method: route.method, headers, ...body });
      const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json") === true;
      // Another answer may be a stream.
      const problem: Record<string, unknown> = isProblem ? await response.json() : {};
      if (!isProblem) await response.body?.cancel();
      assert.ok(response.status !== 401, `${route.name} takes this person for nobody`);
      return { status: response.status, ...problem };
    }
    const isNeeded = ({ name, method, scope = "" }: Route): boolean =>
      more.includes(name) || (method !== "GET" && asking.includes(scope) && !harmless.includes(name));

    it("knows every route of the lists", () => {
      const known = new Set(routes.map(({ name }) => name));
      assert.deepEqual(
        [...harmless, ...more].filter((name) => !known.has(name)),
        [],
      );
      assert.ok(routes.filter(isNeeded).length >= 15, "hardly any route asks");
    });

    it("is required of users who verified their identity long ago, or at an unknown time", async () => {
      for (const at of [parts.now() - 10 * MINUTE, undefined]) {
        provedAt = at;
        for (const route of routes) {
          // It would end the session that asks.
          if (route.name === "DELETE /api/admin/auth") continue;
          const { status, code, path, detail } = await ask(route);
          const isAsked = status === 403 && code === "reauth_required";
          assert.equal(isAsked, isNeeded(route), `${route.name} (${route.scope}): ${String(detail)}`);
          if (isAsked) assert.equal(path, "/sign-in?fresh=1", "it does not say what to do");
        }
      }
    });

    it("is not required right after a verification, or of the administrator token", async () => {
      provedAt = parts.now() - 9 * MINUTE;
      const route = routes.find(({ name }) => name === more[0]) ?? assert.fail();
      assert.notEqual((await ask(route))["code"], "reauth_required");
      provedAt = undefined;
      const init = { method: route.method, headers: { "x-admin-token": "wrong" } };
      assert.equal((await parts.send(toPath(subject, route), init)).status, 401);
    });
  });

describe("a fresh proof at the center", () => {
  let center: OwnCenter;
  let browser: Browser;
  before(async () => {
    center = await openOwnCenter();
  });
  after(() => center.close());
  beforeEach(async () => {
    await center.reset();
    await center.auth.signUp("ann", { role: "admin" });
    browser = createBrowser(center.auth);
    await signIn(browser, "ann", PASSWORD);
  });

  /** Begins at the service, proves who one is where the center asks, and comes back with the service's cookies. */
  async function enter(send: Send, path: string): Promise<{ cookie: string; isAsked: boolean }> {
    const begun = await send(path, {});
    const { pathname, search, searchParams } = new URL(begun.headers.get("location") ?? "");
    assert.equal(searchParams.get("max_age"), path.includes("fresh") ? "60" : null);
    const asked = await browser.get(pathname + search);
    const to = asked.headers.get("location") ?? "";
    const isAsked = to.startsWith("/account/confirm");
    if (isAsked) {
      const rd = new URL(to, "http://localhost").searchParams.get("rd") ?? "";
      const proved = await browser.post("/account/confirm", { password: PASSWORD, rd });
      assert.equal(locationOf(proved), rd);
    }
    const back = await center.passThrough(browser, begun);
    const arrived = await send(back, { headers: { cookie: cookiesOf(begun) } });
    assert.equal(arrived.headers.get("location"), "/admin");
    return { cookie: cookiesOf(arrived), isAsked };
  }

  for (const service of ["shop", "monitor"] as const)
    it(`opens the ${service} again, in another tab, by a new sign-in there`, async () => {
      const connected = await center.connect(service);
      const options = { center: connected, clock: center.auth.clock, publicUrl: "http://localhost" };
      const shop = service === "shop" ? await createTestShop(options) : undefined;
      const monitor = service === "monitor" ? await createMonitorTest(options) : undefined;
      const send: Send = (path, init) => (shop ?? monitor ?? assert.fail()).raw(path, init);
      let keys = 0;
      const change = async (cookie: string): Promise<[number, string | undefined]> => {
        const response = await send("/api/admin/api-keys", {
          method: "POST",
          headers: { ...own, cookie, "content-type": "application/json" },
          body: JSON.stringify({
            name: `Key ${(keys += 1)}`,
            scopes: [service === "shop" ? "orders:read" : "servers:read"],
          }),
        });
        const { code }: { code?: string } = await response.json();
        return [response.status, code];
      };
      const first = await enter(send, "/sign-in?rd=/admin");
      assert.equal((await change(first.cookie))[0], 201);
      center.auth.clock.advance(11 * MINUTE);
      assert.deepEqual(await change(first.cookie), [403, "reauth_required"]);
      // To sign in again is no proof: the center knows the browser.
      const again = await enter(send, "/sign-in?rd=/admin");
      assert.deepEqual([again.isAsked, (await change(again.cookie))[1]], [false, "reauth_required"]);
      const fresh = await enter(send, "/sign-in?fresh=1&rd=/admin");
      assert.deepEqual([fresh.isAsked, (await change(fresh.cookie))[0]], [true, 201]);
      center.auth.clock.advance(11 * MINUTE);
      assert.deepEqual(await change(fresh.cookie), [403, "reauth_required"]);
    });
});
