import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { certificate as rule } from "../../../src/monitor/alerts/kinds/certificate.ts";
import { isDeno } from "../../support/own-runtime.ts";
import { chainLeaf, chainRoot, crossSigned, middle } from "./chain-certificates.ts";
import { look, sayResult, serveHttp, type TargetServer } from "./targets.ts";

let server: TargetServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Nine days before the middle of the chain expires. */
const now = Date.UTC(2059, 8, 27, 12);
const clock = { now: () => now, monotonic: () => performance.now() };
const skip = isDeno && "Deno tells only the certificate of the target itself";

async function serve(...chain: readonly string[]): Promise<object> {
  await server?.close();
  server = await serveHttp((_request, response) => response.end("x"), {
    cert: chainLeaf.cert + chain.join(""),
    key: chainLeaf.key,
  });
  return { kind: "http", url: `https://localhost:${server.port}/`, ca: chainRoot };
}

describe("the chain of a certificate", { skip }, () => {
  it("is reported if it expires before the certificate", async () => {
    const target = await serve(middle);
    const { fault, certificate } = await look(target, { clock });
    assert.equal(fault, undefined);
    assert.deepEqual(certificate?.chainEnd, { subject: "Middle", validTo: Date.UTC(2059, 9, 6, 20, 30, 5) });
    assert.equal(new Date(certificate.validTo).getUTCFullYear(), 2126);
  });

  it("makes a check down only where its owner asks, and conditions count its days", async () => {
    const target = await serve(middle);
    assert.equal(
      sayResult(await look({ ...target, certificateDays: 14 }, { clock })),
      'certificate_ends | The certificate "Middle" of the chain expires on 2059-10-06, in 9 days',
    );
    const conditions = [{ subject: "certificate", operator: ">", value: "30" }];
    const { conditions: said } = await look({ ...target, conditions }, { clock });
    assert.deepEqual(said, [{ text: "Certificate > 30 days", isMet: false, seen: "9 days left" }]);
  });

  it("ends at an authority that is trusted, whatever else the server sends", async () => {
    const target = await serve(middle, crossSigned);
    const early = { now: () => Date.UTC(2051, 6, 1), monotonic: () => performance.now() };
    const { certificate } = await look(target, { clock: early });
    assert.equal(certificate?.chainEnd?.subject, "Middle");
  });

  it("ignores a certificate that has expired and is not needed", async () => {
    const late = { now: () => Date.UTC(2055, 0, 1), monotonic: () => performance.now() };
    const result = await look(
      { ...(await serve(middle, crossSigned)), certificateDays: 14 },
      { clock: late },
    );
    assert.equal(sayResult(result), "up | 200 OK");
    assert.equal(result.certificate?.chainEnd?.subject, "Middle");
    const later = { now: () => Date.UTC(2062, 0, 1), monotonic: () => performance.now() };
    const over = await look({ ...(await serve(middle)), certificateDays: 14 }, { clock: later });
    assert.deepEqual([over.fault, over.certificate?.chainEnd], [undefined, undefined]);
  });

  it("of short-lived certificates is warned of in the last third of their life", () => {
    const day = 86_400_000;
    const evaluate = (age: number): unknown => {
      const certificate = { validFrom: now - age * day, validTo: now + (6 - age) * day };
      // `as`: the rule reads the certificate and the time alone.
      return Reflect.get(
        Object(rule.evaluate({ daysAhead: 14 }, { standing: { certificate }, now } as never)),
        "breached",
      );
    };
    assert.deepEqual([1, 3.9, 4.1, 5].map(evaluate), [false, false, true, true]);
  });

  it("is warned of by the rule about certificates", async () => {
    const { certificate } = await look(await serve(middle), { clock });
    assert.ok(certificate);
    const standing = {
      id: "a",
      version: 1,
      revision: 1,
      state: "up" as const,
      since: 0,
      places: [],
      certificate: { ...certificate, names: [...certificate.names] },
    };
    const evaluate = (daysAhead: number): unknown =>
      // `as`: the rule reads the standing and the time alone.
      rule.evaluate({ daysAhead }, { standing, now } as never);
    assert.deepEqual(evaluate(14), {
      breached: true,
      value: certificate.chainEnd?.validTo,
      occasion: String(certificate.chainEnd?.validTo),
    });
    assert.equal(Reflect.get(Object(evaluate(5)), "breached"), false);
  });
});
