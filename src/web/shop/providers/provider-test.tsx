/** A payment of the smallest amount that begins at the service, and what the service says of it. */
import type { JSX } from "preact";
import type { ProviderView } from "../../../shop/settings/answer-schema.ts";
import type {
  ProviderTest as Outcome,
  ProviderKindView,
} from "../../../shop/payments/providers/answer-schema.ts";
import { useState } from "preact/hooks";
import { type TextName, labelText, text } from "../../app/texts.ts";
import { Button } from "../../ui/controls.tsx";
import { TaskNote, useTask } from "../../ui/console/problem.tsx";
import { adminRequest } from "../../ui/console/session.ts";
import { Icon } from "../../ui/icons.tsx";
import { PROVIDERS } from "./provider-data.ts";
import { Panel } from "../../ui/panel.tsx";

type FaultPart = NonNullable<Outcome["part"]>;
type KindField = ProviderKindView["fields"][number];

/** Texts for the parts of the settings that a test may find wrong. */
const partTexts = {
  url: "shop.providers.part.url",
  merchant: "shop.providers.part.merchant",
  credentials: "shop.providers.part.credentials",
  signature: "shop.providers.part.signature",
  clock: "shop.providers.part.clock",
  amount: "shop.providers.part.amount",
  currency: "shop.providers.part.currency",
  order: "shop.providers.part.order",
} as const satisfies Record<FaultPart, TextName>;

/** Fields that a part of the settings may be in. */
const partFields: Partial<Record<FaultPart, (field: KindField) => boolean>> = {
  url: ({ name }) => /url/iu.test(name),
  merchant: ({ name, isHidden }) => !isHidden && /id$|number/iu.test(name),
  credentials: ({ isHidden }) => isHidden,
  signature: ({ isHidden }) => isHidden,
  currency: ({ name }) => /currency|fiat|coin/iu.test(name),
};

/** Each field of the kind, with whether the service complained of it. */
function FieldStates({ kind, outcome }: { kind: ProviderKindView; outcome: Outcome }): JSX.Element {
  const isWrong = outcome.part === undefined ? undefined : partFields[outcome.part];
  return (
    <ul class="mail-steps plain-list">
      {kind.fields.map((field) => {
        const state =
          outcome.result === "ok"
            ? "ok"
            : isWrong === undefined
              ? "skipped"
              : isWrong(field)
                ? "failed"
                : "ok";
        const icon = { ok: "check", failed: "alert", skipped: "minus" } as const;
        const words = {
          ok: "shop.providers.field.ok",
          failed: "shop.providers.field.wrong",
          skipped: "shop.providers.field.unknown",
        } as const;
        return (
          <li key={field.name} class={`is-${state}`}>
            <Icon name={icon[state]} />
            <span>
              <strong>{labelText(field.label)}</strong> {text(words[state])}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function Result({ kind, outcome }: { kind: ProviderKindView; outcome: Outcome }): JSX.Element {
  const { result, message, said, part } = outcome;
  const isGood = result === "ok";
  return (
    <div class="stack-small">
      <p class={`admin-note ${isGood ? "is-good" : "is-bad"}`}>
        <Icon name={isGood ? "check" : "alert"} />
        <span>
          {text(
            isGood ? "shop.providers.test.ok" : (part && partTexts[part]) || "shop.providers.test.failed",
          )}
        </span>
      </p>
      {!isGood && (
        <p class="field-hint break" lang="en">
          {message}
        </p>
      )}
      {said !== "" && (
        <>
          <h3>{text("shop.providers.test.said")}</h3>
          <pre tabIndex={0}>{said}</pre>
        </>
      )}
      <FieldStates kind={kind} outcome={outcome} />
    </div>
  );
}

/** The panel; `dirty` while the form above has changes that the test would not see. */
export function ProviderTest(props: {
  provider: ProviderView;
  kind: ProviderKindView;
  dirty: boolean;
}): JSX.Element {
  const { provider, kind, dirty } = props;
  const [outcome, setOutcome] = useState<Outcome | undefined>();
  const task = useTask();
  async function run(): Promise<void> {
    setOutcome(undefined);
    setOutcome(await adminRequest<Outcome>(`${PROVIDERS}/${provider.word}/test`, { method: "POST" }));
  }
  return (
    <Panel
      small
      title={text("shop.providers.test")}
      hint={text("shop.providers.test.hint")}
      class="beside-form"
    >
      <TaskNote task={task} pointers={[]} />
      <div class="button-row">
        <Button icon="online" disabled={task.busy || dirty} onClick={() => void task.run(run)}>
          {text(task.busy ? "admin.busy" : "shop.providers.test.do")}
        </Button>
        {dirty && <span class="field-hint">{text("admin.try.dirty")}</span>}
      </div>
      <div role="status">{outcome && <Result kind={kind} outcome={outcome} />}</div>
    </Panel>
  );
}
