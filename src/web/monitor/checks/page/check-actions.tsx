/** Actions on a check: test, pause, mute, copy, delete. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { judgedKinds } from "../../../../monitor/checks/schema.ts";
import type { CheckView, ProbeResultView } from "../../../../monitor/checks/view-schema.ts";
import { navigate } from "../../../app/route.ts";
import { text } from "../../../app/texts.ts";
import { Button } from "../../../ui/controls.tsx";
import { type MenuItem, Menu } from "../../../ui/controls-menu.tsx";
import { showToast } from "../../../ui/controls-toast.tsx";
import { DoneDialog } from "../../../ui/console/form-dialog.tsx";
import { showProblem } from "../../../ui/console/problem.tsx";
import { adminRequest } from "../../../ui/console/session.ts";
import { DeleteChecksDialog } from "../check-bulk.tsx";
import { patchCheck, toCheckPath } from "../check-data.ts";
import { TestResult } from "../test-result.tsx";

/** Muting a check, and unmuting it. */
function toMuteItems({ mute }: CheckView, change: (part: object) => void): readonly MenuItem[] {
  if (mute !== undefined)
    return [{ label: text("admin.check.unmute"), icon: "bell", onSelect: () => change({ mute: null }) }];
  const muteFor = (hours: number): void =>
    change({ mute: { until: new Date(Date.now() + hours * 3_600_000).toISOString() } });
  return [
    { label: text("admin.check.mute.hour"), icon: "bell", onSelect: () => muteFor(1) },
    { label: text("admin.check.mute.day"), icon: "bell", onSelect: () => muteFor(24) },
    { label: text("admin.check.mute.forever"), icon: "bell", onSelect: () => change({ mute: {} }) },
  ];
}

/** The buttons. */
export function CheckActions(props: { check: CheckView; refresh: () => Promise<void> }): JSX.Element {
  const { check, refresh } = props;
  const { id, name, paused, target } = check;
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<ProbeResultView>();
  const [deleting, setDeleting] = useState(false);
  function run(work: () => Promise<unknown>): void {
    setBusy(true);
    work()
      .catch(showProblem)
      .finally(() => setBusy(false));
  }
  const change = (part: object): void =>
    run(async () => {
      await patchCheck(id, part);
      await refresh();
      showToast(text("admin.saved"));
    });
  const test = (): void =>
    run(async () =>
      setFound(await adminRequest<ProbeResultView>(`${toCheckPath(id)}/test`, { method: "POST" })),
    );
  return (
    <>
      {!judgedKinds.includes(target.kind) && (
        <Button icon="send" disabled={busy} onClick={test}>
          {text("admin.check.test.now")}
        </Button>
      )}
      <Button icon={paused ? "play" : "pause"} disabled={busy} onClick={() => change({ paused: !paused })}>
        {text(paused ? "admin.bulk.enable" : "admin.bulk.disable")}
      </Button>
      <Menu
        label={text("admin.deeds", { name })}
        items={[
          ...toMuteItems(check, change),
          {
            label: text("admin.check.copy"),
            icon: "copy",
            onSelect: () => navigate(`/admin/checks/new?copy=${encodeURIComponent(id)}`),
          },
          { label: text("admin.delete"), icon: "trash", danger: true, onSelect: () => setDeleting(true) },
        ]}
      />
      {found && (
        <DoneDialog title={text("admin.check.test.of", { name })} onClose={() => setFound(undefined)}>
          <TestResult result={found} onRetry={test} />
        </DoneDialog>
      )}
      {deleting && (
        <DeleteChecksDialog
          checks={[check]}
          onDone={async () => navigate("/admin/checks", { replace: true })}
          onClose={() => setDeleting(false)}
        />
      )}
    </>
  );
}
