/** The used traffic of a server in this cycle, and a correction if counting began in the middle. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import {
  type AdminServer,
  type CorrectedTraffic,
  trafficCorrectionSchema,
} from "../../../monitor/fleet/view-schema.ts";
import { toMoment, toPercent, toTraffic } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { adminRequest, mayUse } from "../../ui/console/session.ts";
import { Button } from "../../ui/controls.tsx";
import { showToast } from "../../ui/controls-toast.tsx";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm, pickFields, toTyped } from "../../ui/resource/form.ts";
import { toServerPath } from "../server-data.ts";
import { bytesKind } from "./server-kinds.tsx";

const form = makeForm({
  schema: trafficCorrectionSchema,
  words: "admin.use",
  fields: { usedBytes: { kind: bytesKind(), label: "admin.use.used" }, version: false },
});

/** The use of the current cycle, with a button that corrects it. */
export function TrafficUse({ server }: { server: AdminServer }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [corrected, setCorrected] = useState<CorrectedTraffic>();
  // The page learns of a correction a few seconds later.
  const isNewer = corrected !== undefined && corrected.version > server.version;
  const trafficUse = isNewer ? corrected.traffic : server.trafficUse;
  const { usedBytes, percent, cycleFrom, cycleTo } = trafficUse;
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
      {mayUse("servers:write") && (
        <Button small onClick={() => setOpen(true)}>
          {text("admin.use.set")}
        </Button>
      )}
      {isOpen && (
        <FieldsDialog
          title={text("admin.use.title")}
          action={text("admin.save")}
          form={form}
          context={undefined}
          initial={toTyped(form, pickFields(form, trafficUse), undefined)}
          above={<p>{text("admin.use.text")}</p>}
          send={async (body) => {
            const path = `${toServerPath(server.id)}/traffic`;
            setCorrected(await adminRequest<CorrectedTraffic>(path, { method: "POST", body }));
            showToast(text("admin.saved"));
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
