/** Who may look and who may administer, as the form of the settings holds it. */
import type { AccessSettings } from "../../../monitor/access/schema.ts";
import type { AccessTokenView } from "../../../monitor/access/view-schema.ts";
import type { ParsedForm } from "../../ui/forms/parsed.ts";

export const TOKENS = "/api/admin/access-tokens";

/** The answer of the list. */
export interface TokenList {
  readonly items: readonly AccessTokenView[];
}

export interface AccessForm {
  readonly isPrivate: boolean;
  readonly viewers: AccessSettings["viewers"]["who"];
  readonly viewerNames: readonly string[];
  readonly administrators: AccessSettings["administrators"]["who"];
  readonly administratorNames: readonly string[];
}

/** The form that shows these settings. */
export function toAccessForm({ isPrivate, viewers, administrators }: AccessSettings): AccessForm {
  return {
    isPrivate,
    viewers: viewers.who,
    viewerNames: viewers.usernames,
    administrators: administrators.who,
    administratorNames: administrators.usernames,
  };
}

/** The settings that a form means. */
export function parseAccessForm(form: AccessForm): ParsedForm<AccessSettings> {
  return {
    ok: true,
    fields: {
      isPrivate: form.isPrivate,
      viewers: { who: form.viewers, usernames: [...form.viewerNames] },
      administrators: { who: form.administrators, usernames: [...form.administratorNames] },
    },
  };
}
