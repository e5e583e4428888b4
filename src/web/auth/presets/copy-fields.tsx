/** Values with their labels, each with a button that copies it. */
import type { JSX } from "preact";
import { CopyBox } from "../../ui/console/pieces.tsx";

/** The list. */
export function CopyFields({
  fields,
}: {
  fields: readonly (readonly [label: string, value: string])[];
}): JSX.Element {
  return (
    <dl class="copy-fields">
      {fields.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <CopyBox label={label} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
