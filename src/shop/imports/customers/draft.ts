import type { ProfileFields } from "../../customers/profile-schema.ts";

/** A customer as a file describes them. */
export interface CustomerDraft {
  readonly line: number;
  readonly email: string;
  readonly note: string;
  readonly fields: ProfileFields;
  readonly foreign: string | undefined;
}
