/** The secret of a shared_secret product, the same for every buyer. */
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { CONTENT_PURPOSE } from "./product-secret.ts";
import type { ShopDeps } from "../base/deps.ts";
import { getProduct } from "../products/products.ts";
import { products } from "../products/records.ts";

/** The administration of shared secrets. */
export class SharedSecrets {
  readonly #deps: Pick<ShopDeps, "store" | "clock" | "box">;

  constructor(deps: Pick<ShopDeps, "store" | "clock" | "box">) {
    this.#deps = deps;
  }

  /** Sets what every buyer gets; null takes it away. Orders that were handed over keep theirs. Throws `not_found`. */
  set(productId: string, { value, actor }: { value: string | null; actor: AuditActor }): Promise<void> {
    const { store, clock, box } = this.#deps;
    const sealedSharedSecret = value === null ? undefined : box.seal(value, CONTENT_PURPOSE);
    return store.transact(async (tx) => {
      const product = await getProduct(tx, productId);
      await tx.put(products, { ...product, sealedSharedSecret, updatedAt: clock.now() });
      const changes = [value === null ? "removed" : "set"];
      await writeAudit(tx, { actor, action: "product.shared.set", target: productId, changes }, clock);
    });
  }

  /** The secret itself, undefined when none is set; noted in the audit. Throws `not_found`. */
  async reveal(productId: string, actor: AuditActor): Promise<string | undefined> {
    const { store, clock, box } = this.#deps;
    const { sealedSharedSecret } = await store.transact(async (tx) => {
      await writeAudit(tx, { actor, action: "product.shared.reveal", target: productId }, clock);
      return getProduct(tx, productId);
    });
    return sealedSharedSecret === undefined ? undefined : box.open(sealedSharedSecret, CONTENT_PURPOSE);
  }

  /** Whether one is set. Throws `not_found`. */
  isSet(productId: string): Promise<boolean> {
    return this.#deps.store.read(
      async (tx) => (await getProduct(tx, productId)).sealedSharedSecret !== undefined,
    );
  }
}
