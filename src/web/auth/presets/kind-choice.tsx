/** The first step of adding an application: which program it is. */
import type { JSX } from "preact";
import { text } from "../../app/texts.ts";
import { Dialog } from "../../ui/controls-dialog.tsx";
import { type PresetName, presets } from "./presets.ts";

export type Kind = PresetName | "code" | "proxy";

const programs = (Object.keys(presets) as PresetName[]).filter((name) => name !== "generic");
const others = ["generic", "code", "proxy"] as const;

/** The dialog. */
export function KindChoice(props: { onChoose: (kind: Kind) => void; onClose: () => void }): JSX.Element {
  const { onChoose, onClose } = props;
  return (
    <Dialog title={text("auth.applications.add")} wide onClose={onClose}>
      <div class="stack">
        <section class="stack-small" aria-labelledby="programs-title">
          <h3 id="programs-title">{text("auth.presets.programs")}</h3>
          <p class="field-hint">{text("auth.presets.programs.hint")}</p>
          <div class="kind-tiles">
            {programs.map((name) => (
              <button type="button" class="kind-tile" key={name} onClick={() => onChoose(name)}>
                {presets[name].name}
              </button>
            ))}
          </div>
        </section>
        <section class="stack-small" aria-labelledby="others-title">
          <h3 id="others-title">{text("auth.presets.others")}</h3>
          <div class="kind-tiles is-wide">
            {others.map((kind) => (
              <button type="button" class="kind-tile" key={kind} onClick={() => onChoose(kind)}>
                {text(`auth.applications.${kind}`)}
                <span class="field-hint">{text(`auth.applications.${kind}.hint`)}</span>
              </button>
            ))}
          </div>
        </section>
      </div>
    </Dialog>
  );
}
