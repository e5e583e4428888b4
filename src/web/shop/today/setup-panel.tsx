/** Guide for a new shop: four steps to the first sale, then what is missing before launch. */
import type { JSX } from "preact";
import { countText, text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import type { Today } from "../../../shop/operation/answer-schema.ts";
import { type SetupStep, gapPlaces, isSetUp, setupSteps, stepPlaces } from "./today-data.ts";

type Setup = Today["setup"];

function Step(props: { step: SetupStep; isDone: boolean; isNext: boolean }): JSX.Element {
  const { step, isDone, isNext } = props;
  const isShop = step === "order";
  return (
    <li class={`setup-step${isDone ? " is-done" : ""}`} aria-current={isNext ? "step" : undefined}>
      <span class="setup-mark">
        {isDone ? <Icon name="check" /> : setupSteps.indexOf(step) + 1}
        <span class="for-readers">{text(isDone ? "shop.today.step.done" : "shop.today.step.open")}</span>
      </span>
      <div>
        <h3>{text(`shop.today.step.${step}`)}</h3>
        {!isDone && <p class="field-hint">{text(`shop.today.step.${step}.hint`)}</p>}
      </div>
      {!isDone && (
        <a
          class={`button${isNext ? " primary" : ""}`}
          href={stepPlaces[step]}
          {...(isShop ? { target: "_blank", rel: "noopener" } : {})}
        >
          {text(`shop.today.step.${step}.go`)}
        </a>
      )}
    </li>
  );
}

/** The four steps, until all are done. */
export function FirstSteps({ setup }: { setup: Setup }): JSX.Element | null {
  const next = setupSteps.find((step) => !setup.steps[step]);
  if (next === undefined) return null;
  return (
    <section class="admin-panel stack" aria-labelledby="first-steps">
      <div>
        <h2 id="first-steps">{text("shop.today.steps")}</h2>
        <p class="field-hint">{text("shop.today.steps.hint")}</p>
      </div>
      <ol class="setup-steps plain-list">
        {setupSteps.map((step) => (
          <Step step={step} isDone={setup.steps[step]} isNext={step === next} key={step} />
        ))}
      </ol>
    </section>
  );
}

/** Settings missing before launch; empty when complete. */
export function Gaps({ setup }: { setup: Setup }): JSX.Element | null {
  const { missing } = setup;
  if (missing.length === 0) return null;
  return (
    <details class="setup-gaps" open={isSetUp(setup)}>
      <summary>{countText("shop.today.gaps", missing.length)}</summary>
      <ul class="plain-list">
        {missing.map((gap) => (
          <li key={gap}>
            <a href={gapPlaces[gap]}>{text(`shop.today.gap.${gap}`)}</a>
            <span class="field-hint">{text(`shop.today.gap.${gap}.hint`)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
