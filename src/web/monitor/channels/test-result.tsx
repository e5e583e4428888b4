/** A receiver's response to a test. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Remedy } from "../remedy.tsx";
import { Icon } from "../../ui/icons.tsx";
import type { TestResult } from "../../../monitor/channels/schema.ts";

/** The answer, word for word. */
export function TestResultBox(props: { result: TestResult; onRetry: () => void }): JSX.Element {
  const { ok, status, answer, ms, error, setting } = props.result;
  return (
    <div class={`admin-note ${ok ? "is-good" : "is-bad"} test-result`} role="status">
      <Icon name={ok ? "check" : "alert"} />
      <div>
        <p>
          {text(ok ? "admin.test.ok" : "admin.test.failed")}
          {status !== undefined && ` · ${status}`} · {ms} ms
        </p>
        {error !== undefined && <p>{error}</p>}
        {setting !== undefined && <Remedy setting={setting} onDone={props.onRetry} />}
        {answer !== "" && <pre tabIndex={0}>{answer}</pre>}
      </div>
    </div>
  );
}
