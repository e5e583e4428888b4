/** The settings as a form, and the disk that history will take. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsFieldsSchema } from "../../../src/monitor/base/schema.ts";
import type { SettingsView } from "../../../src/monitor/site/schema.ts";
import { estimateBytes, settingsForm, toSettingsBody } from "../../../src/web/monitor/site/settings-form.tsx";
import { pickFields, readForm, toTyped } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";

const toView = (fields: object): SettingsView => ({
  ...settingsFieldsSchema.parse(fields),
  version: 1,
  environment: { privateReceivers: false, privateTargets: false },
  history: { servers: 1, bytesOnDisk: 1, estimatedBytes: 1 },
});
const defaults = toView({});

function read(context: SettingsView, change: Form = {}) {
  const before = pickFields(settingsForm, context);
  const typed = { ...toTyped(settingsForm, before, context), ...change };
  return readForm(settingsForm, typed, { context, before });
}

function faultsOf(change: Form): string[] {
  const parsed = read(defaults, change);
  return parsed.ok ? [] : [...parsed.faults.keys()];
}

describe("the settings' form", () => {
  it("sends exactly what it shows, and nothing of access", () => {
    const other = toView({
      siteTitle: "Mine",
      snapshotIntervalMs: 1_250,
      quietHours: { enabled: true, timeZone: "Asia/Shanghai", exceptCritical: false },
    });
    for (const view of [defaults, other, toView({ timeZone: "Europe/Berlin" })]) {
      const parsed = read(view);
      assert.ok(parsed.ok);
      const { access: _access, ...fields } = settingsFieldsSchema.strip().parse(view);
      const { timeZone: quietZone, ...hours } = fields.quietHours;
      const timeZone = fields.timeZone === "" ? {} : { timeZone: fields.timeZone };
      assert.deepEqual(toSettingsBody(parsed.fields), { ...fields, quietHours: { ...hours, ...timeZone } });
      assert.ok(fields.timeZone !== "" || quietZone !== "");
    }
  });

  it("sets another time zone for the quiet hours, too", () => {
    const parsed = read(defaults, { timeZone: "Europe/Berlin" });
    assert.ok(parsed.ok);
    const body = settingsFieldsSchema.parse(toSettingsBody(parsed.fields));
    assert.deepEqual([body.timeZone, body.quietHours.timeZone], ["Europe/Berlin", "Europe/Berlin"]);
    assert.deepEqual(faultsOf({ timeZone: "Europe/Nowhere" }), ["/timeZone"]);
  });

  it("says in the reader's language why a colour or a picture is refused", () => {
    const refuse = (change: Form): readonly unknown[] => {
      const parsed = read(defaults, change);
      return parsed.ok ? [] : [...parsed.faults];
    };
    assert.deepEqual(refuse({ accent: { light: "#77ccbb", dark: "#0d6b5c" } }), [
      ["/accent/light", "admin.fault.contrast.light"],
      ["/accent/dark", "admin.fault.contrast.dark"],
    ]);
    assert.deepEqual(refuse({ accent: { light: "#0d6b5c", dark: "" } }), []);
    const toSvg = (text: string): string => `data:image/svg+xml;base64,${btoa(text)}`;
    assert.deepEqual(refuse({ logo: toSvg("<svg></svg>") }), []);
    assert.deepEqual(refuse({ logo: toSvg("<html></html>") }), [["/logo", "admin.fault.picture"]]);
    assert.deepEqual(refuse({ logo: "data:image/gif;base64,AAAA" }), [["/logo", "admin.fault.picture"]]);
  });

  it("names the field that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ siteTitle: "" }), ["/siteTitle"]);
    assert.deepEqual(faultsOf({ snapshotIntervalMs: "0.4" }), ["/snapshotIntervalMs"]);
    assert.deepEqual(faultsOf({ snapshotIntervalMs: "61" }), ["/snapshotIntervalMs"]);
    assert.deepEqual(faultsOf({ "retention/hourDays": "731" }), ["/retention/hourDays"]);
    assert.deepEqual(faultsOf({ "quietHours/from": "24:00" }), ["/quietHours/from"]);
    assert.deepEqual(faultsOf({ "quietHours/from": "07:00", "quietHours/to": "07:00" }), ["/quietHours/to"]);
    assert.deepEqual(faultsOf({ snapshotIntervalMs: "0,5" }), []);
  });

  it("reckons the disk by how many values are kept", () => {
    const present = defaults.retention;
    assert.equal(estimateBytes(1_000, { present, wanted: present }), 1_000);
    const wanted = { minuteHours: 48, tenMinuteDays: 28, hourDays: 180, dayDays: 1_460 };
    assert.equal(estimateBytes(1_000, { present, wanted }), 2_000);
  });
});
