/** Licence keys of a product: how many are left, adding many at once with what was there twice, and the list of them. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { KeysAdded, KeysRead } from "../../../../shop/licence-keys/answer-schema.ts";
import { MAX_KEYS } from "../../../../shop/licence-keys/schema.ts";
import { toNumber } from "../../../app/format.ts";
import { countText, text, withHint } from "../../../app/texts.ts";
import { Button, SelectField, TextField } from "../../../ui/controls.tsx";
import { ErrorNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { sendFile } from "../../../ui/console/send-file.ts";
import { UnsavedGuard } from "../../../ui/console/unsaved.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Figure } from "../../../ui/figures.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type ProductView, type StockView, nameVariant, toProductPath } from "../product-data.ts";
import { KeyList } from "./key-list.tsx";

/** Twins that are shown. */
const SHOWN = 50;

/** The keys of a text, one a line; empty lines are none. */
export function toKeys(typed: string): readonly string[] {
  return typed
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Owners of keys: the product, or each of its variants. */
function toTargets({ id, variants, stock, title }: ProductView) {
  const own = [{ id, name: title, stock, variantId: undefined as string | undefined }];
  return variants.length === 0
    ? own
    : variants.map((variant) => ({
        id: variant.id,
        name: nameVariant(variant),
        stock: variant.stock,
        variantId: variant.id,
      }));
}

function Left({ name, stock }: { name: string; stock: StockView }): JSX.Element {
  const left = stock.available ?? 0;
  return (
    <Figure label={name} value={toNumber(left)}>
      <span class="field-hint">
        {text("shop.products.keys.of", { reserved: toNumber(stock.reserved), sold: toNumber(stock.sold) })}
      </span>
    </Figure>
  );
}

function Outcome({ keys, result }: { keys: readonly string[]; result: KeysAdded }): JSX.Element {
  const { added, duplicates } = result;
  return (
    <div class={`admin-note ${duplicates.length === 0 ? "is-good" : "is-warn"}`} role="status">
      <div class="stack-small">
        <strong>{countText("shop.products.keys.added", added)}</strong>
        {duplicates.length > 0 && (
          <>
            <p>{countText("shop.products.keys.twice", duplicates.length)}</p>
            <ul class="plain-list">
              {duplicates.slice(0, SHOWN).map((place) => (
                <li key={place}>
                  <span class="field-hint">{text("shop.products.keys.line", { line: place })}</span>{" "}
                  <code class="break">{keys[place - 1]}</code>
                </li>
              ))}
            </ul>
            {duplicates.length > SHOWN && (
              <p class="field-hint">{text("shop.ui.andMore", { count: duplicates.length - SHOWN })}</p>
            )}
          </>
        )}
      </div>
    </div>
  );
}

function TargetChoice(props: {
  targets: readonly { readonly id: string; readonly name: string }[];
  value: string;
  onChange: (id: string) => void;
}): JSX.Element | null {
  const { targets, value, onChange } = props;
  if (targets.length < 2) return null;
  return (
    <SelectField<string>
      label={text("shop.products.keys.for")}
      value={value}
      choices={targets.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  );
}

/** The keys in a text or CSV file, in whatever encoding it has. */
async function readFileKeys(productId: string, file: File): Promise<readonly string[]> {
  const type = file.name.toLowerCase().endsWith(".csv") ? "text/csv" : "text/plain";
  const sent = { method: "POST", body: file, type } as const;
  return (await sendFile<KeysRead>(`${toProductPath(productId)}/secrets/read`, sent)).keys;
}

function KeyFile({ disabled, onFile }: { disabled: boolean; onFile: (file: File) => void }): JSX.Element {
  return (
    <FileDrop
      label={text("shop.products.keys.file")}
      accept=".txt,.csv,text/plain,text/csv"
      disabled={disabled}
      onFiles={([file]) => file && onFile(file)}
    />
  );
}

/** The panel; calls `onChanged` when keys were added or removed. */
export function KeysPanel({
  product,
  onChanged,
}: {
  product: ProductView;
  onChanged: () => void;
}): JSX.Element {
  const targets = toTargets(product);
  const [chosen, setChosen] = useState("");
  const target = targets.find(({ id }) => id === chosen) ?? targets[0];
  const [typed, setTyped] = useState("");
  const [outcome, setOutcome] = useState<{ keys: readonly string[]; result: KeysAdded } | undefined>();
  const [turn, setTurn] = useState(0);
  const task = useTask();
  const keys = toKeys(typed);
  async function add(): Promise<void> {
    const query = target?.variantId === undefined ? "" : `?variantId=${encodeURIComponent(target.variantId)}`;
    const path = `${toProductPath(product.id)}/secrets${query}`;
    const result = await adminRequest<KeysAdded>(path, { method: "POST", body: keys });
    setOutcome({ keys, result });
    setTyped("");
    setTurn(turn + 1);
    onChanged();
  }
  return (
    <Panel title={text("shop.products.keys")} hint={text("shop.products.keys.hint")}>
      <dl class="figures">
        {targets.map(({ id, name, stock }) => (
          <Left name={targets.length === 1 ? text("shop.products.keys.left") : name} stock={stock} key={id} />
        ))}
      </dl>
      {task.message !== undefined && (
        <ErrorNote message={[task.message, ...task.errors.values()].join(" ")} />
      )}
      {outcome && <Outcome {...outcome} />}
      <TargetChoice targets={targets} value={target?.id ?? ""} onChange={setChosen} />
      <TextField
        {...withHint("shop.products.keys.new")}
        error={keys.length > MAX_KEYS ? text("shop.products.keys.tooMany", { most: MAX_KEYS }) : undefined}
        long
        value={typed}
        onInput={setTyped}
      />
      <KeyFile
        disabled={task.busy}
        onFile={(file) =>
          void task.run(async () =>
            setTyped(
              [typed, ...(await readFileKeys(product.id, file))].filter((part) => part !== "").join("\n"),
            ),
          )
        }
      />
      <div class="button-row">
        <Button
          kind="primary"
          icon="plus"
          disabled={task.busy || keys.length === 0 || keys.length > MAX_KEYS}
          onClick={() => void task.run(add)}
        >
          {keys.length === 0
            ? text("shop.products.keys.addNone")
            : countText("shop.products.keys.add", keys.length)}
        </Button>
      </div>
      <KeyList product={product} key={`${turn}`} onChanged={onChanged} />
      <UnsavedGuard dirty={keys.length > 0} />
    </Panel>
  );
}
