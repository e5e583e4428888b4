/** @jsxImportSource hono/jsx */
/** Puts a product on the wishlist; who is not signed in does that first. */
import { Form } from "../../../html/form.tsx";
import type { Visit } from "../visit.tsx";

interface WishProps {
  readonly productId: string;
  readonly variantId: string | undefined;
  /** Where who signs in first comes back to. */
  readonly path: string;
  readonly visit: Pick<Visit, "t" | "formToken">;
}

export function WishForm({ productId, variantId, path, visit: { t, formToken } }: WishProps) {
  return (
    <Form action="/wishlist/add" token={formToken} class="row no-print">
      <input type="hidden" name="productId" value={productId} />
      {variantId === undefined ? <></> : <input type="hidden" name="variantId" value={variantId} />}
      <input type="hidden" name="rd" value={path} />
      <button class="button quiet" type="submit">
        <span aria-hidden="true">♡</span> {t("wishlist.add")}
      </button>
    </Form>
  );
}
