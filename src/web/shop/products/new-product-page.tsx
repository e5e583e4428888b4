/** A new product: what it is called, how it reaches its buyers and what it costs. Everything else comes on its page. */
import type { JSX } from "preact";
import type { ProductView } from "../../../shop/products/answer-schema.ts";
import { productFieldsSchema } from "../../../shop/products/change-schema.ts";
import { NewResourcePage } from "../../ui/resource/resource-page.tsx";
import type { Resource } from "../../ui/resource/resource.ts";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import { deliveryKind } from "./delivery-kind.tsx";
import { type ProductContext, useProduct } from "./product-context.ts";
import { PRODUCTS } from "./product-data.ts";

export const newProduct: Resource<ProductView, typeof productFieldsSchema, ProductContext> = {
  api: PRODUCTS,
  home: "/admin/products",
  navigation: "shop.nav.products",
  texts: "shop.products",
  words: "shop.products.field",
  write: "products:write",
  schema: productFieldsSchema,
  kinds: { money: moneyKind },
  only: "panels",
  fields: {
    title: { json: { required: true }, missing: "admin.fault.empty" },
    price: { json: { required: true }, hint: "shop.products.new.price.hint", missing: "shop.ui.fault.money" },
    deliveryType: { kind: deliveryKind },
    license: false,
    giftCard: false,
  },
  panels: [
    { title: "shop.products.new.what", fields: ["title", "price"] },
    { title: "shop.products.field.deliveryType", fields: ["deliveryType"] },
  ],
  idOf: ({ id }) => id,
  nameOf: ({ title }) => title,
  useContext: useProduct,
  table: {},
};

/** The section with "new" in its address. */
export function NewProductPage(): JSX.Element {
  return <NewResourcePage of={newProduct} />;
}
