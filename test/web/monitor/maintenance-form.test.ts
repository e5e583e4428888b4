/** The form of planned maintenance: what it shows, what it means, and what it refuses. */
import "../resource/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { maintenanceFieldsSchema } from "../../../src/monitor/maintenance/schema.ts";
import { maintenances } from "../../../src/web/monitor/maintenance/maintenance-page.tsx";
import { makeForm, pickFields, readForm, toBlank, toTyped } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";

const context = { servers: [], checks: [] };
const form = makeForm(maintenances);
const blank: Form = { ...toBlank(form), name: "Updates" };

const scopes = [
  { type: "all" },
  { type: "group", group: "" },
  { type: "tag", tag: "db" },
  { type: "ids", ids: ["a", "b"] },
] as const;
const schedules = [
  { type: "weekly", days: [1, 7], from: "22:00", to: "02:00" },
  { type: "once", from: "2030-01-01T10:00:00.000Z", to: "2030-01-01T12:30:00.000Z" },
] as const;

function faultsOf(change: Form): string[] {
  const parsed = readForm(form, { ...blank, ...change }, { context });
  return parsed.ok ? [] : [...parsed.faults.keys()];
}

function changed(name: string, change: Form): Form {
  return { [name]: { ...(blank[name] as Form), ...change } };
}

describe("the form of planned maintenance", () => {
  for (const scope of scopes)
    for (const schedule of schedules)
      it(`gives back what it shows: ${scope.type}, ${schedule.type}`, () => {
        const fields = maintenanceFieldsSchema.parse({ name: "Updates", scope, schedule });
        const typed = toTyped(form, pickFields(form, fields), context);
        const parsed = readForm(form, typed, { context });
        assert.ok(parsed.ok);
        assert.deepEqual(maintenanceFieldsSchema.parse(parsed.fields), fields);
      });

  it("begins with the night to Sunday, of everything", () => {
    const parsed = readForm(form, blank, { context });
    assert.deepEqual(parsed, {
      ok: true,
      fields: {
        name: "Updates",
        scope: { type: "all" },
        schedule: { type: "weekly", days: [7], from: "02:00", to: "04:00" },
      },
    });
  });

  it("names the part that is wrong by its pointer", () => {
    assert.deepEqual(faultsOf({ name: " " }), ["/name"]);
    assert.deepEqual(faultsOf(changed("scope", { type: "tag", tag: " " })), ["/scope/tag"]);
    assert.deepEqual(faultsOf(changed("scope", { type: "ids" })), ["/scope/ids"]);
    assert.deepEqual(faultsOf(changed("schedule", { days: [] })), ["/schedule/days"]);
    assert.deepEqual(faultsOf(changed("schedule", { to: "02:00" })), ["/schedule/to"]);
    assert.deepEqual(faultsOf(changed("schedule", { type: "once" })), ["/schedule/from", "/schedule/to"]);
    const turned = { type: "once", begin: "2030-01-02T00:00", end: "2030-01-01T00:00" };
    assert.deepEqual(faultsOf(changed("schedule", turned)), ["/schedule/to"]);
  });
});
