/** From where a target is asked, and how many places must agree. */
import type { JSX } from "preact";
import type { AdminServer } from "../../../../monitor/fleet/view-schema.ts";
import { text } from "../../../app/texts.ts";
import { Checkbox, SelectField, TextField } from "../../../ui/controls.tsx";
import { FieldGroup } from "../../../ui/console/pieces.tsx";
import { type FormPart, bindText, bindTick } from "../../../ui/forms/bind.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { findError } from "../../../ui/forms/field-errors.ts";
import { type CheckPlace, CHECK_PLACES, PlaceStateBadge } from "../place-state.tsx";
import { type CheckForm, type QuorumChoice, quorumChoices } from "./check-form.ts";

type Props = FormPart<CheckForm> & { readonly servers: readonly AdminServer[] };

/** A machine; of one that asks already, whether its file is up to date, with the way to it. */
function MachineName(props: {
  id: string;
  name: string;
  state: CheckPlace["state"] | undefined;
}): JSX.Element {
  const { id, name, state } = props;
  return (
    <>
      {name}
      {state !== undefined && (
        <>
          {" "}
          <a href={`/admin/servers/${encodeURIComponent(id)}`}>
            <PlaceStateBadge state={state} />
          </a>
        </>
      )}
    </>
  );
}

function Machines({ form, onChange, servers }: Props): JSX.Element {
  const { serverIds } = form;
  const places = usePolled<{ readonly items: readonly CheckPlace[] }>(CHECK_PLACES, 0).data?.items ?? [];
  const states = new Map(places.map(({ serverId, state }) => [serverId, state]));
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{text("admin.check.place.servers")}</legend>
      {servers.length === 0 && <p class="field-hint">{text("admin.check.place.none")}</p>}
      {servers.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={
            <MachineName id={id} name={name} state={serverIds.includes(id) ? states.get(id) : undefined} />
          }
          checked={serverIds.includes(id)}
          onChange={(ticked) =>
            onChange({ serverIds: ticked ? [...serverIds, id] : serverIds.filter((one) => one !== id) })
          }
        />
      ))}
    </fieldset>
  );
}

/** The fields. */
export function PlaceFields(props: Props): JSX.Element {
  const { form, errors, onChange } = props;
  const places = Number(form.center) + form.serverIds.length;
  const error = errors.get("/places") ?? findError(errors, "/places/serverIds");
  return (
    <FieldGroup title={text("admin.check.places")} hint={text("admin.check.places.hint")}>
      <Checkbox label={text("admin.check.place.center")} {...bindTick(props, "center")} />
      <Machines {...props} />
      {error !== undefined && <p class="field-error">{error}</p>}
      {form.serverIds.length > 0 && <p class="field-hint">{text("admin.check.place.file")}</p>}
      {places > 1 && (
        <div class="field-row">
          <SelectField<QuorumChoice>
            label={text("admin.check.quorum")}
            value={form.quorum}
            choices={quorumChoices.map((value) => ({ value, label: text(`admin.check.quorum.${value}`) }))}
            error={form.quorum === "count" ? undefined : findError(errors, "/places/quorum")}
            onChange={(quorum) => onChange({ quorum })}
          />
          {form.quorum === "count" && (
            <TextField
              label={text("admin.check.quorum.number")}
              inputMode="numeric"
              {...bindText(props, "quorumCount", "/places/quorum")}
            />
          )}
        </div>
      )}
    </FieldGroup>
  );
}
