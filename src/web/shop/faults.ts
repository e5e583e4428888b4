/** Fields of the console of the shop whose faults are worded alike, and refusals that are about one field. */
import type { FieldKinds } from "../ui/forms/fault-words.ts";

export const fieldKinds: FieldKinds = {
  kinds: {
    to: "email",
    from: "email",
    contactEmail: "email",
    url: "url",
    termsUrl: "url",
    privacyUrl: "url",
    imprintUrl: "url",
  },
  fields: {},
};
