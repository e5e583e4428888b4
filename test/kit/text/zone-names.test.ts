/** Names of time zones in lists. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { timeZone } from "../../../src/kit/text/schemas.ts";
import { listZoneNames, toZoneName } from "../../../src/kit/text/zone-names.ts";

describe("listZoneNames", () => {
  it("has present names, each once, which all settings take", () => {
    const zones = listZoneNames();
    assert.equal(zones[0], "UTC");
    assert.equal(new Set(zones).size, zones.length);
    for (const former of ["Europe/Kiev", "Asia/Calcutta", "Asia/Saigon", "America/Buenos_Aires"]) {
      assert.ok(!zones.includes(former), former);
      assert.ok(zones.includes(toZoneName(former)), toZoneName(former));
    }
    for (const zone of zones) assert.equal(timeZone.safeParse(zone).success, true, zone);
  });
});
