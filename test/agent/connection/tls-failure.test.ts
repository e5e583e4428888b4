import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { explainTlsFailure } from "../../../src/agent/connection/tls-failure.ts";

function explain(code: string, hasCa = false): string | undefined {
  return explainTlsFailure(Object.assign(new Error("handshake"), { code }), { hasCa });
}

describe("explainTlsFailure", () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ["SELF_SIGNED_CERT_IN_CHAIN", /not trusted\. .*--ca/u],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", /not trusted\. .*--ca/u],
    ["ERR_TLS_CERT_ALTNAME_INVALID", /another name\. Check the host in --url/u],
    ["CERT_HAS_EXPIRED", /not valid now\. .*clock/u],
    ["CERT_NOT_YET_VALID", /not valid now\. .*clock/u],
    ["EPROTO", /does not support TLS/u],
    ["ERR_SSL_WRONG_VERSION_NUMBER", /does not support TLS/u],
  ];
  for (const [code, text] of cases) {
    it(`says what to do about ${code}`, () => {
      assert.match(explain(code) ?? "", text);
    });
  }

  it("does not ask again for an authority that was given", () => {
    assert.match(explain("SELF_SIGNED_CERT_IN_CHAIN", true) ?? "", /not signed by an authority in the file/u);
  });

  it("has nothing to say about other failures", () => {
    assert.equal(explain("ECONNREFUSED"), undefined);
    assert.equal(explainTlsFailure("no error at all", { hasCa: false }), undefined);
  });
});
