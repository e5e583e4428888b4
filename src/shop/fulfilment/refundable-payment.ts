/** Which payment of an order a refund goes back to. */
import type { SecretBox } from "../../kit/secrets/secret-box.ts";
import type { ReadTx } from "../../store/store.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { listLedger } from "../payments/ledger.ts";
import type { NoticeRecord, RefundRecord } from "../payments/schema.ts";
import { openProvider } from "../payments/services/open-provider.ts";
import { readSite } from "../site/settings.ts";

/** The newest payment of a service that can give that much of it back. */
export async function findPayment(
  tx: ReadTx,
  box: SecretBox,
  { order, amount, open }: { order: OrderRecord; amount: number; open: readonly RefundRecord[] },
): Promise<NoticeRecord | undefined> {
  const { paymentProviders } = await readSite(tx);
  const ledger = (await listLedger(tx, order.id)).filter(({ state }) => state === "applied");
  const back = (word: string): number =>
    [...ledger, ...open]
      .filter((each) => each.provider === word && !("type" in each && each.type === "payment"))
      .reduce((sum, each) => sum + each.amount, 0);
  // What came back, such as after a dispute, is not a separate payment at the provider.
  const isReturned = ({ provider, providerRef }: NoticeRecord): boolean =>
    ledger.some(
      (each) => each.type !== "payment" && each.provider === provider && each.providerRef === providerRef,
    );
  return ledger.findLast((payment) => {
    if (payment.type !== "payment" || isReturned(payment)) return false;
    const provider = paymentProviders.find(({ word }) => word === payment.provider);
    if (provider === undefined || openProvider(box, provider).kind.refund === undefined) return false;
    const came = ledger
      .filter((each) => each.provider === payment.provider && each.type === "payment")
      .reduce((sum, each) => sum + each.amount, 0);
    return amount <= payment.amount && amount <= came - back(payment.provider);
  });
}
