/** One coupon. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { navigate } from "../../app/route.ts";
import { type TextName, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { type FieldWords, FieldWordsContext } from "../../ui/console/conflict-dialog.tsx";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, Loaded, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { useCategories } from "../ui/category-list.ts";
import { Panel } from "../ui/panel.tsx";
import { type ValueWords, toValueWords } from "../products/value-words.ts";
import { CouponFieldGroups } from "./coupon-fields.tsx";
import { type CouponView, couponFields, toCouponPath, toEdited } from "./coupon-form.ts";
import { CouponMark, toWorth } from "./coupon-marks.tsx";

const pointers = couponFields.map((name) => `/${name}`);
const known: ReadonlySet<string> = new Set(couponFields);

const amounts = new Set(["minimum", "cap"]);

/** Words of the fields of a coupon. */
function toWords(coupon: CouponView, tree: ValueWords["tree"]): FieldWords {
  const { currency } = coupon;
  return {
    // The names are those of fields, and each has a text.
    toName: (field) => (known.has(field) ? text(`shop.coupons.field.${field}` as TextName) : field),
    toValue: (field, value) =>
      field === "value" && typeof value === "number"
        ? toWorth({ ...coupon, value })
        : toValueWords(field, value, { currency, tree, amounts }),
  };
}

function CouponEditor({ stored }: { stored: CouponView }): JSX.Element {
  const editor = useEditor(stored, toEdited(stored.currency));
  const { tree } = useCategories();
  const { base, form, dirty, task } = editor;
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <PageHead
        title={
          <>
            {base.code} <CouponMark coupon={base} />
          </>
        }
      >
        <Button icon="trash" kind="danger" disabled={dirty} onClick={() => setDeleting(true)}>
          {text("admin.delete")}
        </Button>
      </PageHead>
      <div class="form-and-panels">
        <FieldWordsContext.Provider value={toWords(base, tree)}>
          <EditorForm label={base.code} editor={editor} pointers={pointers}>
            <CouponFieldGroups
              part={{ form, errors: task.errors, onChange: editor.change }}
              currency={base.currency}
            />
          </EditorForm>
        </FieldWordsContext.Provider>
        <Panel title={text("shop.coupons.uses")}>
          <dl class="figures">
            <div class="figure">
              <dt>{text("shop.coupons.used")}</dt>
              <dd>
                {base.maxUses === undefined
                  ? toNumber(base.used)
                  : text("shop.coupons.usedOf", { used: toNumber(base.used), most: toNumber(base.maxUses) })}
              </dd>
            </div>
          </dl>
          <p class="field-hint">{text("shop.coupons.used.hint")}</p>
          {base.used > 0 && (
            <div class="button-row">
              <a class="button" href={`/admin/orders?coupon=${encodeURIComponent(base.code)}`}>
                {text("shop.coupons.orders")}
              </a>
            </div>
          )}
        </Panel>
      </div>
      {isDeleting && (
        <DeleteDialog
          title={text("shop.coupons.delete")}
          path={toCouponPath(base.id)}
          name={base.code}
          onDone={async () => navigate("/admin/coupons", { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("shop.coupons.delete.text")}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with a coupon in its address. */
export function CouponPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<CouponView>(toCouponPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/coupons" label="shop.nav.coupons" />
      <Loaded of={loaded}>{(data) => <CouponEditor stored={data} />}</Loaded>
    </>
  );
}
