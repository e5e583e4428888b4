import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, it } from "node:test";
import { PUBLISHED, SERVERS } from "../../../src/kit/probes/rdap/servers.ts";
import type { ProbeContext } from "../../../src/kit/probes/probe.ts";
import { DomainBook } from "../../../src/kit/probes/rdap/domain-book.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { createContext, findClosedPort, look, sayResult, serveHttp } from "./targets.ts";

const HOUR_MS = 3_600_000;
const now = Date.parse("2026-11-29T00:00:00Z");

let cleanUp: (() => unknown)[] = [];
let book = new DomainBook();
/** Hours that have passed. */
let hours = 0;
beforeEach(() => {
  book = new DomainBook();
  hours = 0;
});
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

interface Registry {
  readonly url: string;
  readonly asked: string[];
}

/** A registry that answers as the suite says. */
async function startRegistry(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Registry> {
  const asked: string[] = [];
  const server = await serveHttp((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  cleanUp.push(() => server.close());
  return { url: `http://localhost:${server.port}/rdap/`, asked };
}

function toObject(fields: object = {}): string {
  return JSON.stringify({
    objectClassName: "domain",
    ldhName: "EXAMPLE.ORG",
    status: ["client transfer prohibited"],
    events: [
      { eventAction: "registration", eventDate: "1995-08-31T04:00:00Z" },
      { eventAction: "expiration", eventDate: "2027-03-09T04:00:00Z" },
      { eventAction: "last update of RDAP database", eventDate: "2026-11-28T00:00:00Z" },
    ],
    ...fields,
  });
}

const expiring = (eventDate: string): object => ({ events: [{ eventAction: "expiration", eventDate }] });

async function say(
  { url }: Pick<Registry, "url">,
  fields: object = {},
  options: Partial<ProbeContext> = {},
): Promise<string> {
  const clock = { now: () => now + hours * HOUR_MS, monotonic: () => performance.now() + hours * HOUR_MS };
  const target = { kind: "domain", domain: "example.org", server: url, ...fields };
  const probeDomain: ProbeContext["probeDomain"] = (asked, context) => book.probe(asked, context);
  return sayResult(await look(target, { clock, probeDomain, ...options }));
}

async function sayOf(fields: object): Promise<string> {
  book = new DomainBook();
  return say(await startRegistry((_request, response) => response.end(toObject(fields))));
}

describe("domain probes", () => {
  it("say when a domain expires, and fail within the days that were set", async () => {
    const registry = await startRegistry((_request, response) => response.end(toObject()));
    const detail = '"example.org" expires on 2027-03-09, in 100 days';
    assert.equal(await say(registry), `up | ${detail}`);
    assert.equal(await say(registry, { days: 100 }), `up | ${detail}`);
    assert.equal(await say(registry, { days: 101 }), `domain_ends | ${detail}`);
    assert.deepEqual(registry.asked, ["/rdap/domain/example.org"]);
  });

  it("say that it expired, or is lost, and judge nothing without a date", async () => {
    assert.match(await sayOf(expiring("2026-11-28T23:59:59Z")), /^domain_ends \| .* expired on 2026-11-28$/u);
    // An end that is near is a matter of alert rules.
    assert.match(await sayOf(expiring("2026-11-30T00:00:00+00:00")), /^up \| .*in 1 day$/u);
    assert.match(await sayOf({ status: ["redemption period"] }), /^domain_ends \| .*only be restored/u);
    assert.match(
      await sayOf({ status: ["active", "clientHold".replace("H", " h")] }),
      /^domain_ends \| .*\(client hold\)$/u,
    );
    const without = /^not_judged \| The registry does not say when "example\.org" expires$/u;
    for (const fields of [
      { events: [] },
      { events: null },
      { events: "soon" },
      { events: [null, 7, { eventAction: "expiration" }] },
      expiring("not available"),
      expiring("9999-12-31T00:00:00Z"),
      expiring("0001-01-01T00:00:00Z"),
    ])
      assert.match(await sayOf(fields), without, JSON.stringify(fields));
  });

  it("return the date, also of a domain that failed, and none that the registry did not give", async () => {
    const probeDomain: ProbeContext["probeDomain"] = (asked, context) => book.probe(asked, context);
    const clock = { now: () => now, monotonic: () => performance.now() };
    const find = async (fields: object): Promise<unknown> => {
      book = new DomainBook();
      const { url: server } = await startRegistry((_request, response) => response.end(toObject(fields)));
      const target = { kind: "domain", domain: "www.example.org", server, days: 0 };
      return (await look(target, { clock, probeDomain })).registration;
    };
    const at = (iso: string) => ({ domain: "example.org", expiresAt: Date.parse(iso) });
    assert.deepEqual(await find({}), at("2027-03-09T04:00:00Z"));
    assert.deepEqual(await find(expiring("2026-11-01T00:00:00Z")), at("2026-11-01T00:00:00Z"));
    assert.deepEqual(await find({ status: ["server hold"] }), at("2027-03-09T04:00:00Z"));
    assert.equal(await find({ events: [] }), undefined);
  });

  it("ask for the registrable domain, of public suffixes and in other scripts too", async () => {
    const registry = await startRegistry(({ url = "" }, response) => {
      const ldhName = url.split("/").at(-1);
      response.end(toObject({ ldhName }));
    });
    for (const domain of [
      "www.example.co.uk",
      "WWW.Example.com.",
      "a.b.example.gov.br",
      "bücher.de",
      "shop.例え.jp",
      "someone.github.io",
    ])
      assert.match(await say(registry, { domain }), /^up \| /u, domain);
    assert.deepEqual(
      registry.asked.map((path) => path.split("/").at(-1)),
      ["example.co.uk", "example.com", "example.gov.br", "xn--bcher-kva.de", "xn--r8jz45g.jp", "github.io"],
    );
    assert.match(await say(registry, { domain: "co.uk" }), /^not_judged \| "co\.uk" is not a domain/u);
    for (const domain of [
      "",
      "localhost",
      "192.0.2.1",
      "[::1]",
      "a b.example",
      "https://example.org",
      "a..b.org/x",
      "user@example.org",
    ])
      assert.equal(targetSchema.safeParse({ kind: "domain", domain }).success, false, domain);
  });

  it("take the server from the list of IANA, and say which domain it lacks", async () => {
    assert.match(PUBLISHED, /^20\d\d-\d\d-\d\d$/u);
    const rows = SERVERS.trim().split(/ \|\s/u);
    assert.ok(rows.length > 500);
    for (const row of rows) assert.match(row, /^https?:\/\/[^ ]+\/(?: [a-z0-9-]+)+$/u);
    assert.equal(
      await say({ url: "" }, { domain: "example.de" }),
      `not_judged | No RDAP server of ".de" is known (IANA, ${PUBLISHED}): set the RDAP server of the registry`,
    );
    // Of a known one, the name is looked up.
    const looked: string[] = [];
    const lookup = async (name: string): Promise<string[]> => {
      looked.push(name);
      return [];
    };
    assert.match(await say({ url: "" }, { domain: "example.com" }, { lookup }), /^not_judged \| Registry: /u);
    assert.deepEqual(looked, ["rdap.verisign.com"]);
  });

  it("ask again after six hours, and use the last date for a week while the registry fails", async () => {
    let works = true;
    const registry = await startRegistry((_request, response) =>
      works ? response.end(toObject()) : response.writeHead(500).end(),
    );
    assert.match(await say(registry), /^up \| /u);
    hours = 5.9;
    assert.match(await say(registry), /^up \| /u);
    assert.equal(registry.asked.length, 1);
    hours = 6.1;
    await say(registry);
    assert.equal(registry.asked.length, 2);
    works = false;
    hours = 13;
    assert.match(
      await say(registry),
      /^up \| .* As of 7 hours ago: The registry responded with 500 Internal Server Error$/u,
    );
    // Not again within a quarter of an hour.
    await say(registry);
    assert.equal(registry.asked.length, 3);
    hours = 13 + 7 * 24;
    assert.match(await say(registry), /^not_judged \| The registry responded with 500/u);
  });

  it("wait as long as a registry asks for, with all of its domains", async () => {
    let isBusy = true;
    const registry = await startRegistry(({ url = "" }, response) => {
      if (isBusy) response.writeHead(429, { "retry-after": String(3 * 3_600) }).end();
      else response.end(toObject({ ldhName: url.split("/").at(-1) }));
    });
    assert.equal(await say(registry), "not_judged | The registry responded with 429 Too Many Requests");
    isBusy = false;
    hours = 2.9;
    assert.match(await say(registry), /^not_judged \| /u);
    assert.equal(await say(registry, { domain: "example.com" }), "not_judged | The registry limits queries");
    assert.equal(registry.asked.length, 1);
    hours = 3.1;
    assert.match(await say(registry), /^up \| /u);
    assert.match(await say(registry, { domain: "example.com" }), /^up \| /u);
  });

  it("share a query that runs", async () => {
    const registry = await startRegistry(
      (_request, response) => void setImmediate(() => response.end(toObject())),
    );
    const said = await Promise.all([1, 2, 3].map(() => say(registry)));
    assert.ok(
      said.every((one) => one.startsWith("up | ")),
      said.join(),
    );
    assert.equal(registry.asked.length, 1);
  });

  it("follow redirects, and say that a domain is not registered", async () => {
    const registry = await startRegistry(({ url = "" }, response) => {
      if (url.startsWith("/rdap/")) response.writeHead(302, { location: "/there/domain/example.org" }).end();
      else response.end(toObject());
    });
    assert.match(await say(registry), /^up \| /u);
    const gone = await startRegistry((_request, response) => response.writeHead(404).end("{}"));
    assert.equal(await say(gone), 'domain_ends | "example.org" is not registered');
    const circle = await startRegistry(({ url = "" }, response) =>
      response.writeHead(302, { location: url }).end(),
    );
    assert.match(await say(circle), /^not_judged \| The registry redirects more than 5 times$/u);
  });

  it("judge nothing by registries that lie, break off, are slow, or are not there", async () => {
    const cases: readonly (readonly [RegExp, (response: ServerResponse) => void])[] = [
      [
        /answered for another domain, "example\.com"/u,
        (response) => response.end(toObject({ ldhName: "example.com" })),
      ],
      [/is not JSON/u, (response) => response.end("<html>")],
      [/is not a domain/u, (response) => response.end('["x"]')],
      [/longer than 256 KiB/u, (response) => response.end(toObject({ remarks: "x".repeat(300_000) }))],
      [
        /ended too early/u,
        (response) =>
          void response.writeHead(200, { "content-length": "900" }).write("{", () => response.destroy()),
      ],
      [/No response within 0\.2 s/u, () => undefined],
    ];
    for (const [said, answer] of cases) {
      const registry = await startRegistry((_request, response) => answer(response));
      const result = await say(registry, {}, said.source.includes("within") ? { timeoutMs: 200 } : {});
      assert.match(result, /^not_judged \| /u);
      assert.match(result, said);
    }
    const closed = { url: `http://localhost:${await findClosedPort()}/` };
    assert.match(await say(closed), /^not_judged \| Registry: The connection was refused/u);
    const rules = { allowPrivate: false, privateRemedy: "set the switch" };
    assert.match(await say(closed, { domain: "example.net" }, { rules }), /^forbidden \| /u);
  });

  it("are for the monitor alone", async () => {
    assert.equal(
      sayResult(await look({ kind: "domain", domain: "example.org" }, createContext())),
      "unsupported | Only the monitor itself checks domains",
    );
  });
});
