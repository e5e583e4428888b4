/** Dialogs of what becomes of a draft: a payment link, a payment, an invoice. */
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { DraftPricesView, DraftView } from "../../../shop/draft-orders/answer-schema.ts";
import { draftInvoiceSchema, draftPaidSchema, draftSendSchema } from "../../../shop/draft-orders/schema.ts";
import { navigate } from "../../app/route.ts";
import { toDay } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { TextField } from "../../ui/controls.tsx";
import { DoneDialog } from "../../ui/console/form-dialog.tsx";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Facts } from "../../ui/facts.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { type MadeForm, makeForm } from "../../ui/resource/form.ts";
import { type Form, type KindOf, toText } from "../../ui/resource/kind.ts";
import { choiceKind, textKind } from "../../ui/resource/kinds.tsx";
import { listedKind } from "../../ui/resource/set-kinds.tsx";
import { showMoney } from "../ui/money.ts";
import { MoveFields } from "../ui/move-fields.tsx";
import type { OrderView } from "../ui/orders/order-data.ts";
import { useProviders } from "../ui/providers.ts";
import { draftPath } from "./draft-data.ts";
import { DraftChanges } from "./draft-prices.tsx";

interface Context {
  readonly providers: readonly { readonly word: string; readonly title: string }[];
}

/** A day: "2026-12-05". */
const dateKind: KindOf<Context> = (json) => ({
  ...textKind<Context>(json),
  Field: ({ label, hint, error, value, onChange }) => (
    <TextField label={label} hint={hint} error={error} type="date" value={toText(value)} onInput={onChange} />
  ),
});

const hidden = { version: false, expectedTotal: false } as const;
const send = makeForm<typeof draftSendSchema, Context>({
  schema: draftSendSchema,
  words: "shop.drafts.send",
  fields: { version: false, message: { json: { long: true } } },
  panels: [{ fields: ["message", "expiresInDays"] }],
});
const paid = makeForm<typeof draftPaidSchema, Context>({
  schema: draftPaidSchema,
  words: "shop.drafts.paid",
  fields: {
    ...hidden,
    method: { kind: choiceKind({ words: "shop.drafts.paid.method" }) },
    paidOn: { kind: dateKind },
    note: { label: "shop.order.noteForUs", json: { long: true } },
  },
  panels: [{ fields: [["method", "paidOn"], "reference", "note"] }],
});
const invoice = makeForm<typeof draftInvoiceSchema, Context>({
  schema: draftInvoiceSchema,
  words: "shop.drafts.invoice",
  fields: {
    ...hidden,
    dueOn: { kind: dateKind },
    paymentMethod: {
      label: "shop.ui.provider",
      kind: listedKind(({ context }) => [
        { value: "", label: "–" },
        ...context.providers.map(({ word, title }) => ({ value: word, label: title })),
      ]),
    },
    note: { label: "shop.order.noteForUs", json: { long: true } },
  },
  panels: [{ fields: [["dueOn", "paymentMethod"], "note"] }],
});

export const draftForms = { send, paid, invoice };
export type Action = keyof typeof draftForms;
const paths: Readonly<Record<Action, string>> = { send: "/send", paid: "/mark-paid", invoice: "/invoice" };

/** What it costs now, with what changed since it was saved. */
function useNow(id: string): { prices?: DraftPricesView; fault?: string } {
  const [state, setState] = useState<{ prices?: DraftPricesView; fault?: string }>({});
  useEffect(() => {
    adminRequest<DraftPricesView>(draftPath(id, "/prices")).then(
      (prices) => setState({ prices }),
      (error: unknown) => setState({ fault: toMessage(error) }),
    );
  }, [id]);
  return state;
}

export interface DialogProps {
  readonly action: Action;
  readonly draft: DraftView;
  readonly refresh: () => Promise<void>;
  readonly onClose: () => void;
}

function Now({ prices, children }: { prices: DraftPricesView; children?: ComponentChildren }): JSX.Element {
  const { total, currency } = prices.quoted;
  return (
    <div class="stack-small">
      {children}
      <Facts facts={[[text("shop.ui.total"), <strong key="total">{showMoney(total, currency)}</strong>]]} />
      <DraftChanges changes={prices.changes} />
    </div>
  );
}

function today(plusDays = 0): string {
  return toDayText(new Date(Date.now() + plusDays * 86_400_000));
}

function toDayText(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Begins with today, and two weeks. */
function toInitial(action: Action): Form {
  if (action === "paid") return { paidOn: today() };
  return action === "invoice" ? { dueOn: today(14) } : {};
}

/** The dialog of an action. */
export function ActionDialog({ action, draft, refresh, onClose }: DialogProps): JSX.Element {
  const { prices, fault } = useNow(draft.id);
  const providers = useProviders();
  // Each form is sent to its own route.
  const form = draftForms[action] as MadeForm<Context>;
  const expectedTotal = prices?.quoted.total ?? 0;
  async function run(fields: object): Promise<void> {
    const { version } = draft;
    const body = action === "send" ? { ...fields, version } : { ...fields, version, expectedTotal };
    const answer = await adminRequest<OrderView>(draftPath(draft.id, paths[action]), {
      method: "POST",
      body,
    });
    if (action !== "send") navigate(`/admin/orders/${answer.id}`);
  }
  return (
    <MoveFields
      title={text(`shop.drafts.${action}.title`, { number: draft.number })}
      action={text(`shop.drafts.${action}`)}
      form={form}
      context={{ providers }}
      initial={toInitial(action)}
      done={text(`shop.drafts.${action}.done`)}
      send={run}
      onChange={refresh}
      onClose={onClose}
    >
      {fault !== undefined && <ErrorNote message={fault} />}
      {prices && (
        <Now prices={prices}>
          <p>{text(`shop.drafts.${action}.text`, { email: draft.email ?? "–" })}</p>
        </Now>
      )}
    </MoveFields>
  );
}

/** The link that was sent, to pass on in another way. */
export function LinkDialog({
  url,
  draft,
  onClose,
}: {
  url: string;
  draft: DraftView;
  onClose: () => void;
}): JSX.Element {
  const until = draft.link === undefined ? "" : toDay(Date.parse(draft.link.expiresAt));
  return (
    <DoneDialog title={text("shop.drafts.link")} onClose={onClose}>
      <div class="stack">
        <p>{text("shop.drafts.link.text", { until })}</p>
        <CopyBox label={text("shop.drafts.link")} value={url} />
      </div>
    </DoneDialog>
  );
}
