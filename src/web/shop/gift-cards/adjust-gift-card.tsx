/** The dialog that changes the balance of a gift card. */
import type { JSX } from "preact";
import type { GiftCardView } from "../../../shop/gift-cards/answer-schema.ts";
import { giftCardAdjustmentFormSchema } from "../../../shop/gift-cards/change-schema.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";
import type { ItemTools } from "../../ui/resource/resource.ts";
import { moneyKind } from "../kinds/goods-kinds.tsx";

const adjustment = makeForm({
  schema: giftCardAdjustmentFormSchema,
  words: "shop.giftCards.adjust",
  kinds: { money: moneyKind },
  fields: { direction: { kind: choiceKind({ words: "shop.giftCards.direction" }) } },
  panels: [{ fields: [["direction", "amount"], "reason"] }],
});

export function AdjustDialog({
  tools: { view, begin },
  onClose,
}: {
  tools: ItemTools<GiftCardView>;
  onClose: () => void;
}): JSX.Element {
  const { id, version, currency } = view;
  return (
    <FieldsDialog
      title={text("shop.giftCards.adjust")}
      action={text("shop.giftCards.adjust")}
      form={adjustment}
      context={{ currency }}
      send={async ({ direction, amount, reason }) => {
        const signed = direction === "deduct" ? -Number(amount) : Number(amount);
        const path = `/api/admin/gift-cards/${encodeURIComponent(id)}/adjust`;
        const body = { amount: signed, reason, version };
        begin(await adminRequest<GiftCardView>(path, { method: "POST", body }));
      }}
      done={text("admin.saved")}
      onDone={onClose}
      onClose={onClose}
    />
  );
}
