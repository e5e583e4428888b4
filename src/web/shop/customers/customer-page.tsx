/** One customer: what was ordered and paid, a note for ourselves, and whether they can order. */
import type { JSX } from "preact";
import { customerChangeSchema } from "../../../shop/customers/change-schema.ts";
import type { CustomerErased, CustomerView } from "../../../shop/customers/view-schema.ts";
import type { OrderSearchPage } from "../../../shop/orders/answer-schema.ts";
import { useState } from "preact/hooks";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { Ago, Crumbs, Loaded, Moment, PageHead } from "../../ui/console/pieces.tsx";
import { usePolled } from "../../ui/console/polled.ts";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { Icon } from "../../ui/icons.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { listKind } from "../../ui/resource/group-kinds.tsx";
import { EditRecord } from "../../ui/resource/item-dialogs.tsx";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { SettingsForm } from "../../ui/resource/settings-form.tsx";
import { Facts } from "../../ui/facts.tsx";
import { listCountriesOrNone, toCountryName } from "../ui/choices.ts";
import { showMoney } from "../ui/money.ts";
import { ORDERS } from "../ui/orders/order-data.ts";
import { AttentionMarks, OrderLink, StatusMark } from "../ui/orders/order-marks.tsx";
import { Panel } from "../../ui/panel.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { customerPath } from "./customer-data.ts";
import { CustomerMarks } from "./customer-marks.tsx";
import { ConfirmTask } from "../../ui/console/confirm-task.tsx";
import { sendFresh } from "../ui/moves.tsx";
import { Note } from "../../ui/console/note.tsx";

/** Permission for changes of a customer. */
const WRITE = "customers:write";

interface Part {
  readonly customer: CustomerView;
  readonly onChange: () => Promise<void>;
}

export const noteForm = makeForm({
  schema: customerChangeSchema,
  words: "shop.customers",
  only: "panels",
  fields: { note: { json: { long: true } } },
  panels: [{ fields: ["note"] }],
});

/** The note, which others may write too. */
function CustomerNote({ customer, onChange }: Part): JSX.Element {
  return (
    <Panel title={text("shop.customers.note")}>
      <SettingsForm
        label={text("shop.customers.note")}
        write={WRITE}
        stored={customer}
        of={{
          path: customerPath(customer.id),
          form: noteForm,
          context: undefined,
          onSaved: () => void onChange(),
        }}
      />
    </Panel>
  );
}

function CustomerOrders({ customer: { userId, email } }: { customer: CustomerView }): JSX.Element {
  const who: Record<string, string> = userId === undefined ? { email } : { userId };
  const asked = new URLSearchParams({ limit: "20", ...who });
  const path = `${ORDERS}/search?${asked.toString()}`;
  const { data, error, refresh } = usePolled<OrderSearchPage>(path, 0);
  const all = new URLSearchParams(who);
  return (
    <Panel title={text("shop.nav.orders")}>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      <ul class="plain-list lines">
        {data?.items.map(({ id, number, status, attention, total, currency, createdAt }) => (
          <li key={id}>
            <span class="marks">
              <OrderLink id={id} number={number} />
              <StatusMark status={status} />
              <AttentionMarks attention={attention} />
            </span>
            <span>
              {showMoney(total, currency)}{" "}
              <span class="field-hint">
                <Ago at={createdAt} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {data?.nextCursor !== undefined && (
        <a class="button" href={`/admin/orders?${all.toString()}`}>
          {text("shop.ui.allOrders")}
        </a>
      )}
    </Panel>
  );
}

function toLines(address: NonNullable<CustomerView["addresses"]>[number]): string[] {
  const { name, company, line1, line2, postalCode, city, region, country, phone } = address;
  const place = [postalCode, city].filter((part) => part !== undefined && part !== "").join(" ");
  const land = country === undefined ? undefined : toCountryName(country);
  return [name, company, line1, line2, place, region, land, phone].flatMap((part) => part || []);
}

export const detailsForm = makeForm({
  schema: customerChangeSchema,
  words: "shop.moving.field",
  only: "panels",
  fields: {
    addresses: {
      kind: listKind(
        {},
        {
          members: { country: { kind: listedKind(listCountriesOrNone) } },
          rows: [
            ["name", "company"],
            ["line1", "line2"],
            ["postalCode", "city"],
            ["country", "region"],
          ],
        },
      ),
    },
  },
  panels: [
    { fields: [["name", "company"], ["phone", "vatId"], "tags"] },
    { title: "shop.moving.field.addresses", fields: ["addresses"] },
  ],
});

/** Asks before a consent is withdrawn, which cannot be undone here. */
function ConsentDialog({ customer, onChange, onClose }: Part & { onClose: () => void }): JSX.Element {
  const { id, version, email } = customer;
  async function send(): Promise<void> {
    await adminRequest(customerPath(id), { method: "PATCH", body: { marketing: null, version } });
    showToast(text("admin.saved"));
    await onChange();
    onClose();
  }
  return (
    <ConfirmTask title={text("shop.customers.consent.withdraw")} send={send} onClose={onClose}>
      {text("shop.customers.consent.withdraw.text", { email })}
    </ConfirmTask>
  );
}

function ImportedActions(part: Part): JSX.Element | null {
  const { customer, onChange } = part;
  const [open, setOpen] = useState<"edit" | "consent" | undefined>();
  const close = (): void => setOpen(undefined);
  if (!mayUse(WRITE)) return null;
  return (
    <div class="button-row">
      <Button onClick={() => setOpen("edit")}>{text("shop.customers.edit")}</Button>
      {customer.marketingSince !== undefined && (
        <Button onClick={() => setOpen("consent")}>{text("shop.customers.consent.withdraw")}</Button>
      )}
      {open === "edit" && (
        <EditRecord
          title={text("shop.customers.edit")}
          path={customerPath(customer.id)}
          form={detailsForm}
          context={undefined}
          view={customer}
          onDone={onChange}
          onClose={close}
        />
      )}
      {open === "consent" && <ConsentDialog {...part} onClose={close} />}
    </div>
  );
}

/** What an import from another shop brought, as far as it was not corrected since. */
function ImportedPanel(part: Part): JSX.Element | null {
  const { customer } = part;
  const { name, company, phone, vatId, tags, addresses, marketingSince, marketingSource, customerSince } =
    customer;
  if (tags === undefined) return null;
  return (
    <Panel title={text("shop.customers.imported")} hint={text("shop.customers.imported.hint")}>
      <Facts
        facts={[
          [text("shop.moving.field.name"), name],
          [text("shop.moving.field.company"), company],
          [text("shop.moving.field.phone"), phone],
          [text("shop.moving.field.vatId"), vatId],
          [text("shop.moving.field.tags"), tags.length === 0 ? undefined : tags.join(", ")],
          [
            text("shop.moving.field.street"),
            addresses?.length
              ? addresses.map((address) => (
                  <p>
                    {toLines(address).map((line) => (
                      <>
                        {line}
                        <br />
                      </>
                    ))}
                  </p>
                ))
              : undefined,
          ],
          [
            text("shop.moving.field.consentAt"),
            marketingSince && (
              <>
                <Moment at={marketingSince} /> ({marketingSource})
              </>
            ),
          ],
          [text("shop.moving.field.since"), customerSince && <Moment at={customerSince} />],
        ]}
      />
      <ImportedActions {...part} />
    </Panel>
  );
}

function BlockDialog({ customer, onChange, onClose }: Part & { onClose: () => void }): JSX.Element {
  const { id, version, email, blocked } = customer;
  const name = blocked ? "unblock" : "block";
  async function send(): Promise<void> {
    const body = { blocked: !blocked, version };
    await sendFresh(() => adminRequest(customerPath(id), { method: "PATCH", body }), onChange);
    showToast(text(`shop.customers.${name}.done`, { email }));
    await onChange();
    onClose();
  }
  return (
    <ConfirmTask
      title={text(`shop.customers.${name}.title`, { email })}
      action={text(`shop.customers.${name}`)}
      danger={!blocked}
      send={send}
      onClose={onClose}
    >
      {text(`shop.customers.${name}.text`)}
    </ConfirmTask>
  );
}

function EraseDialog({ customer, onChange, onClose }: Part & { onClose: () => void }): JSX.Element {
  const { id, email } = customer;
  async function send(): Promise<void> {
    const { anonymised, kept } = await adminRequest<CustomerErased>(customerPath(id, "/anonymise"), {
      method: "POST",
    });
    const counts = { done: toNumber(anonymised), kept: toNumber(kept) };
    showToast(text("shop.customers.erase.done", counts));
    await onChange();
    onClose();
  }
  return (
    <ConfirmTask
      title={text("shop.customers.erase.title", { email })}
      action={text("shop.customers.erase")}
      phrase={email}
      send={send}
      onClose={onClose}
    >
      {text("shop.customers.erase.text")}
    </ConfirmTask>
  );
}

function Actions(part: Part): JSX.Element {
  const { customer } = part;
  const [open, setOpen] = useState<"block" | "erase" | undefined>();
  const close = (): void => setOpen(undefined);
  return (
    <div class="admin-actions">
      <a class="button" href={`mailto:${customer.email}`}>
        <Icon name="mail" />
        {text("shop.customers.write")}
      </a>
      {mayUse(WRITE) && (
        <Button onClick={() => setOpen("block")}>
          {text(customer.blocked ? "shop.customers.unblock" : "shop.customers.block")}
        </Button>
      )}
      <a class="button" href={customerPath(customer.id, "/export")} download="customer.json">
        <Icon name="download" />
        {text("shop.customers.export")}
      </a>
      {mayUse(WRITE) && (
        <Button kind="danger" onClick={() => setOpen("erase")}>
          {text("shop.customers.erase")}
        </Button>
      )}
      {open === "block" && <BlockDialog {...part} onClose={close} />}
      {open === "erase" && <EraseDialog {...part} onClose={close} />}
    </div>
  );
}

function Content(part: Part): JSX.Element {
  const { customer } = part;
  const { email, orders, openOrders, paid, firstOrderAt, lastOrderAt } = customer;
  return (
    <>
      <PageHead title={email}>
        <CustomerMarks customer={customer} />
      </PageHead>
      {customer.erasing && (
        <Note kind="warn" icon="info">
          {text("shop.customers.erasing.text")}
        </Note>
      )}
      <Actions {...part} />
      <div class="order-columns">
        <CustomerOrders customer={customer} />
        <div class="stack">
          <Panel title={text("shop.customers.sums")}>
            <Facts
              facts={[
                [text("shop.nav.orders"), toNumber(orders)],
                [text("shop.customers.openOrders"), openOrders === 0 ? undefined : toNumber(openOrders)],
                [
                  text("shop.customers.paid"),
                  paid.map(({ amount, currency }) => showMoney(amount, currency)).join(", ") || "–",
                ],
                [text("shop.customers.first"), firstOrderAt && <Moment at={firstOrderAt} />],
                [text("shop.customers.last"), lastOrderAt && <Moment at={lastOrderAt} />],
              ]}
            />
          </Panel>
          <ImportedPanel {...part} />
          <CustomerNote {...part} key={`note ${customer.version}`} />
        </div>
      </div>
    </>
  );
}

/** The page. */
export function CustomerPage({ id }: { id: string }): JSX.Element {
  const loaded = usePolled<CustomerView>(customerPath(id), 0);
  return (
    <>
      <Crumbs to="/admin/customers" label="shop.nav.customers" />
      <Loaded of={loaded}>{(data) => <Content customer={data} onChange={loaded.refresh} />}</Loaded>
    </>
  );
}
