/** Another product like one that is there. */
import { navigate } from "../../app/route.ts";
import { text } from "../../app/texts.ts";
import { showToast } from "../../ui/controls-toast.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { type ProductView, toProductPath } from "./product-data.ts";

/** Creates a draft from a product and opens it. */
export async function duplicate(id: string): Promise<void> {
  const copy = await adminRequest<ProductView>(`${toProductPath(id)}/duplicate`, { method: "POST" });
  showToast(text("shop.products.duplicated", { name: copy.title }));
  navigate(`/admin/products/${copy.id}`);
}
