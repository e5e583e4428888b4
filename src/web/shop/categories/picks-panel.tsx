/** The products that were chosen for a collection, in their order. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { CollectionView } from "../../../shop/categories/answer-schema.ts";
import { pickSchema } from "../../../shop/categories/change-schema.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { toFields } from "../../ui/resource/field-source.ts";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { Panel } from "../../ui/panel.tsx";
import { ProductPicker } from "../ui/product-picker.tsx";

/** The panel. */
export function PicksPanel({ view, mayWrite, refresh }: ItemTools<CollectionView>): JSX.Element {
  const { id, productIds = [] } = view;
  const [stored, setStored] = useState<readonly string[]>(productIds);
  const [ids, setIds] = useState(stored);
  const task = useTask();
  const dirty = ids.join(" ") !== stored.join(" ");
  async function save(): Promise<void> {
    const path = `/api/admin/collections/${encodeURIComponent(id)}/products`;
    const changed = await adminRequest<CollectionView>(path, { method: "PUT", body: { productIds: ids } });
    setStored(changed.productIds ?? ids);
    setIds(changed.productIds ?? ids);
    showToast(text("admin.saved"));
    await refresh();
  }
  return (
    <Panel title={text("shop.nav.products")} hint={text("shop.collections.picks.hint")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <fieldset class="plain-fieldset stack" disabled={!mayWrite}>
        <ProductPicker
          label={text("shop.collections.picks")}
          ids={ids}
          max={toFields(pickSchema)["productIds"]?.max ?? 0}
          onChange={setIds}
        />
        {mayWrite && (
          <div class="button-row">
            <Button kind="primary" disabled={!dirty || task.busy} onClick={() => void task.run(save)}>
              {text("shop.collections.picks.save")}
            </Button>
            {dirty && <Button onClick={() => setIds(stored)}>{text("admin.revert")}</Button>}
          </div>
        )}
      </fieldset>
      <UnsavedGuard dirty={dirty} />
    </Panel>
  );
}
