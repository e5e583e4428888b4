/** All coupons with their uses; each can be switched off at once. */
import type { JSX } from "preact";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Switch } from "../../ui/controls.tsx";
import { type TableColumn, Table } from "../../ui/controls-table.tsx";
import { Empty } from "../../ui/empty.tsx";
import { CursorList, useCursorPage } from "../../ui/console/cursor-page.tsx";
import { Moment, PageHead } from "../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { COUPONS, type CouponView, toCouponPath } from "./coupon-form.ts";
import { CouponMark, toWorth } from "./coupon-marks.tsx";

function toColumns(
  onSwitch: (coupon: CouponView, enabled: boolean) => void,
): readonly TableColumn<CouponView>[] {
  return [
    {
      key: "code",
      label: text("shop.coupons.field.code"),
      cell: ({ id, code, note }) => (
        <>
          <a class="row-name" href={`/admin/coupons/${id}`}>
            {code}
          </a>
          {note !== "" && (
            <>
              <br />
              <span class="field-hint break">{note}</span>
            </>
          )}
        </>
      ),
    },
    { key: "worth", label: text("shop.coupons.worth"), number: true, cell: toWorth },
    { key: "state", label: text("admin.column.state"), cell: (coupon) => <CouponMark coupon={coupon} /> },
    {
      key: "used",
      label: text("shop.coupons.used"),
      number: true,
      cell: ({ used, maxUses }) =>
        maxUses === undefined
          ? toNumber(used)
          : text("shop.coupons.usedOf", { used: toNumber(used), most: toNumber(maxUses) }),
    },
    {
      key: "until",
      label: text("shop.coupons.field.endsAt"),
      cell: ({ endsAt }) => (endsAt === undefined ? "" : <Moment at={endsAt} />),
    },
    {
      key: "switch",
      label: text("shop.coupons.field.enabled"),
      silent: true,
      cell: (coupon) => (
        <Switch
          label={text("shop.coupons.on", { code: coupon.code })}
          checked={coupon.enabled}
          onChange={(enabled) => onSwitch(coupon, enabled)}
        />
      ),
    },
  ];
}

/** The section. */
export function CouponsPage(): JSX.Element {
  const page = useCursorPage<CouponView>(COUPONS, {});
  const task = useTask();
  function turn({ id }: CouponView, enabled: boolean): void {
    void task.run(async () => {
      await adminRequest<CouponView>(toCouponPath(id), { method: "PATCH", body: { enabled } });
      await page.refresh();
    });
  }
  return (
    <>
      <PageHead title={text("shop.nav.coupons")}>
        <a class="button primary" href="/admin/coupons/new">
          {text("shop.coupons.add")}
        </a>
      </PageHead>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <CursorList
        page={page}
        empty={
          <Empty icon="grid" title={text("shop.coupons.none")} hint={text("shop.coupons.none.hint")}>
            <a class="button primary" href="/admin/coupons/new">
              {text("shop.coupons.add")}
            </a>
          </Empty>
        }
      >
        <div class="goods-table is-coupons">
          <Table
            caption={text("shop.nav.coupons")}
            columns={toColumns(turn)}
            rows={page.items}
            keyOf={({ id }) => id}
          />
        </div>
      </CursorList>
    </>
  );
}
