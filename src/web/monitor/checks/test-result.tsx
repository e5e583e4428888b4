/** Result of a test run: state, error, timing and certificate. */
import type { JSX } from "preact";
import type { ProbeResultView } from "../../../monitor/checks/view-schema.ts";
import { toLatency } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Icon } from "../../ui/icons.tsx";
import { Badge } from "../../ui/console/pieces.tsx";
import { Remedy } from "../remedy.tsx";
import { CertificateFacts } from "./certificate.tsx";
import { toWhy } from "../pieces/check-words.ts";

const phaseNames = ["dns", "connect", "tls", "firstByte", "body"] as const;

/** The steps of the time, as one bar and in words. */
function Phases({ phases }: { phases: NonNullable<ProbeResultView["phases"]> }): JSX.Element | null {
  const known = phaseNames.flatMap((name) => {
    const ms = phases[name];
    return ms === undefined ? [] : [{ name, ms }];
  });
  const total = known.reduce((sum, { ms }) => sum + ms, 0);
  if (known.length === 0) return null;
  return (
    <div class="phases">
      <div class="phase-bar" aria-hidden="true">
        {known.map(({ name, ms }) => (
          <span
            class={`is-${name}`}
            key={name}
            style={{ inlineSize: `${total === 0 ? 0 : (100 * ms) / total}%` }}
          />
        ))}
      </div>
      <dl>
        {known.map(({ name, ms }) => (
          <div key={name}>
            <dt>
              <span class={`phase-mark is-${name}`} aria-hidden="true" />
              {text(`admin.check.phase.${name}`)}
            </dt>
            <dd>{toLatency(ms)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Result of each condition. */
function Conditions({ conditions }: { conditions: NonNullable<ProbeResultView["conditions"]> }): JSX.Element {
  return (
    <>
      <h3>{text("admin.check.conditions")}</h3>
      <ul class="plain-list stack-small">
        {conditions.map(({ text: condition, isMet, seen }, index) => (
          <li key={index}>
            <Badge
              kind={isMet === undefined ? "warn" : isMet ? "good" : "bad"}
              icon={isMet === undefined ? "info" : isMet ? "check" : "alert"}
            >
              {text(
                isMet === undefined
                  ? "admin.check.condition.open"
                  : isMet
                    ? "admin.check.condition.met"
                    : "admin.check.condition.failed",
              )}
            </Badge>{" "}
            <span class="break">{condition}</span>
            <br />
            <span class="field-hint break">{text("admin.check.condition.seen", { seen })}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The result. */
export function TestResult(props: { result: ProbeResultView; onRetry: () => void }): JSX.Element {
  const { ok, fault, detail, setting, latencyMs, phases, certificate, conditions } = props.result;
  const isOpen = fault === "not_judged" || fault === "unsupported";
  return (
    <div class="stack-small test-result" role="status">
      <p class={`admin-note ${ok ? "is-good" : isOpen ? "is-warn" : "is-bad"}`}>
        <Icon name={ok ? "online" : isOpen ? "info" : "offline"} />
        <span>
          <strong>{ok ? text("admin.check.test.up") : toWhy(fault, text("admin.check.test.down"))}</strong>
          {latencyMs !== undefined && ` · ${toLatency(latencyMs)}`}
          <br />
          <span class="break">{detail}</span>
        </span>
      </p>
      {setting !== undefined && <Remedy setting={setting} onDone={props.onRetry} />}
      {conditions !== undefined && <Conditions conditions={conditions} />}
      {phases !== undefined && <Phases phases={phases} />}
      {certificate !== undefined && (
        <>
          <h3>{text("admin.check.certificate")}</h3>
          <CertificateFacts certificate={certificate} />
        </>
      )}
    </div>
  );
}
