/** From which locations a check runs, and how many of them must agree. */
import type { JSX } from "preact";
import type { AdminServer } from "../../../../monitor/fleet/view-schema.ts";
import type { Locations } from "../../../../monitor/checks/location-schema.ts";
import { text } from "../../../app/texts.ts";
import { usePolled } from "../../../ui/console/polled.ts";
import { Checkbox, SelectField, TextField } from "../../../ui/controls.tsx";
import { parseBounded } from "../../../ui/forms/parsed.ts";
import {
  type KindOf,
  type Shown,
  type Typed,
  isTypedGroup,
  memberText,
  toTexts,
} from "../../../ui/resource/kind.ts";
import type { CheckPlaceList, CheckPlaceView } from "../../../../monitor/places/answer-schema.ts";
import { CHECK_PLACES, PlaceStateBadge } from "../place-state.tsx";

const quorumChoices = ["majority", "all", "count"] as const;
type QuorumChoice = (typeof quorumChoices)[number];

interface TypedLocations {
  readonly [name: string]: Typed;
  readonly monitor: boolean;
  readonly serverIds: readonly string[];
  readonly quorum: QuorumChoice;
  /** Of "count". */
  readonly count: string;
}

const blank: TypedLocations = { monitor: true, serverIds: [], quorum: "majority", count: "2" };

function asTyped(value: Typed): TypedLocations {
  if (!isTypedGroup(value)) return blank;
  const quorum = quorumChoices.find((choice) => choice === value["quorum"]) ?? "majority";
  return {
    monitor: value["monitor"] === true,
    serverIds: toTexts(value["serverIds"]),
    quorum,
    count: memberText(value, "count"),
  };
}

/** A server; of one that runs checks already, whether its file is up to date, with the way to it. */
function ServerName(props: {
  id: string;
  name: string;
  state: CheckPlaceView["state"] | undefined;
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

function Servers(props: {
  servers: readonly AdminServer[];
  serverIds: readonly string[];
  onChange: (serverIds: readonly string[]) => void;
}): JSX.Element {
  const { servers, serverIds, onChange } = props;
  const places = usePolled<CheckPlaceList>(CHECK_PLACES, 0).data?.items ?? [];
  const states = new Map(places.map(({ serverId, state }) => [serverId, state]));
  return (
    <fieldset class="plain-fieldset tick-list">
      <legend class="field-label">{text("admin.check.place.servers")}</legend>
      {servers.length === 0 && <p class="field-hint">{text("admin.check.place.none")}</p>}
      {servers.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={
            <ServerName id={id} name={name} state={serverIds.includes(id) ? states.get(id) : undefined} />
          }
          checked={serverIds.includes(id)}
          onChange={(ticked) => onChange(ticked ? [...serverIds, id] : serverIds.filter((one) => one !== id))}
        />
      ))}
    </fieldset>
  );
}

function LocationsField(props: Shown<{ readonly servers: readonly AdminServer[] }>): JSX.Element {
  const { value, errorAt, error, context, onChange } = props;
  const typed = asTyped(value);
  const { monitor, serverIds, quorum, count } = typed;
  const change = (part: { readonly [name: string]: Typed }): void => onChange({ ...typed, ...part });
  const quorumError = errorAt("/quorum");
  return (
    <>
      <Checkbox
        label={text("admin.check.place.center")}
        checked={monitor}
        onChange={(next) => change({ monitor: next })}
      />
      <Servers
        servers={context.servers}
        serverIds={serverIds}
        onChange={(ids) => change({ serverIds: ids })}
      />
      {error !== undefined && error !== quorumError && <p class="field-error">{error}</p>}
      {serverIds.length > 0 && <p class="field-hint">{text("admin.check.place.file")}</p>}
      {Number(monitor) + serverIds.length > 1 && (
        <div class="field-row">
          <SelectField<QuorumChoice>
            label={text("admin.check.quorum")}
            value={quorum}
            choices={quorumChoices.map((choice) => ({
              value: choice,
              label: text(`admin.check.quorum.${choice}`),
            }))}
            error={quorum === "count" ? undefined : quorumError}
            onChange={(next) => change({ quorum: next })}
          />
          {quorum === "count" && (
            <TextField
              label={text("admin.check.quorum.number")}
              inputMode="numeric"
              error={quorumError}
              value={count}
              onInput={(next) => change({ count: next })}
            />
          )}
        </div>
      )}
    </>
  );
}

/** The field. */
export const locationsKind: KindOf<{ readonly servers: readonly AdminServer[] }> = () => ({
  blank,
  toTyped: (value) => {
    // The view has them so.
    const { monitor, serverIds, quorum } = value as Locations;
    const isCount = typeof quorum === "number";
    return { monitor, serverIds, quorum: isCount ? "count" : quorum, count: isCount ? String(quorum) : "2" };
  },
  read: (value) => {
    const { monitor, serverIds, quorum, count } = asTyped(value);
    const locations = Number(monitor) + serverIds.length;
    if (locations === 0) return { fault: "admin.check.fault.places" };
    const least = parseBounded(count, { min: 1, max: locations });
    if (quorum === "count" && least === undefined)
      return { faults: new Map([["/quorum", "admin.check.fault.quorum"]]) };
    return { value: { monitor, serverIds, quorum: quorum === "count" ? least : quorum } };
  },
  Field: LocationsField,
  say: (value) => {
    const { monitor, serverIds } = value as Locations;
    return [...(monitor ? [text("admin.check.place.center")] : []), ...serverIds].join(", ");
  },
});
