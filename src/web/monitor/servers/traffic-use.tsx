/** What a server has used in this cycle, and setting it right when the counting began in the middle. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { AdminServer } from "../../../monitor/fleet/view-schema.ts";
import { toTraffic, toMoment, toPercent } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { Button, SelectField, TextField } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { type ByteUnit, byteUnits, parseByteAmount, toByteAmount } from "../../ui/forms/byte-amount.ts";
import { findError } from "../../ui/forms/field-errors.ts";
import { FormDialog } from "../../ui/console/form-dialog.tsx";
import { useTask } from "../../ui/console/problem.tsx";
import { toServerPath } from "../server-data.ts";
import { adminRequest } from "../../ui/console/session.ts";

function UseDialog(props: {
  server: AdminServer;
  onDone: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { server, onDone, onClose } = props;
  const [amount, setAmount] = useState(() => toByteAmount(server.trafficUse.usedBytes));
  const task = useTask();
  async function send(usedBytes: number): Promise<void> {
    await adminRequest(`${toServerPath(server.id)}/traffic`, { method: "POST", body: { usedBytes } });
    showToast(text("admin.saved"));
    await onDone();
    onClose();
  }
  function submit(): void {
    const usedBytes = parseByteAmount(amount);
    if (usedBytes === undefined) task.refuse(new Map([["/usedBytes", text("admin.fault.bytes")]]));
    else void task.run(() => send(usedBytes));
  }
  return (
    <FormDialog
      title={text("admin.use.title")}
      onClose={onClose}
      action={text("admin.save")}
      task={task}
      pointers={["/usedBytes"]}
      onSubmit={submit}
    >
      <p>{text("admin.use.text")}</p>
      <div class="field-row">
        <TextField
          label={text("admin.use.used")}
          inputMode="decimal"
          value={amount.value}
          error={findError(task.errors, "/usedBytes")}
          onInput={(value) => setAmount({ ...amount, value })}
        />
        <SelectField<ByteUnit>
          label={text("admin.field.unit")}
          value={amount.unit}
          choices={byteUnits.map((value) => ({ value, label: value }))}
          onChange={(unit) => setAmount({ ...amount, unit })}
        />
      </div>
    </FormDialog>
  );
}

/** The use of the present cycle, with a button that corrects it. */
export function TrafficUse({
  server,
  onDone,
}: {
  server: AdminServer;
  onDone: () => Promise<void>;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  const { usedBytes, percent, cycleFrom, cycleTo } = server.trafficUse;
  return (
    <div class="button-row">
      <span>
        {text("admin.use.present", {
          used: toTraffic(usedBytes),
          from: toMoment(Date.parse(cycleFrom)),
          to: toMoment(Date.parse(cycleTo)),
        })}
        {percent !== undefined && ` (${toPercent(percent)})`}
      </span>
      <Button small onClick={() => setOpen(true)}>
        {text("admin.use.set")}
      </Button>
      {open && <UseDialog server={server} onDone={onDone} onClose={() => setOpen(false)} />}
    </div>
  );
}
