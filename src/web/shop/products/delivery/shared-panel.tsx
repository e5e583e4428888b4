/** The text that every buyer of a product gets; stored encrypted, shown on request. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SharedSecretView } from "../../../../shop/licence-keys/answer-schema.ts";
import { sharedSecretChangeSchema } from "../../../../shop/licence-keys/schema.ts";
import { text } from "../../../app/texts.ts";
import { Button, TextField } from "../../../ui/controls.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { Badge } from "../../../ui/console/pieces.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { toFields } from "../../../ui/resource/field-source.ts";
import { Panel } from "../../../ui/panel.tsx";
import { type ProductView, toProductPath } from "../product-data.ts";

/** The panel. */
export function SharedPanel({
  product,
  onChanged,
}: {
  product: ProductView;
  onChanged: () => void;
}): JSX.Element {
  const path = `${toProductPath(product.id)}/shared-secret`;
  const [isSet, setIsSet] = useState(product.sharedSecretSet);
  const [typed, setTyped] = useState("");
  const [kept, setKept] = useState("");
  const task = useTask();
  async function save(): Promise<void> {
    const answer = await adminRequest<SharedSecretView>(path, { method: "PUT", body: { value: typed } });
    setIsSet(answer.sharedSecretSet);
    setKept(typed);
    showToast(text("admin.saved"));
    onChanged();
  }
  async function reveal(): Promise<void> {
    const { value = "" } = await adminRequest<SharedSecretView>(`${path}?reveal=true`);
    setTyped(value);
    setKept(value);
  }
  return (
    <Panel
      title={text("shop.products.shared")}
      hint={text("shop.products.shared.hint")}
      action={
        <Badge kind={isSet ? "good" : "warn"}>
          {text(isSet ? "shop.products.shared.set" : "shop.products.shared.missing")}
        </Badge>
      }
    >
      {task.message !== undefined && <ErrorNote message={task.message} />}
      <TextField
        label={text("shop.products.shared.text")}
        hint={isSet && kept === "" ? text("shop.products.shared.kept") : undefined}
        long
        maxLength={toFields(sharedSecretChangeSchema)["value"]?.max}
        value={typed}
        onInput={setTyped}
      />
      <div class="button-row">
        <Button
          kind="primary"
          disabled={task.busy || typed.trim() === "" || typed === kept}
          onClick={() => void task.run(save)}
        >
          {text("admin.save")}
        </Button>
        {isSet && kept === "" && (
          <Button disabled={task.busy} onClick={() => void task.run(reveal)}>
            {text("shop.products.shared.show")}
          </Button>
        )}
      </div>
      <UnsavedGuard dirty={typed !== kept} />
    </Panel>
  );
}
