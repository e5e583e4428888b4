import { type SecretCheck } from "../../records/secret-check.ts";
import { state } from "../base/records.ts";
import { users } from "../accounts/records.ts";
import { changeState } from "../base/state.ts";

/** The secret's fingerprint is in the record too. */
export const authSecretCheck: SecretCheck = {
  service: "auth",
  kept: "these accounts were",
  sealed: "codes, second factors and the SMTP password",
  place: { collection: "state", id: "state", path: ["secretCheck"] },
  read: async (tx) => {
    const { secretCheck: check = "", secretLookups: lookups } = (await tx.get(state, "state")) ?? {};
    return check === "" ? undefined : { check, lookups };
  },
  write: async (tx, { check: secretCheck, lookups: secretLookups }) => {
    const isNew = (await tx.get(state, "state")) === undefined && (await tx.count(users)) === 0;
    await changeState(tx, { secretCheck, secretLookups, ...(isNew ? { foreignHashes: false } : {}) });
  },
};
