/** Adding to the points of an account, or taking from them. */
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { AdminUserView } from "../../../auth/accounts/view-schema.ts";
import { pointsSchema } from "../../../auth/admin/schema.ts";
import { toNumber } from "../../app/format.ts";
import { text } from "../../app/texts.ts";
import { adminRequest } from "../../ui/console/session.ts";
import { FieldsDialog } from "../../ui/resource/form-dialogs.tsx";
import { makeForm } from "../../ui/resource/form.ts";
import { type KindOf, toText } from "../../ui/resource/kind.ts";
import { numberKind } from "../../ui/resource/kinds.tsx";
import { toLabels } from "../pieces/labels.ts";
import { userPath } from "./user-data.ts";

/** "+5" is 5, and 0 is nothing. */
function deltaKind<C>(): KindOf<C> {
  return (json) => {
    const kind = numberKind<C>()(json);
    return {
      ...kind,
      read: (typed, at) => {
        const got = kind.read(toText(typed).trim().replace(/^\+/u, ""), at);
        return "value" in got && got.value === 0 ? { fault: "auth.points.fault" } : got;
      },
    };
  };
}

function makePointsForm(points: number) {
  const shown = toNumber(points);
  return makeForm({
    schema: pointsSchema,
    words: "auth.points",
    fields: {
      delta: {
        kind: deltaKind(),
        json: { hint: toLabels(text("auth.points.hint", { points: shown })) },
        fault: "auth.points.fault",
        missing: "auth.points.fault",
      },
      reason: { label: "auth.users.reason", hint: "auth.user.impersonate.reason" },
    },
    check: ({ delta = 0 }) =>
      new Map(
        points + delta < 0 ? [["/delta", toLabels(text("auth.points.tooFew", { points: shown }))]] : [],
      ),
  });
}

/** The dialog. */
export function PointsDialog(props: {
  user: AdminUserView;
  onChange: () => Promise<void>;
  onClose: () => void;
}): JSX.Element {
  const { user, onChange, onClose } = props;
  const form = useMemo(() => makePointsForm(user.points), [user.points]);
  return (
    <FieldsDialog
      title={text("auth.points.title", { name: user.username })}
      action={text("admin.save")}
      form={form}
      context={undefined}
      send={(body) => adminRequest(userPath(user.id, "/points"), { method: "POST", body })}
      done={text("admin.saved")}
      onDone={onChange}
      onClose={onClose}
    />
  );
}
