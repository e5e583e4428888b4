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
  findOrStore: async (tx, secretCheck) => {
    const record = await tx.get(state, "state");
    if (record !== undefined && record.secretCheck !== "") return record.secretCheck;
    const isNew = record === undefined && (await tx.count(users)) === 0;
    await changeState(tx, { secretCheck, ...(isNew ? { foreignHashes: false } : {}) });
    return secretCheck;
  },
};
