/** One product: all that is typed in one form, and beside it what is stored at once: pictures, keys, files. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { navigate } from "../../app/route.ts";
import { type TextName, text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { Menu } from "../../ui/controls-menu.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type FieldWords, FieldWordsContext } from "../../ui/console/field-words.ts";
import { DeleteDialog } from "../../ui/console/delete-dialog.tsx";
import { EditorForm } from "../../ui/console/editor-form.tsx";
import { Crumbs, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote, showProblem } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { useEditor } from "../../ui/console/use-editor.ts";
import { useCategories } from "../ui/category-list.ts";
import { Panel } from "../ui/panel.tsx";
import { type SiteFacts, useSiteFacts } from "../ui/site-facts.ts";
import { duplicate } from "./duplicate.ts";
import { type ValueWords, toValueWords } from "./value-words.ts";
import { PlaceFields, TranslationFields, WordsFields } from "./basics-fields.tsx";
import { InputsField } from "./inputs-field.tsx";
import { PicturesPanel } from "./pictures-panel.tsx";
import { PricePanel } from "./price-panel.tsx";
import { type ProductView, toProductPath } from "./product-data.ts";
import { fieldNames, toEdited } from "./product-form.ts";
import { StatusMark } from "./product-marks.tsx";
import { DeliveryFields, PriceFields, QuantityFields } from "./selling-fields.tsx";
import { VariantsField } from "./variants-field.tsx";

// What one way of delivery alone needs comes when a product has it.
const FilesPanel = lazy(async () => (await import("./delivery/files-panel.tsx")).FilesPanel);
const KeysPanel = lazy(async () => (await import("./delivery/keys-panel.tsx")).KeysPanel);
const SharedPanel = lazy(async () => (await import("./delivery/shared-panel.tsx")).SharedPanel);

const pointers = fieldNames.map((name) => `/${name}`);
const known: ReadonlySet<string> = new Set(fieldNames);

const amounts = new Set(["price", "compareAtPrice"]);

/** Words of the fields of a product in a currency. */
function toWords(currency: string, tree: ValueWords["tree"]): FieldWords {
  return {
    // The names are those of fields, and each has a text.
    toName: (field) => (known.has(field) ? text(`shop.products.field.${field}` as TextName) : field),
    toValue: (field, value) => toValueWords(field, value, { currency, tree, amounts }),
  };
}

function Head(props: {
  product: ProductView;
  dirty: boolean;
  onChanged: () => void;
  onDelete: () => void;
}): JSX.Element {
  const { product, dirty, onChanged, onDelete } = props;
  const { id, title, status, slug } = product;
  const isShown = status === "published";
  async function publish(): Promise<void> {
    const body = { status: "published" };
    await adminRequest<ProductView>(toProductPath(id), { method: "PATCH", body });
    showToast(text("shop.products.published.now", { name: title }));
    onChanged();
  }
  return (
    <PageHead
      title={
        <>
          {title} <StatusMark status={status} />
        </>
      }
    >
      {isShown && (
        <a class="button" href={`/p/${slug}`} target="_blank" rel="noopener">
          {text("shop.products.view")}
        </a>
      )}
      {status === "draft" && (
        <Button icon="check" disabled={dirty} onClick={() => void publish().catch(showProblem)}>
          {text("admin.publish")}
        </Button>
      )}
      <Button icon="copy" disabled={dirty} onClick={() => void duplicate(id).catch(showProblem)}>
        {text("shop.products.duplicate")}
      </Button>
      <Menu
        label={text("admin.deeds", { name: title })}
        items={[{ label: text("admin.delete"), icon: "trash", danger: true, onSelect: onDelete }]}
      />
    </PageHead>
  );
}

function FiguresPanel({ product }: { product: ProductView }): JSX.Element {
  const { views, sold, stock, createdAt, publishedAt } = product;
  return (
    <Panel
      title={text("shop.products.figures")}
      action={
        <a class="button small" href={`/admin/stock?productId=${product.id}`}>
          {text("shop.nav.stock")}
        </a>
      }
    >
      <dl class="admin-facts">
        <div>
          <dt>{text("shop.ui.units")}</dt>
          <dd>{stock.available === undefined ? text("shop.ui.noLimit") : toNumber(stock.available)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.sold")}</dt>
          <dd>{toNumber(sold)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.views")}</dt>
          <dd>{toNumber(views)}</dd>
        </div>
        <div>
          <dt>{text("shop.products.created")}</dt>
          <dd>
            <Moment at={createdAt} />
          </dd>
        </div>
        {publishedAt !== undefined && (
          <div>
            <dt>{text("shop.products.published")}</dt>
            <dd>
              <Moment at={publishedAt} />
            </dd>
          </div>
        )}
      </dl>
    </Panel>
  );
}

function Panels({ product, onChanged }: { product: ProductView; onChanged: () => void }): JSX.Element {
  const { deliveryType, version } = product;
  return (
    <div class="stack">
      <PicturesPanel product={product} onChanged={onChanged} />
      {deliveryType === "auto_secret" && <KeysPanel product={product} onChanged={onChanged} />}
      {deliveryType === "shared_secret" && <SharedPanel product={product} onChanged={onChanged} />}
      {deliveryType === "files" && <FilesPanel product={product} onChanged={onChanged} />}
      <FiguresPanel product={product} />
      <PricePanel product={product} key={version} />
    </div>
  );
}

function ProductEditor({ stored, facts }: { stored: ProductView; facts: SiteFacts }): JSX.Element {
  const editor = useEditor(stored, toEdited(stored.currency));
  const { tree } = useCategories();
  const { base, form, dirty, task } = editor;
  const [isDeleting, setDeleting] = useState(false);
  // What the panels show may be newer than what the form began with.
  const [seen, setSeen] = useState(stored);
  const product = seen.version > base.version ? seen : base;
  const part = { form, errors: task.errors, onChange: editor.change };
  const isTurned = form.deliveryType !== base.deliveryType;
  async function look(): Promise<void> {
    const now = await adminRequest<ProductView>(toProductPath(base.id));
    setSeen(now);
    editor.follow(now);
  }
  const onChanged = (): void => void look().catch(showProblem);
  return (
    <>
      <Head product={product} dirty={dirty} onChanged={onChanged} onDelete={() => setDeleting(true)} />
      <div class="form-and-panels">
        <FieldWordsContext.Provider value={toWords(base.currency, tree)}>
          <EditorForm label={base.title} editor={editor} pointers={pointers}>
            <WordsFields part={part} />
            <PriceFields part={part} currency={base.currency} />
            <VariantsField part={part} product={product} />
            <DeliveryFields part={part} />
            {isTurned && <p class="admin-note">{text("shop.products.delivery.saveFirst")}</p>}
            <PlaceFields part={part} productId={base.id} />
            <QuantityFields part={part} />
            <InputsField part={part} />
            <TranslationFields part={part} languages={facts.languages} />
          </EditorForm>
        </FieldWordsContext.Provider>
        <Panels product={product} onChanged={onChanged} />
      </div>
      {isDeleting && (
        <DeleteDialog
          title={text("shop.products.delete")}
          path={toProductPath(base.id)}
          name={base.title}
          onDone={async () => navigate("/admin/products", { replace: true })}
          onClose={() => setDeleting(false)}
        >
          {text("shop.products.delete.text")}
        </DeleteDialog>
      )}
    </>
  );
}

/** The section with a product in its address. */
export function ProductPage({ id }: { id: string }): JSX.Element {
  const { data, error, refresh } = usePolled<ProductView>(toProductPath(id), 0);
  const facts = useSiteFacts();
  return (
    <>
      <Crumbs to="/admin/products" label="shop.nav.products" />
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {(data === undefined || facts === undefined) && error === undefined && (
        <p class="empty">{text("page.loading")}</p>
      )}
      {data && facts && <ProductEditor stored={data} facts={facts} />}
    </>
  );
}
