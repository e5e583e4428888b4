/** One product: all that is typed in one form, and beside it what is stored at once: pictures, keys, files. */
import type { JSX } from "preact";
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import type { productFieldsSchema } from "../../../shop/products/change-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { showProblem } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { ResourcePage } from "../../ui/resource/resource-page.tsx";
import type { ItemTools, Resource } from "../../ui/resource/resource.ts";
import { duplicate } from "./duplicate.ts";
import { type ProductContext, useProduct } from "./product-context.ts";
import { PRODUCTS, toProductPath } from "./product-data.ts";
import { productForm, toProductFields } from "./product-form.tsx";
import { StatusMark } from "./product-marks.tsx";

// The panels next to the form load after it.
const Panels = lazy(async () => (await import("./product-panels.tsx")).ProductPanels, null);

function Actions({ view, mayWrite, dirty, refresh }: ItemTools<ProductView>): JSX.Element {
  const { id, title, status, slug } = view;
  async function publish(): Promise<void> {
    await adminRequest(toProductPath(id), { method: "PATCH", body: { status: "published" } });
    showToast(text("shop.products.published.now", { name: title }));
    await refresh();
  }
  return (
    <>
      {status === "published" && (
        <a class="button" href={`/p/${slug}`} target="_blank" rel="noopener">
          {text("shop.products.view")}
        </a>
      )}
      {mayWrite && status === "draft" && (
        <Button icon="check" disabled={dirty} onClick={() => void publish().catch(showProblem)}>
          {text("admin.publish")}
        </Button>
      )}
      {mayWrite && (
        <Button icon="copy" disabled={dirty} onClick={() => void duplicate(id).catch(showProblem)}>
          {text("shop.products.duplicate")}
        </Button>
      )}
    </>
  );
}

export const product: Resource<ProductView, typeof productFieldsSchema, ProductContext> = {
  ...productForm,
  api: PRODUCTS,
  home: "/admin/products",
  navigation: "shop.nav.products",
  texts: "shop.products",
  write: "products:write",
  sends: "changes",
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useProduct,
  toFields: toProductFields,
  Mark: ({ view }) => <StatusMark status={view.status} />,
  Actions,
  Side: Panels,
  table: {},
};

/** The section with a product in its address. */
export function ProductPage({ id }: { id: string }): JSX.Element {
  return <ResourcePage of={product} id={id} />;
}
