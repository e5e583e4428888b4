/** The settings as a form, and the disk that history will take. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { settingsFieldsSchema } from "../../../src/monitor/base/schema.ts";
import {
  type SettingsForm,
  estimateBytes,
  parseSettingsForm,
  toSettingsForm,
} from "../../../src/web/monitor/site/settings-form.ts";

const defaults = settingsFieldsSchema.parse({});

function faultsOf(change: Partial<SettingsForm>): string[] {
  const parsed = parseSettingsForm({ ...toSettingsForm(defaults), ...change }, defaults);
  return parsed.ok ? [] : [...parsed.faults.keys()];
}

describe("the settings' form", () => {
  it("gives back exactly what it shows", () => {
    const other = settingsFieldsSchema.parse({
      siteTitle: "Mine",
      snapshotIntervalMs: 1_250,
      quietHours: { enabled: true, timeZone: "Asia/Shanghai", exceptCritical: false },
    });
    for (const fields of [defaults, other])
      assert.deepEqual(parseSettingsForm(toSettingsForm(fields), fields), { ok: true, fields });
  });

  it("says in the reader's language why a colour or a picture is refused", () => {
    const refuse = (change: Partial<SettingsForm>): readonly unknown[] => {
      const parsed = parseSettingsForm({ ...toSettingsForm(defaults), ...change }, defaults);
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
    const { numbers } = toSettingsForm(defaults);
    assert.deepEqual(faultsOf({ siteTitle: "" }), ["/siteTitle"]);
    assert.deepEqual(faultsOf({ pace: "0.4" }), ["/snapshotIntervalMs"]);
    assert.deepEqual(faultsOf({ pace: "61" }), ["/snapshotIntervalMs"]);
    assert.deepEqual(faultsOf({ numbers: { ...numbers, "/retention/hourDays": "731" } }), [
      "/retention/hourDays",
    ]);
    assert.deepEqual(faultsOf({ from: "24:00" }), ["/quietHours/from"]);
    assert.deepEqual(faultsOf({ from: "07:00", to: "07:00" }), ["/quietHours/to"]);
    assert.deepEqual(faultsOf({ pace: "0,5" }), []);
  });

  it("reckons the disk by how many values are kept", () => {
    const present = defaults.retention;
    assert.equal(estimateBytes(1_000, { present, wanted: present }), 1_000);
    const wanted = { minuteHours: 48, tenMinuteDays: 28, hourDays: 180, dayDays: 1_460 };
    assert.equal(estimateBytes(1_000, { present, wanted }), 2_000);
  });
});
