/** Gift cards: issued, disabled, adjusted, and what the shop owes to their holders. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { GiftCardCodeView, GiftCardItem, GiftCardView } from "../../../shop/gift-cards/answer-schema.ts";
import { giftCardChangeSchema, newGiftCardSchema } from "../../../shop/gift-cards/change-schema.ts";
import { text } from "../../app/texts.ts";
import { lazy } from "../../pages/lazy.tsx";
import { Badge, Moment } from "../../ui/console/pieces.tsx";
import { useTask, TaskNote } from "../../ui/console/problem.tsx";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { Figure } from "../../ui/figures.tsx";
import { Panel } from "../../ui/panel.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type ItemTools, type Resource, toItemPath } from "../../ui/resource/resource.ts";
import { ResourceList } from "../../ui/resource/resource-list.tsx";
import { NewResourcePage, ResourcePage } from "../../ui/resource/resource-page.tsx";
import { moneyKind } from "../kinds/goods-kinds.tsx";
import { showMoney } from "../ui/money.ts";
import { useSiteFacts } from "../ui/site-facts.ts";

const AdjustDialog = lazy(async () => (await import("./adjust-gift-card.tsx")).AdjustDialog, null);

const API = "/api/admin/gift-cards";

interface Money {
  readonly currency: string;
}

function useMoney(view?: Money): Money | undefined {
  const facts = useSiteFacts();
  const currency = view?.currency ?? facts?.currency;
  return currency === undefined ? undefined : { currency };
}

const newCard = makeForm({
  schema: newGiftCardSchema,
  words: "shop.giftCards.field",
  kinds: { money: moneyKind },
  fields: { amount: { json: { required: true } } },
  panels: [
    { fields: [["amount", "expiresAt"], "note"] },
    {
      title: "shop.giftCards.recipient",
      hint: "shop.giftCards.recipient.hint",
      fields: [["recipientEmail", "recipientName"], "message"],
    },
  ],
});

function Mark({ view: { state } }: { view: GiftCardItem }): JSX.Element {
  const kind = state === "active" ? "good" : state === "empty" ? "idle" : "warn";
  return <Badge kind={kind}>{text(`shop.giftCards.state.${state}`)}</Badge>;
}

function Adjust(tools: ItemTools<GiftCardView>): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{text("shop.giftCards.adjust")}</Button>
      {isOpen && <AdjustDialog tools={tools} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The code, once someone asks for it: the audit log notes who. */
function Code({ view }: { view: GiftCardView }): JSX.Element {
  const [code, setCode] = useState<string>();
  const task = useTask();
  function show(): void {
    void task.run(async () => {
      const path = `${toItemPath({ api: API }, view.id)}/code`;
      setCode((await adminRequest<GiftCardCodeView>(path)).code);
    });
  }
  if (code !== undefined) return <code class="break">{code}</code>;
  return (
    <>
      <Button disabled={task.busy} onClick={show}>
        {text("shop.giftCards.showCode")}
      </Button>
      <TaskNote task={task} pointers={[]} />
    </>
  );
}

function Book({ view }: { view: GiftCardView }): JSX.Element {
  const { entries, currency } = view;
  return (
    <ul class="plain-list stack-small">
      {entries.map(({ id, kind, amount, at, reason, who, orderId }) => (
        <li key={id}>
          <strong>{text(`shop.giftCards.entry.${kind}`)}</strong> {showMoney(amount, currency)}
          <br />
          <span class="field-hint">
            <Moment at={at} />
            {who !== undefined && ` · ${who}`}
            {reason !== undefined && ` · ${reason}`}
            {orderId !== undefined && (
              <>
                {" · "}
                <a href={`/admin/orders/${orderId}`}>{text("shop.giftCards.order")}</a>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Side(tools: ItemTools<GiftCardView>): JSX.Element {
  const { view } = tools;
  const { balance, initial, currency, recipientEmail, recipientName, message, mailedAt, mailAt, hasCode } =
    view;
  const mayChange = mayUse("orders:write");
  return (
    <div class="stack">
      <Panel title={text("shop.giftCards.balance")}>
        <dl class="figures">
          <Figure label={text("shop.giftCards.balance")} value={showMoney(balance, currency)} />
          <Figure label={text("shop.giftCards.initial")} value={showMoney(initial, currency)} />
        </dl>
        {mayChange && (
          <div class="button-row">
            <Adjust {...tools} />
            {hasCode && <Code view={view} />}
          </div>
        )}
      </Panel>
      {recipientEmail !== undefined && (
        <Panel title={text("shop.giftCards.recipient")}>
          <p class="break">{[recipientName, recipientEmail].filter(Boolean).join(" · ")}</p>
          {message !== undefined && <p class="pre-line break">{message}</p>}
          {mailedAt !== undefined && (
            <p class="field-hint">
              {text("shop.giftCards.mailed")} <Moment at={mailedAt} />
            </p>
          )}
          {mailAt !== undefined && (
            <p class="field-hint">
              {text("shop.giftCards.mailAt")} <Moment at={mailAt} />
            </p>
          )}
        </Panel>
      )}
      <Panel title={text("shop.giftCards.book")}>
        <Book view={view} />
      </Panel>
    </div>
  );
}

function ImportLink(): JSX.Element | null {
  if (!mayUse("products:write") || !mayUse("orders:write")) return null;
  return (
    <a class="button" href="/admin/products/import?from=shop&kind=giftCards">
      {text("shop.giftCards.import")}
    </a>
  );
}

const giftCards: Resource<GiftCardView, typeof giftCardChangeSchema, Money> = {
  api: API,
  home: "/admin/gift-cards",
  navigation: "shop.nav.giftCards",
  texts: "shop.giftCards",
  words: "shop.giftCards.field",
  write: "orders:write",
  schema: giftCardChangeSchema,
  fields: {},
  panels: [{ fields: ["disabled", "expiresAt", "note"] }],
  toFields: ({ disabledAt, ...view }) => ({ ...view, disabled: disabledAt !== undefined }),
  idOf: ({ id }) => id,
  nameOf: ({ lastFour }) => `••••${lastFour}`,
  useContext: useMoney,
  creation: { form: newCard },
  deletion: false,
  Mark,
  Side,
  ListActions: ImportLink,
  table: {
    exports: [{ label: "shop.giftCards.export", path: `${API}/balances`, file: "gift-cards.csv" }],
    class: "goods-table is-gift-cards",
    icon: "card",
    search: "shop.giftCards.search",
    filters: [
      {
        name: "state",
        label: "admin.column.state",
        values: ["", "active", "empty", "expired", "disabled"],
        words: "shop.giftCards.state",
      },
      { name: "orderId", as: "link" },
    ],
    columns: () => [
      {
        key: "code",
        label: text("shop.giftCards.code"),
        cell: ({ id, lastFour, note, recipientEmail }) => (
          <>
            <a class="row-name" href={`/admin/gift-cards/${id}`}>
              ••••{lastFour}
            </a>
            <br />
            <span class="field-hint break">{recipientEmail ?? note}</span>
          </>
        ),
      },
      {
        key: "balance",
        label: text("shop.giftCards.balance"),
        number: true,
        cell: ({ balance, currency }) => showMoney(balance, currency),
      },
      {
        key: "initial",
        label: text("shop.giftCards.initial"),
        number: true,
        cell: ({ initial, currency }) => showMoney(initial, currency),
      },
      { key: "state", label: text("admin.column.state"), cell: (view) => <Mark view={view} /> },
      {
        key: "until",
        label: text("shop.giftCards.field.expiresAt"),
        cell: ({ expiresAt }) => (expiresAt === undefined ? "" : <Moment at={expiresAt} />),
      },
      {
        key: "created",
        label: text("shop.giftCards.created"),
        cell: ({ createdAt }) => <Moment at={createdAt} />,
      },
    ],
  },
};

/** The section. */
export function GiftCardsPage({ id }: { id: string | undefined }): JSX.Element {
  if (id === undefined) return <ResourceList of={giftCards} />;
  return id === "new" ? <NewResourcePage of={giftCards} /> : <ResourcePage of={giftCards} id={id} key={id} />;
}
