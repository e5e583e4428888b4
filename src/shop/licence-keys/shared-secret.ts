/** What every buyer of a shared_secret product gets. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { CONTENT_PURPOSE } from "./product-secret.ts";
import type { ShopDeps } from "../deps.ts";
import { getProduct } from "../products/products.ts";
import { products } from "../records.ts";

export interface SharedSecrets {
  /** Sets what every buyer gets; null takes it away. Orders that were handed over keep theirs. Throws `not_found`. */
  set(productId: string, options: { value: string | null; actor: AuditActor }): Promise<void>;
  /** The secret itself, undefined when none is set; noted in the audit. Throws `not_found`. */
  reveal(productId: string, actor: AuditActor): Promise<string | undefined>;
  /** Whether one is set. Throws `not_found`. */
  isSet(productId: string): Promise<boolean>;
}

/** Makes the administration of shared secrets. */
export function createSharedSecrets({
  store,
  clock,
  box,
}: Pick<ShopDeps, "store" | "clock" | "box">): SharedSecrets {
  return {
    set: (productId, { value, actor }) => {
      const sealed = value === null ? {} : { sealedSharedSecret: box.seal(value, CONTENT_PURPOSE) };
      return store.transact(async (tx) => {
        const { sealedSharedSecret: _before, ...product } = await getProduct(tx, productId);
        await tx.put(products, { ...product, ...sealed, updatedAt: clock.now() });
        const changes = [value === null ? "removed" : "set"];
        await writeAudit(tx, { actor, action: "product.shared.set", target: productId, changes }, clock);
      });
    },
    reveal: async (productId, actor) => {
      const sealed = await store.transact(async (tx) => {
        const product = await getProduct(tx, productId);
        await writeAudit(tx, { actor, action: "product.shared.reveal", target: productId }, clock);
        return product.sealedSharedSecret;
      });
      return sealed === undefined ? undefined : box.open(sealed, CONTENT_PURPOSE);
    },
    isSet: (productId) =>
      store.read(async (tx) => (await getProduct(tx, productId)).sealedSharedSecret !== undefined),
  };
}
