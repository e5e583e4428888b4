/** The steps in the application once it is registered here: where, and what to paste or type. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { CopyBox } from "../../ui/console/pieces.tsx";
import { ErrorNote } from "../../ui/console/problem.tsx";
import { toMessage } from "../../ui/forms/fault-words.ts";
import { useCenter } from "./center.ts";
import { CopyFields } from "./copy-fields.tsx";
import { IssuerNote } from "./issuer-note.tsx";
import { type PresetName, type Registered, presets, toSpoken } from "./presets.ts";

/** The steps with the block. */
export function PresetBlock(props: { preset: PresetName; program: Registered }): JSX.Element {
  const { preset, program } = props;
  const { data: center, error, refresh } = useCenter();
  const { name, toBlock } = presets[preset];
  const block = center && toBlock(program, center);
  const title =
    preset === "generic"
      ? text("auth.presets.generic.there")
      : text("auth.presets.there", { name: toSpoken(name) });
  return (
    <section
      class={typeof block === "string" ? "stack-small proxy-lines" : "stack-small"}
      aria-labelledby="there-title"
    >
      <h3 id="there-title">{title}</h3>
      <p>{text(`auth.presets.${preset}.place`)}</p>
      {error && <ErrorNote message={toMessage(error)} onRetry={() => void refresh()} />}
      {center && <IssuerNote issuer={center.issuer} />}
      {typeof block === "string" && <CopyBox label={title} value={block} />}
      {typeof block === "object" && <CopyFields fields={block} />}
      <p class="field-hint">{text("auth.presets.docs")}</p>
    </section>
  );
}
