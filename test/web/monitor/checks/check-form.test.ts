import "../../resource/browser.ts";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { checkForms } from "../../../../src/monitor/checks/form-schema.ts";
import { toLocations } from "../../../../src/monitor/checks/location-schema.ts";
import type { CheckKind } from "../../../../src/monitor/checks/schema.ts";
import { checkBodySchema } from "../../../../src/monitor/checks/parts-routes.ts";
import { setTexts } from "../../../../src/web/app/texts.ts";
import {
  type CheckContext,
  checkKindNames,
  madeFormOf,
} from "../../../../src/web/monitor/checks/editor/check-form.ts";
import { toDefaultName } from "../../../../src/web/monitor/checks/editor/check-name.tsx";
import { beginForm, toOtherKind } from "../../../../src/web/monitor/checks/editor/new-check-page.tsx";
import {
  labelName,
  nestFields,
  pickFields,
  readForm,
  toTyped,
} from "../../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../../src/web/ui/resource/kind.ts";

const context: CheckContext = { groups: [], tags: [], servers: [] };

/** What has to be typed of each kind, at least. */
const least: Readonly<Record<CheckKind, Form>> = {
  http: { "target/url": "https://example.org/health" },
  heartbeat: {},
  tcp: { "target/host": "db.example.org" },
  tls: { "target/host": "example.org" },
  dns: { "target/name": "example.org" },
  ping: { "target/host": "192.0.2.1" },
  websocket: { "target/url": "wss://example.org/socket" },
  grpc: { "target/host": "api.example.org" },
  mail: { "target/host": "mail.example.org" },
  database: { "target/host": "db.example.org" },
  mqtt: { "target/host": "mqtt.example.org" },
  udp: { "target/host": "game.example.org", "target/send": "ping" },
  ntp: { "target/host": "pool.ntp.org" },
  domain: { "target/domain": "example.org" },
  container: { "target/serverId": "web-1", "target/container": "db" },
  group: { "target/group": "Web" },
};

function newForm(kind: CheckKind, typed: Form = {}): Form {
  return { ...beginForm(kind, "Europe/Berlin"), ...least[kind], ...typed };
}

function getFaults(kind: CheckKind, typed: Form): readonly string[] {
  const parsed = readForm(madeFormOf(kind), typed, { context });
  return parsed.ok ? [] : [...parsed.faults.keys()].sort();
}

function getFields(kind: CheckKind, typed: Form): object {
  const parsed = readForm(madeFormOf(kind), typed, { context });
  assert.ok(parsed.ok, JSON.stringify("faults" in parsed ? [...parsed.faults] : []));
  return nestFields(parsed.fields);
}

describe("the form of a check", () => {
  for (const kind of checkKindNames)
    it(`of kind ${kind} gives what the monitor takes, and shows the same again`, () => {
      const taken = checkBodySchema.parse(getFields(kind, newForm(kind, { name: "One" })));
      const form = madeFormOf(kind);
      const shown = { ...taken, locations: toLocations(taken.places) };
      const again = toTyped(form, pickFields(form, shown), context);
      assert.deepEqual(checkBodySchema.parse(getFields(kind, again)), taken);
    });

  it("keeps the order of choices, the default first", () => {
    for (const kind of checkKindNames) {
      const { fields = {} } = checkForms[kind].fields["target"] ?? {};
      for (const [name, { choices = [] }] of Object.entries(fields))
        // Names of objects that are whole numbers come first, whatever the schema says.
        assert.deepEqual(
          choices.filter((choice) => /^\d+$/u.test(String(choice))),
          [],
          `${kind} ${name}`,
        );
    }
    const { target } = checkBodySchema.parse(getFields("http", newForm("http", { name: "One" })));
    assert.equal("httpVersion" in target && target.httpVersion, "");
  });

  it("says of each field that lacks something where that is", () => {
    const typed = newForm("http", {
      "target/url": "",
      intervalSeconds: { number: "5", unit: "s" },
      locations: { monitor: false, serverIds: [], quorum: "majority", count: "2" },
    });
    assert.deepEqual(getFaults("http", typed), ["/intervalSeconds", "/locations", "/name", "/target/url"]);
    assert.deepEqual(
      getFaults("tls", newForm("tls", { "target/port": "", "target/certificateDays": "400" })),
      ["/target/certificateDays", "/target/port"],
    );
  });

  it("keeps stored header values without a new value, and sends new ones", () => {
    const headers = [
      { name: "X-Kept", value: "", kept: "Stored" },
      { name: "X-New", value: "1", kept: "Stored" },
      { name: "X-Empty", value: "", kept: "" },
      { name: "", value: "", kept: "" },
    ];
    const fields = getFields("http", newForm("http", { "target/headers": headers }));
    const { target } = checkBodySchema.parse(fields);
    assert.ok(target.kind === "http");
    assert.deepEqual(target.headers, [
      { name: "X-Kept" },
      { name: "X-New", value: "1" },
      { name: "X-Empty", value: "" },
    ]);
    const nameless = newForm("http", { "target/headers": [{ name: "", value: "secret", kept: "" }] });
    assert.deepEqual(getFaults("http", nameless), ["/target/headers"]);
  });

  it("sends how much is read only where it is not what agents of earlier versions read", () => {
    const read = (typed: string): unknown => {
      const { target } = checkBodySchema.parse(
        getFields("http", newForm("http", { "target/maxBodyMib": typed })),
      );
      return "maxBodyMib" in target ? target.maxBodyMib : undefined;
    };
    assert.deepEqual(["1", "2"].map(read), [undefined, 2]);
  });

  it("asks for what the other way of a plan needs, and sends nothing of this one", () => {
    const schedule = {
      type: "cron",
      expression: "",
      timeZone: "Europe/Berlin",
      seconds: { number: "1", unit: "d" },
    };
    const lacking = newForm("heartbeat", { name: "Backup", "target/schedule": schedule });
    assert.deepEqual(getFaults("heartbeat", lacking), ["/target/schedule/expression"]);
    const whole = { ...lacking, "target/schedule": { ...schedule, expression: "15 3 * * *" } };
    const { target } = checkBodySchema.parse(getFields("heartbeat", whole));
    assert.ok(target.kind === "heartbeat");
    assert.deepEqual(target.schedule, {
      type: "cron",
      expression: "15 3 * * *",
      timeZone: "Europe/Berlin",
    });
    const calendar = { ...schedule, type: "onCalendar", expression: "15 3 * * *", calendar: "" };
    const empty = { ...lacking, "target/schedule": calendar };
    assert.deepEqual(getFaults("heartbeat", empty), ["/target/schedule/calendar"]);
    const filled = { ...lacking, "target/schedule": { ...calendar, calendar: "Mon..Fri 02:30" } };
    const { target: timed } = checkBodySchema.parse(getFields("heartbeat", filled));
    assert.deepEqual(timed.kind === "heartbeat" && timed.schedule, {
      type: "onCalendar",
      calendar: "Mon..Fri 02:30",
      timeZone: "Europe/Berlin",
    });
  });

  it("takes no quorum that the locations cannot reach", () => {
    const withCount = (count: string): Form =>
      newForm("http", { locations: { monitor: true, serverIds: ["web-1"], quorum: "count", count } });
    assert.deepEqual(getFaults("http", withCount("3")), ["/locations/quorum"]);
    const { places } = checkBodySchema.parse(getFields("http", withCount("2")));
    assert.equal(places.quorum, 2);
  });

  it("has words for each of its fields, and for values but names of protocols and signs", async () => {
    const texts: Record<string, string> = {};
    for (const room of ["web", "monitor-kinds"]) {
      const read = await readFile(new URL(`../../../../src/texts/en/${room}.json`, import.meta.url), "utf8");
      Object.assign(texts, JSON.parse(read));
    }
    setTexts("en", texts);
    const names = new Set(Object.keys(texts));
    const missing = checkKindNames.flatMap((kind) => {
      const form = madeFormOf(kind);
      const typed = beginForm(kind, "UTC");
      const fields = [...form.fields.values()].filter(({ name }) => name !== "target/kind");
      return fields.flatMap((field) => {
        const label = labelName(form, field, typed);
        const values = (field.json.choices ?? []).map((value) => `${label}.${value}`);
        return [label, ...values.filter((value) => /[a-z]/u.test(value.split(".").at(-1) ?? ""))];
      });
    });
    const titles = checkKindNames.flatMap((kind) => [`check.${kind}.title`, `check.${kind}.text`]);
    assert.deepEqual(
      [...missing, ...titles].filter((name) => !names.has(name)),
      [],
    );
  });
});

describe("the name of a check without one", () => {
  it("is the host of what is typed", () => {
    const nameOf = (kind: CheckKind, typed: Form): string =>
      toDefaultName(checkForms[kind].name, newForm(kind, typed));
    assert.equal(nameOf("http", { "target/url": "https://example.org:8443/x" }), "example.org");
    assert.equal(nameOf("http", { "target/url": "http://[::1]:80/" }), "::1");
    assert.equal(nameOf("http", { "target/url": "exam" }), "");
    assert.equal(nameOf("tcp", { "target/host": "db" }), "db:5432");
    assert.equal(nameOf("heartbeat", {}), "");
  });
});

describe("another kind of check", () => {
  it("takes the host along, and nothing over what is typed already", () => {
    const form = newForm("http", { "target/url": "https://example.org/", name: "Shop", tags: ["web"] });
    const change = (kind: CheckKind, next: Form): Form => toOtherKind({ kind: "http", form }, kind, next);
    const blank = beginForm("tls", "UTC");
    assert.equal(change("tls", blank)["target/host"], "example.org");
    assert.equal(change("dns", beginForm("dns", "UTC"))["target/name"], "example.org");
    assert.equal(change("tls", { ...blank, "target/host": "other" })["target/host"], "other");
    const heartbeat = change("heartbeat", beginForm("heartbeat", "UTC"));
    assert.deepEqual(
      [heartbeat["name"], heartbeat["tags"], heartbeat["locations"]],
      ["Shop", ["web"], undefined],
    );
  });
});
