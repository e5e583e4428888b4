/** A new product: what it is called, how it reaches its buyers and what it costs. Everything else comes on its page. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { text } from "../../app/texts.ts";
import { Button, TextField } from "../../ui/controls.tsx";
import { Crumbs, FieldGroup, PageHead } from "../../ui/console/pieces.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { focusFirstError } from "../../ui/console/save-bar.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { UnsavedGuard } from "../../ui/console/unsaved.tsx";
import { type FieldErrors, findError } from "../../ui/forms/field-errors.ts";
import { MoneyField } from "../ui/money-field.tsx";
import { readMoney } from "../ui/money.ts";
import { useSiteFacts } from "../ui/site-facts.ts";
import { useLeaving } from "../../ui/resource/use-leaving.ts";
import { DeliveryChoice } from "./delivery-choice.tsx";
import { type DeliveryType, PRODUCTS, type ProductView } from "./product-data.ts";

const POINTERS = ["/title", "/price"];

function WhatFields(props: {
  title: string;
  price: string;
  currency: string;
  errors: FieldErrors;
  setTitle: (title: string) => void;
  setPrice: (price: string) => void;
}): JSX.Element {
  const { title, price, currency, errors, setTitle, setPrice } = props;
  return (
    <FieldGroup title={text("shop.products.new.what")}>
      <TextField
        label={text("shop.products.field.title")}
        value={title}
        maxLength={200}
        error={findError(errors, "/title")}
        onInput={setTitle}
      />
      <MoneyField
        label={text("shop.products.field.price")}
        hint={text("shop.products.new.price.hint")}
        currency={currency}
        value={price}
        error={findError(errors, "/price")}
        onInput={setPrice}
      />
    </FieldGroup>
  );
}

/** The section with "new" in its address. */
export function NewProductPage(): JSX.Element {
  const facts = useSiteFacts();
  const currency = facts?.currency ?? "";
  const [title, setTitle] = useState("");
  const [price, setPrice] = useState("");
  const [deliveryType, setDeliveryType] = useState<DeliveryType>("shipping");
  const [isLeaving, leaveFor] = useLeaving();
  const task = useTask();
  const form = useRef<HTMLFormElement>(null);

  async function create(minor: number): Promise<void> {
    const body = { title: title.trim(), price: minor, deliveryType };
    const product = await adminRequest<ProductView>(PRODUCTS, { method: "POST", body });
    leaveFor(`/admin/products/${product.id}`);
  }
  async function submit(): Promise<void> {
    const minor = readMoney(price, currency);
    const faults = new Map([
      ...(title.trim() === "" ? [["/title", text("admin.fault.empty")] as const] : []),
      ...(minor === undefined ? [["/price", text("shop.ui.fault.money")] as const] : []),
    ]);
    if (minor === undefined || faults.size > 0) task.refuse(faults);
    else if (await task.run(() => create(minor))) return;
    focusFirstError(form.current);
  }
  return (
    <>
      <Crumbs to="/admin/products" label="shop.nav.products" />
      <PageHead title={text("shop.products.add")} hint={text("shop.products.new.hint")} />
      <form
        ref={form}
        class="stack"
        noValidate
        aria-label={text("shop.products.add")}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TaskNote task={task} pointers={POINTERS} />
        <WhatFields
          title={title}
          price={price}
          currency={currency}
          errors={task.errors}
          setTitle={setTitle}
          setPrice={setPrice}
        />
        <FieldGroup title={text("shop.products.new.how")}>
          <DeliveryChoice value={deliveryType} onChange={setDeliveryType} />
        </FieldGroup>
        <div class="button-row">
          <Button kind="primary" type="submit" disabled={task.busy || facts === undefined}>
            {text("shop.products.make")}
          </Button>
          <a class="button quiet" href="/admin/products">
            {text("control.cancel")}
          </a>
        </div>
      </form>
      <UnsavedGuard dirty={!isLeaving && (title !== "" || price !== "")} />
    </>
  );
}
