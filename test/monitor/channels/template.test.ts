import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DEFAULT_BODY } from "../../../src/monitor/channels/kinds/http.ts";
import type { Notice } from "../../../src/monitor/channels/kinds/notice.ts";
import {
  findAddressFault,
  findBodyFault,
  isJsonType,
  renderTemplate,
} from "../../../src/monitor/channels/kinds/template.ts";

const JSON_TYPE = "application/json";
const notice: Notice = {
  kind: "firing",
  severity: "critical",
  title: 'Web "1" is down',
  text: "first\nsecond & third",
  url: "https://status.example/#/servers/web-1",
};

describe("renderTemplate", () => {
  it("writes a text as it is, as JSON with its quotes, and percent-encoded", () => {
    assert.equal(
      renderTemplate("{{title}}|{{ json title }}|{{uri text}}|{{kind}}|{{severity}}", notice),
      'Web "1" is down|"Web \\"1\\" is down"|first%0Asecond%20%26%20third|firing|critical',
    );
  });

  it("writes nothing for an address that is not there", () => {
    const { url: _url, ...rest } = notice;
    assert.equal(renderTemplate("[{{url}}] {{json url}}", rest), '[] ""');
  });

  it("does not fill what a notice's text looks like", () => {
    assert.equal(
      renderTemplate("{{title}}", { ...notice, title: "{{text}} $& {{json url}}" }),
      "{{text}} $& {{json url}}",
    );
  });

  it("gives JSON for every notice, from the default and from any template that is let in", () => {
    const bodies = [
      DEFAULT_BODY,
      '[{{json title}},{"a":{{json text}},"b":"is {{kind}}, {{severity}}"}]',
      "{ {{json title}} : {{json url}} }",
    ];
    for (const body of bodies) assert.equal(findBodyFault(body, JSON_TYPE), undefined);
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts, texts, texts, fc.constantFrom(...bodies), (title, text, url, body) => {
        const value: unknown = JSON.parse(renderTemplate(body, { ...notice, title, text, url }));
        if (body === DEFAULT_BODY)
          assert.deepEqual(value, { title, text, url, severity: "critical", kind: "firing" });
      }),
    );
  });
});

describe("findBodyFault", () => {
  const faults: readonly (readonly [string, RegExp])[] = [
    ['{"a":"{{title}}"}', /\{\{json title\}\} without surrounding quotes/u],
    ['{"a":"{{json title}}"}', /must be valid JSON/u],
    ['{"a":"x{{json title}}y"}', /must be valid JSON/u],
    ['["{{json title}}"]', /must be valid JSON/u],
    ['{"a":{{uri title}}}', /\{\{json title\}\}/u],
    ['{"a":{{kind}}}', /must be valid JSON/u],
    ["{{json titel}}", /does not support the placeholder "\{\{json titel\}\}"\. Supported are title, text/u],
    ["{{constructor}}", /does not support/u],
    ["{{json title", /"\{\{" without a placeholder name/u],
    ["{{{json title}}}", /must be valid JSON/u],
    ["{{}}", /does not support/u],
    ["", /must be valid JSON/u],
  ];
  for (const [body, message] of faults)
    it(`refuses ${body === "" ? "nothing" : body} as JSON`, () => {
      assert.match(findBodyFault(body, JSON_TYPE) ?? "", message);
    });

  it("takes quotes and plain places in other texts", () => {
    assert.equal(findBodyFault('"{{title}}" }} {{text}}', "text/plain"), undefined);
    assert.match(findBodyFault("{{no such}}", "text/plain") ?? "", /does not support/u);
  });

  it("is linear in what it is given", () => {
    const braces = "{".repeat(50_000);
    assert.match(findBodyFault(braces, "text/plain") ?? "", /without a placeholder name/u);
    assert.match(findBodyFault(`{{${" ".repeat(50_000)}`, "text/plain") ?? "", /without a placeholder name/u);
  });

  it("knows JSON by its types", () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "application/vnd.api+json"])
      assert.equal(isJsonType(type), true, type);
    for (const type of ["text/plain", "application/jsonp", "text/json-like"])
      assert.equal(isJsonType(type), false, type);
  });
});

describe("findAddressFault", () => {
  it("takes percent-encoded places after the host, and no others", () => {
    for (const address of [
      "https://a.example/x",
      "https://a.example?m={{uri title}}",
      "http://a.example/{{uri kind}}",
    ])
      assert.equal(findAddressFault(address), undefined, address);
    assert.match(findAddressFault("https://a.example/?m={{title}}") ?? "", /\{\{uri title\}\}/u);
    for (const address of ["https://{{uri title}}/", "https://a.example{{uri title}}", "{{uri url}}"])
      assert.match(findAddressFault(address) ?? "", /fixed host name/u, address);
  });
});
