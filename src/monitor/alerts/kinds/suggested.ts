/** Rules that suit most owners, as the forms suggest them. */
import type { Language } from "../../../kit/text/languages.ts";
import { kindTexts } from "../../base/kind-texts.ts";
import type { RuleForm } from "./kind.ts";
import { ruleForms } from "./kinds.ts";
import type { WatchedType } from "./watched.ts";

/** Those that watch servers, or checks; each with the parameters that are not its kind's defaults. They notify every channel. */
export function listSuggested(watches: WatchedType, language: Language): readonly object[] {
  const t = kindTexts(language);
  const forms: readonly (readonly [string, RuleForm])[] = Object.entries(ruleForms);
  return forms
    .filter(([, form]) => form.watches === watches)
    .flatMap(([kind, { suggestions }]) =>
      suggestions.map(({ name, severity, condition }) => ({
        kind,
        name: t(name),
        severity,
        allChannels: true,
        ...condition,
      })),
    );
}
