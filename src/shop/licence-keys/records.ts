import { defineCollection } from "../../store/store.ts";
import { deviceRecordSchema, licenseRecordSchema } from "./license-schema.ts";

export const licenses = defineCollection({
  name: "licenses",
  revision: 1,
  schema: licenseRecordSchema,
  unique: { byNumber: ["number"] },
  ordered: {
    // Two products may have the same key in stock: the newest license answers.
    byMac: ["mac", "createdAt"],
    byOrder: ["orderId"],
    byProduct: ["productId", "createdAt"],
    byHolder: ["holderMailbox"],
    byTime: ["createdAt"],
  },
});

export const devices = defineCollection({
  name: "licenseDevices",
  revision: 1,
  schema: deviceRecordSchema,
  ordered: { byLicense: ["licenseId", "state", "createdAt"] },
});
