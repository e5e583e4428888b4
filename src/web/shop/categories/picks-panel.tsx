/** The products that were picked for a collection, in their order. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { ErrorNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { Panel } from "../ui/panel.tsx";
import { ProductPicker } from "../ui/product-picker.tsx";
import { type CollectionView, toShownPath } from "./shown-data.ts";

const MAX_PICKED = 500;

/** The panel. */
export function PicksPanel(props: {
  id: string;
  productIds: readonly string[];
  onChanged: () => void;
}): JSX.Element {
  const { id, productIds, onChanged } = props;
  const [stored, setStored] = useState(productIds);
  const [ids, setIds] = useState(productIds);
  const task = useTask();
  const dirty = ids.join(" ") !== stored.join(" ");
  async function save(): Promise<void> {
    const path = `${toShownPath("collections", id)}/products`;
    const body = { productIds: ids };
    const changed = await adminRequest<CollectionView>(path, { method: "PUT", body });
    setStored(changed.productIds ?? ids);
    setIds(changed.productIds ?? ids);
    showToast(text("admin.saved"));
    onChanged();
  }
  return (
    <Panel title={text("shop.nav.products")} hint={text("shop.collections.picks.hint")}>
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <ProductPicker label={text("shop.collections.picks")} ids={ids} max={MAX_PICKED} onChange={setIds} />
      <div class="button-row">
        <Button kind="primary" disabled={!dirty || task.busy} onClick={() => void task.run(save)}>
          {text("shop.collections.picks.save")}
        </Button>
        {dirty && <Button onClick={() => setIds(stored)}>{text("admin.revert")}</Button>}
      </div>
      <UnsavedGuard dirty={dirty} />
    </Panel>
  );
}
