/** A kind of field for an order that is found by a search. */
import { OrderChoice } from "../ui/orders/order-choice.tsx";
import { type KindOf, toText } from "../../ui/resource/kind.ts";
import { sayPlain } from "../../ui/resource/kinds.tsx";

/** The id of an order; `first` is searched for at once. */
export function orderKind<C>(first: string): KindOf<C> {
  return () => ({
    blank: "",
    toTyped: (value) => (typeof value === "string" ? value : ""),
    read: (typed) => (typed === "" ? { fault: "shop.ui.chooseOrder" } : { value: typed }),
    Field: ({ value, error, onChange }) => (
      <OrderChoice
        first={first}
        error={error}
        chosen={value === "" ? undefined : toText(value)}
        onChoose={onChange}
      />
    ),
    say: sayPlain,
  });
}
