import { defineCollection } from "../../store/store.ts";
import { stateRecordSchema } from "./ledger-schema.ts";

export const state = defineCollection({ name: "state", revision: 1, schema: stateRecordSchema });
