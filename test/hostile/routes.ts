/** Hostile requests to every route of a service, generated from its OpenAPI document. */
import assert from "node:assert/strict";
import { it } from "node:test";
import {
  brokenBodies,
  endless,
  hostileQueries,
  hostileWords,
  json,
  oneMiB,
  REFUSED,
  sentinels,
  wishes,
} from "./attacks.ts";
import { Round } from "./round.ts";
import { type Route, type Subject, dumpStore, isOpen, spoilTexts, takesJson, toPath } from "./route-cases.ts";

function leadsTo(route: Route, path: string): boolean {
  return new RegExp(`^${route.template.replaceAll(".", "[.]").replaceAll(/\{\w+\}/gu, "[^/]+")}$`, "u").test(
    path,
  );
}

/** Whether a route takes what payment providers send: they would send the same again and again. */
function isForeign(route: Route): boolean {
  return route.schemes.includes("webhookSecret");
}

/** Without what the test's own credentials add. */
async function dumpWithoutSessions(subject: Subject): Promise<string[]> {
  return (await dumpStore(subject)).filter((line) => !/^(?:sessions|retiredTokens|lists) /u.test(line));
}

/**
 * Declares the tests of one service inside a `describe`, which must not be async: Deno would not see them. `floor` is how many routes its document has at least,
 * and how many of them take JSON, so that a walk over nothing fails.
 */
export function testHostileRequests(
  create: () => Promise<Subject>,
  walk: { listed: readonly Route[]; floor: { routes: number; bodies: number } },
): void {
  const { listed, floor } = walk;

  it(`has no fewer than ${floor.routes} routes, of which ${floor.bodies} take JSON`, () => {
    assert.ok(listed.length >= floor.routes, String(listed.length));
    assert.ok(listed.filter(takesJson).length >= floor.bodies, String(listed.filter(takesJson).length));
  });

  it("opens nothing to who has no credential, and changes nothing", async () => {
    const subject = await create();
    const round = new Round(subject);
    const before = await dumpStore(subject);
    const closed = listed.filter((route) => !isOpen(route) && !route.schemes.includes("webhookSecret"));
    for (const route of closed) {
      const type: Record<string, string> =
        route.mediaType === undefined ? {} : { "content-type": route.mediaType };
      const form = route.mediaType === "application/x-www-form-urlencoded" ? { body: "token=x" } : {};
      const body = takesJson(route) ? { body: JSON.stringify(route.example) } : form;
      for (const [what, headers] of Object.entries<Record<string, string>>({
        none: {},
        "another token": { "x-admin-token": "adm_wrong", authorization: "Bearer x" },
        "an empty one": { "x-admin-token": "", authorization: "", cookie: "trivet_admin=" },
        "a very long one": { "x-admin-token": "a".repeat(12_000) },
      }))
        await round.send(
          route,
          { headers: { ...type, ...headers }, ...body },
          { what: `credential: ${what}`, allowed: [401] },
        );
    }
    assert.deepEqual(await dumpStore(subject), before);
    round.finish(closed.length * 4);
  });

  it("refuses bodies that are no strict JSON, of another type, or too large, and changes nothing", async () => {
    const subject = await create();
    const round = new Round(subject);
    const before = await dumpWithoutSessions(subject);
    for (const route of listed.filter(takesJson)) {
      const headers = { ...(await subject.credentials(route)), ...json };
      for (const [what, body] of Object.entries(brokenBodies)) {
        // What a payment provider sends is cleaned first, and then lacks what a notice needs.
        const allowed = isForeign(route) && what === "half a character" ? [422] : [400];
        await round.send(route, { headers, body }, { what, allowed });
      }
      for (const type of ["application/xml", "application/json; charset=utf-16"])
        await round.send(
          route,
          { headers: { ...headers, "content-type": type }, body: "{}" },
          { what: type, allowed: [415] },
        );
      const announced = { ...headers, "content-length": "3000000000" };
      await round.send(route, { headers: announced, body: "{}" }, { what: "announces 3 GB", allowed: [413] });
      const { body, taken } = endless();
      await round.send(route, { headers, body }, { what: "never ends", allowed: [413] });
      if (taken() > 20 * oneMiB) round.fail(`${route.name} read ${taken()} bytes`);
    }
    assert.deepEqual(await dumpWithoutSessions(subject), before);
    round.finish(floor.bodies * (Object.keys(brokenBodies).length + 4));
  });

  it("keeps control characters out of every text, whatever they would forge", async () => {
    const subject = await create();
    const round = new Round(subject);
    for (const route of listed.filter(takesJson)) {
      for (const { where, body } of spoilTexts(route.example, "\u0000")) {
        // Those are hashed or sealed, and never stored as they are; of a payment provider's, U+FFFD is stored.
        const isHidden = /password$|token$|secret$/iu.test(where);
        const allowed = isHidden || isForeign(route) ? [200, 201, 202, 204, ...REFUSED] : REFUSED;
        await round.send(
          route,
          { headers: { ...(await subject.credentials(route)), ...json }, body: JSON.stringify(body) },
          { what: `NUL in ${where}`, allowed },
        );
      }
      for (const { where, body } of spoilTexts(
        route.example,
        "\r\nX-Injected: 1\r\n\r\n\u2028\u0085\u001b[2J",
      ))
        await round.send(
          route,
          { headers: { ...(await subject.credentials(route)), ...json }, body: JSON.stringify(body) },
          { what: `control characters in ${where}` },
        );
    }
    const forged = (await dumpStore(subject)).filter((line) =>
      /(?<!\\)(?:\\\\)*\\(?:u0000|u001b|r)/u.test(line),
    );
    assert.deepEqual(forged, []);
    round.finish(floor.bodies * 3);
  });

  it("lets no member of a body set what the route does not declare", async () => {
    const subject = await create();
    const round = new Round(subject);
    for (const route of listed.filter((each) => takesJson(each) && !each.template.includes("/webhooks/"))) {
      const unknown = Object.entries(wishes).filter(([name]) => !route.fields.has(name));
      const example = typeof route.example === "object" ? route.example : {};
      const headers = { ...(await subject.credentials(route)), ...json };
      const body = JSON.stringify({ ...example, ...Object.fromEntries(unknown) });
      await round.send(route, { headers, body }, { what: "wishes" });
    }
    const set = (await dumpStore(subject)).filter((line) => sentinels.test(line));
    assert.deepEqual(set, []);
    round.finish(floor.bodies - 1);
  });

  it("takes no id or word that cannot be one, however it is encoded", async () => {
    const subject = await create();
    const round = new Round(subject);
    const routes = listed.filter((each) => each.places.length > 0);
    for (const route of routes) {
      const body = takesJson(route) ? { body: JSON.stringify(route.example) } : {};
      for (const word of hostileWords) {
        const type = takesJson(route) ? json : {};
        const headers = { ...(await subject.credentials(route)), ...type };
        await round.send(
          route,
          { path: toPath(subject, route, word), headers, ...body },
          { what: "a hostile id", allowed: [400, 401, 404, 405, 413, 414, 415, 422] },
        );
      }
    }
    round.finish(routes.length * hostileWords.length);
  });

  it("takes no parameter of a query that cannot be one", async () => {
    const subject = await create();
    const round = new Round(subject);
    for (const route of listed) {
      if (route.method !== "GET") continue;
      const headers = await subject.credentials(route);
      const ask = (query: string, what: string): Promise<unknown> =>
        round.send(route, { path: `${toPath(subject, route)}?${query}`, headers }, { what });
      await ask("__proto__=1&constructor=1&__proto__[polluted]=1&toString=1", "names of prototypes");
      await round.send(
        route,
        { path: `${toPath(subject, route)}?${route.query[0] ?? "any"}=%ff`, headers },
        // Messages of third-party programs are accepted there in any form; this key does not exist.
        { what: "bytes that are no UTF-8", allowed: [route.template.startsWith("/api/push/") ? 404 : 400] },
      );
      for (const name of route.query)
        for (const toQuery of hostileQueries) await ask(toQuery(name), "a hostile query");
    }
    round.finish(floor.routes);
  });

  it("answers other methods with 405 and Allow, OPTIONS with 204, and HEAD without a body", async () => {
    const subject = await create();
    const round = new Round(subject);
    const byPath = new Map<string, Route[]>();
    for (const route of listed) {
      const path = toPath(subject, route);
      byPath.set(path, [...(byPath.get(path) ?? []), route]);
    }
    for (const [path, routes] of byPath) {
      const [route] = routes;
      assert.ok(route);
      const known = new Set(routes.map(({ method }) => method));
      // "/servers/reorder" is an id, too, for the methods that it does not take itself.
      const taken = new Set(listed.filter((each) => leadsTo(each, path)).map(({ method }) => method));
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "JEFF"]) {
        if (taken.has(method)) continue;
        const response = await round.send(route, { path, method }, { what: "method", allowed: [405] });
        if (response === undefined) continue;
        const allow = new Set((response.headers.get("allow") ?? "").split(", "));
        for (const each of known) if (!allow.has(each)) round.fail(`${path} hides ${each} in Allow`);
      }
      await round.send(route, { path, method: "OPTIONS" }, { what: "OPTIONS", allowed: [204] });
      if (!known.has("GET") || path.endsWith("/stream")) continue;
      const get = routes.find(({ method }) => method === "GET");
      const headers = get === undefined ? {} : await subject.credentials(get);
      const head = await round.send(route, { path, method: "HEAD", headers }, { what: "HEAD" });
      if ((await head?.text()) !== "") round.fail(`${path} answers HEAD with a body`);
    }
    round.finish(byPath.size * 5);
  });

  it("serves its own files and no others", async () => {
    const subject = await create();
    const round = new Round(subject);
    const [route] = listed;
    assert.ok(route);
    const names = ["package.json", "src/main.ts", "data/admin-token.json", "etc/passwd", ".git/config"];
    const ups = [
      "../",
      "..%2f",
      "%2e%2e/",
      "%2e%2e%2f",
      "..%5c",
      "%252e%252e%252f",
      "..%c0%af",
      "....//",
      "%00/",
    ];
    for (const base of ["/swagger/", "/assets/", "/swagger/index.html/", "//", "/."])
      for (const up of ups)
        for (const name of names)
          await round.send(
            route,
            { path: `${base}${up.repeat(4)}${name}`, method: "GET" },
            { what: "traversal", allowed: [400, 404] },
          );
    round.finish(150);
  });
}
