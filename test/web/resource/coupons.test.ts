/** The form of a coupon: what is sent of what is typed. */
import "./browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CouponView, couponChangeSchema } from "../../../src/shop/coupons/schema.ts";
import { coupons } from "../../../src/web/shop/coupons/coupons-page.tsx";
import { makeForm, readForm, toBlank } from "../../../src/web/ui/resource/form.ts";
import type { Form } from "../../../src/web/ui/resource/kind.ts";
import { toEdited } from "../../../src/web/ui/resource/resource.ts";

const context = { currency: "EUR", tree: [] };
const form = makeForm(coupons);
const parse = (change: Form) => readForm(form, { ...toBlank(form), ...change }, { context });

const stored: CouponView = {
  id: "cpn_1",
  version: 3,
  code: "SPRING",
  kind: "percent",
  value: 1_250,
  currency: "EUR",
  minimum: 500,
  startsAt: "2026-01-02T03:04:05.000+00:00",
  productIds: [],
  categoryIds: ["mugs"],
  enabled: true,
  note: "",
  used: 0,
  createdAt: "2026-01-01T00:00:00.000+00:00",
  updatedAt: "2026-01-01T00:00:00.000+00:00",
};

describe("the form of a coupon", () => {
  it("reads percents in hundredths, amounts in minor units, and empty limits as none", () => {
    const percent = parse({ value: { percent: "12,5", fixed: "" }, cap: "20", maxUses: "3" });
    assert.ok(percent.ok);
    const { value, cap, maxUses, maxUsesPerUser, minimum, code } = percent.fields;
    assert.deepEqual(
      [value, cap, maxUses, maxUsesPerUser, minimum, code],
      [1_250, 2_000, 3, null, 0, undefined],
    );
    const fixed = parse({ kind: "fixed", value: { percent: "10", fixed: "5.00" }, cap: "20" });
    assert.ok(fixed.ok);
    assert.deepEqual([fixed.fields["value"], fixed.fields["cap"]], [500, null]);
  });

  it("names what is wrong", () => {
    const wrong = parse({
      value: { percent: "101", fixed: "" },
      maxUses: "0",
      startsAt: "2026-12-02T10:00",
      endsAt: "2026-12-01T10:00",
    });
    assert.ok(!wrong.ok);
    assert.deepEqual([...wrong.faults.keys()], ["/value", "/maxUses", "/endsAt"]);
    const empty = parse({ kind: "fixed" });
    assert.ok(!empty.ok && empty.faults.has("/value"));
  });

  it("sends what is stored where nothing was typed, with its seconds, in the form that the schema takes", () => {
    const edited = toEdited(coupons, context);
    const before = edited.pick(stored);
    const sent = edited.parse(edited.toForm(before), before);
    assert.ok(sent.ok);
    assert.equal(sent.fields["startsAt"], stored.startsAt);
    assert.deepEqual(sent.fields, {
      ...before,
      automatic: false,
      minimumQuantity: null,
      stacks: false,
      countries: [],
      cap: null,
      endsAt: null,
      maxUses: null,
      maxUsesPerUser: null,
    });
    assert.ok(couponChangeSchema.safeParse(sent.fields).success);
  });

  it("asks for every field of its schema", () => {
    const asked = [...form.fields.keys()].toSorted();
    assert.deepEqual(asked, Object.keys(couponChangeSchema.shape).toSorted());
    assert.deepEqual(form.panels.flatMap(({ rows }) => rows.flat()).toSorted(), asked);
  });
});
