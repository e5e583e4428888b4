/** Asks for the category of the chosen products. */
import type { JSX } from "preact";
import { bulkChangeSchema } from "../../../shop/products/bulk-schema.ts";
import { text } from "../../app/texts.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type Goods, categoryKind } from "../kinds/goods-kinds.tsx";
import { useCategories } from "../ui/category-list.ts";

export const categoryForm = makeForm<typeof bulkChangeSchema, Pick<Goods, "tree">>({
  schema: bulkChangeSchema,
  words: "shop.products.field",
  only: "panels",
  fields: { categoryId: { kind: categoryKind() } },
  panels: [{ fields: ["categoryId"] }],
});

/** The dialog. */
export function CategoryDialog(props: {
  send: (categoryId: string | null) => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { send, onClose } = props;
  const { tree } = useCategories();
  return (
    <FieldsDialog
      title={text("shop.products.bulk.category")}
      action={text("admin.save")}
      form={categoryForm}
      context={{ tree }}
      send={({ categoryId }) => send(categoryId ?? null)}
      onClose={onClose}
    />
  );
}
