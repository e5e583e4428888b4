/** Tries a check as it is typed, before it is saved. */
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import type { CheckInput, ProbeResultView } from "../../../../monitor/checks/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { type Task, TaskNote, useTask } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { CHECKS } from "../check-data.ts";
import { TestResult } from "../test-result.tsx";
import { Panel } from "../../../ui/panel.tsx";

/** The panel; `read` gives what is typed, or undefined after it has said what is wrong with it. */
export function TestPanel(props: {
  read: () => CheckInput | undefined;
  /** Of a stored check: its header values are used where none are typed. */
  id?: string | undefined;
  /** Of the form: what the monitor finds wrong with a field is shown there. */
  task: Task;
  pointers: readonly string[];
}): JSX.Element {
  const { read, id, task: formTask, pointers } = props;
  const [result, setResult] = useState<ProbeResultView>();
  const task = useTask();
  const turn = useRef(0);
  async function test(check: CheckInput): Promise<void> {
    turn.current += 1;
    const mine = turn.current;
    const query = id === undefined ? "" : `?id=${encodeURIComponent(id)}`;
    const found = await adminRequest<ProbeResultView>(`${CHECKS}/test${query}`, {
      method: "POST",
      body: check,
    });
    if (turn.current === mine) setResult(found);
  }
  function start(): void {
    const check = read();
    setResult(undefined);
    if (check === undefined) return;
    formTask.clear();
    void task.run(() => test(check));
  }
  return (
    <Panel
      small
      title={text("admin.check.test")}
      class="test-panel"
      action={
        <Button icon="send" disabled={task.busy} onClick={start}>
          {text(task.busy ? "admin.check.test.busy" : "admin.check.test.now")}
        </Button>
      }
    >
      <TaskNote task={task} pointers={pointers} />
      {result === undefined ? (
        <p class="field-hint">{text(task.busy ? "admin.check.test.wait" : "admin.check.test.hint")}</p>
      ) : (
        <TestResult result={result} onRetry={start} />
      )}
    </Panel>
  );
}
