import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { afterEach, describe, it } from "node:test";
import { parseResolver } from "../../../src/kit/probes/kinds/dns.ts";
import { describeTarget } from "../../../src/kit/probes/probes.ts";
import { targetSchema } from "../../../src/kit/probes/targets.ts";
import { type DnsAnswer, type DnsServer, encodeName, type Question, serveDns } from "./dns-server.ts";
import { look, sayResult } from "./targets.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function start(answer: (question: Question) => DnsAnswer | undefined): Promise<DnsServer> {
  const server = await serveDns(answer);
  cleanUp.push(() => server.close());
  return server;
}

async function say(server: DnsServer, target: object, options = {}): Promise<string> {
  const resolver = `127.0.0.1:${server.port}`;
  return sayResult(await look({ kind: "dns", name: "www.example.org", resolver, ...target }, options));
}

const numbers = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
};
const mail = encodeName("Mail.example.org");
const text = (value: string): Buffer => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
const ip = Buffer.from([192, 0, 2, 7]);

const dataOf: Record<number, Buffer> = {
  1: ip,
  28: Buffer.from("20010db8000000000000000000000007", "hex"),
  5: mail,
  2: mail,
  12: mail,
  15: Buffer.concat([numbers(10), mail]),
  6: Buffer.concat([mail, encodeName("host.example.org"), numbers(0, 7, 0, 1, 0, 1, 0, 1, 0, 1)]),
  33: Buffer.concat([numbers(1, 2, 443), mail]),
  16: Buffer.concat([text("v=spf1 "), text("-all")]),
  257: Buffer.concat([Buffer.from([0, 5]), Buffer.from("issueca.example")]),
};

describe("DNS probes", () => {
  it("find records of every kind, in the forms that people write", async () => {
    const server = await start(({ type }) => ({ records: [dataOf[type] ?? ip] }));
    const cases: readonly [string, string[]][] = [
      ["A", ["192.0.2.7"]],
      ["AAAA", ["2001:db8::7", "2001:0DB8:0:0::0007"]],
      ["CNAME", ["mail.example.org", "MAIL.example.org."]],
      ["NS", ["mail.example.org."]],
      ["PTR", ["mail.example.org"]],
      ["MX", ["10 mail.example.org", "mail.example.org."]],
      ["SOA", ["mail.example.org"]],
      ["SRV", ["1 2 443 mail.example.org", "mail.example.org"]],
      ["TXT", ["v=spf1 -all"]],
      ["CAA", ['0 issue "ca.example"', "0 issue ca.example"]],
    ];
    for (const [record, expected] of cases) {
      assert.match(await say(server, { record }), /^up \| ./u, record);
      for (const one of expected)
        assert.match(await say(server, { record, expected: [one] }), /^up \| /u, `${record} ${one}`);
      assert.match(
        await say(server, { record, expected: ["10.9.8.7"] }),
        /^dns \| "10\.9\.8\.7" is not among/u,
      );
    }
  });

  it("want every expected record, among as many others as there are", async () => {
    const records = Array.from({ length: 5 }, (_, index) => Buffer.from([192, 0, 2, index + 1]));
    const server = await start(() => ({ records }));
    assert.equal(await say(server, {}), "up | 192.0.2.1, 192.0.2.2, 192.0.2.3 and 2 more");
    assert.match(await say(server, { expected: ["192.0.2.5", "192.0.2.1"] }), /^up/u);
    assert.match(
      await say(server, { expected: ["192.0.2.5", "192.0.2.9"] }),
      /^dns \| "192\.0\.2\.9" is not among/u,
    );
  });

  it("tell a name that is missing, an empty answer and a refusal from an answer", async () => {
    const answers: Record<string, DnsAnswer> = {
      none: { rcode: 3 },
      empty: {},
      refused: { rcode: 5 },
      failed: { rcode: 2 },
    };
    const server = await start(({ name }) => answers[name.split(".")[0] ?? ""] ?? {});
    for (const name of Object.keys(answers))
      assert.match(await say(server, { name: `${name}.example.org` }), /^dns \| ./u, name);
  });

  it("end with their time at a resolver that is silent, lies about the question or talks nonsense", async () => {
    const silent = await start(() => undefined);
    assert.match(await say(silent, {}, { timeoutMs: 600 }), /^timeout \| /u);
    const wrong = await start(() => ({ records: [ip], wrongId: true }));
    assert.match(await say(wrong, {}, { timeoutMs: 600 }), /^timeout \| /u);
    for (const raw of [Buffer.alloc(0), Buffer.alloc(3, 1), Buffer.alloc(1_400, 0xff)]) {
      const nonsense = await start(() => ({ raw }));
      assert.doesNotMatch(await say(nonsense, {}, { timeoutMs: 600 }), /^up/u);
    }
  });

  it("take answers that are too large for a packet, and show little of them", async () => {
    const records = Array.from({ length: 3_000 }, (_, index) =>
      Buffer.from([10, 0, index >> 8, index & 255]),
    );
    const server = await start(({ isTcp }) => (isTcp ? { records } : { truncated: true }));
    const result = await say(server, {});
    assert.equal(result, "up | 10.0.0.0, 10.0.0.1, 10.0.0.2 and 197 more");
    assert.equal(server.questions.at(-1)?.isTcp, true);
  });

  it("ask no resolver that is not allowed", async () => {
    const server = await start(() => ({ records: [ip] }));
    const rules = { allowPrivate: false, privateRemedy: "set the switch" };
    assert.equal(
      await say(server, {}, { rules }),
      'forbidden | "127.0.0.1" is a private address; set the switch',
    );
    const metadata = await look({ kind: "dns", name: "a.example", resolver: "169.254.169.254" });
    assert.equal(metadata.fault, "forbidden");
    assert.equal(server.questions.length, 0);
  });

  it("take addresses alone for resolvers", () => {
    const good: readonly [string, string, number][] = [
      ["192.0.2.53", "192.0.2.53", 53],
      ["192.0.2.53:5353", "192.0.2.53", 5_353],
      ["2001:db8::53", "2001:db8::53", 53],
      ["[2001:db8::53]:5353", "2001:db8::53", 5_353],
      ["[::1]", "::1", 53],
    ];
    for (const [given, address, port] of good) assert.deepEqual(parseResolver(given), { address, port });
    for (const bad of [
      "dns.example",
      "192.0.2",
      "192.0.2.53:0",
      "192.0.2.53:99999",
      "[::1",
      "::1%lo",
      "127.1",
    ])
      assert.equal(targetSchema.safeParse({ kind: "dns", name: "a", resolver: bad }).success, false, bad);
  });

  it("are said in a few words", () => {
    const target = { kind: "dns", name: "example.org", record: "MX", resolver: "192.0.2.53" };
    assert.equal(describeTarget(targetSchema.parse(target)), "MX example.org at 192.0.2.53");
  });
});
