import { defineCollection } from "../../store/store.ts";
import { stockRequestSchema, stockWaveSchema } from "./schema.ts";

export const stockRequests = defineCollection({
  name: "stockRequests",
  revision: 1,
  schema: stockRequestSchema,
  ordered: {
    // First come, first served.
    byStock: ["state", "stockId", "createdAt"],
    byExpiry: ["expiresAt"],
    byEmail: ["emailLower", "createdAt"],
  },
});

export const stockWaves = defineCollection({ name: "stockWaves", revision: 1, schema: stockWaveSchema });
