/** A new coupon. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { Crumbs, PageHead } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { focusFirstError } from "../../ui/console/save-bar.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { isSame } from "../../ui/forms/conflict.ts";
import { useSiteFacts } from "../ui/site-facts.ts";
import { useLeaving } from "../ui/use-leaving.ts";
import { CouponFieldGroups } from "./coupon-fields.tsx";
import { COUPONS, type CouponView, blankCoupon, couponFields, parseCoupon } from "./coupon-form.ts";

const pointers = couponFields.map((name) => `/${name}`);

/** The section with "new" in its address. */
export function NewCouponPage(): JSX.Element {
  const facts = useSiteFacts();
  const [form, setForm] = useState(blankCoupon);
  const [isLeaving, leaveFor] = useLeaving();
  const task = useTask();
  const root = useRef<HTMLFormElement>(null);
  const currency = facts?.currency ?? "";
  async function submit(): Promise<void> {
    const parsed = parseCoupon(form, { currency });
    if (!parsed.ok) task.refuse(new Map([...parsed.faults].map(([at, name]) => [at, text(name)])));
    else if (
      await task.run(async () => {
        const coupon = await adminRequest<CouponView>(COUPONS, { method: "POST", body: parsed.fields });
        leaveFor(`/admin/coupons/${coupon.id}`);
      })
    )
      return;
    focusFirstError(root.current);
  }
  return (
    <>
      <Crumbs to="/admin/coupons" label="shop.nav.coupons" />
      <PageHead title={text("shop.coupons.add")} />
      <form
        ref={root}
        class="stack"
        noValidate
        aria-label={text("shop.coupons.add")}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TaskNote task={task} pointers={pointers} />
        <CouponFieldGroups
          part={{ form, errors: task.errors, onChange: (change) => setForm({ ...form, ...change }) }}
          currency={currency}
        />
        <div class="button-row">
          <Button kind="primary" type="submit" disabled={task.busy || facts === undefined}>
            {text("shop.coupons.make")}
          </Button>
          <a class="button quiet" href="/admin/coupons">
            {text("control.cancel")}
          </a>
        </div>
      </form>
      <UnsavedGuard dirty={!isLeaving && !isSame(form, blankCoupon)} />
    </>
  );
}
