import { defineCollection } from "../../store/store.ts";
import {
  importFaultRecordSchema,
  importFileRecordSchema,
  importItemRecordSchema,
  importPictureRecordSchema,
  importRecordSchema,
} from "./schema.ts";

export const imports = defineCollection({
  name: "imports",
  revision: 1,
  schema: importRecordSchema,
  ordered: { byState: ["state", "createdAt"], byCreated: ["createdAt"] },
});

export const importItems = defineCollection({
  name: "importItems",
  revision: 1,
  schema: importItemRecordSchema,
  ordered: {
    byOpen: ["importId", "open"],
    byUndo: ["importId", "undo"],
    byImport: ["importId"],
    byForeign: ["foreign"],
  },
});

export const importPictures = defineCollection({
  name: "importPictures",
  revision: 1,
  schema: importPictureRecordSchema,
  ordered: { byState: ["importId", "state"], byItem: ["itemId"] },
});

export const importFiles = defineCollection({
  name: "importFiles",
  revision: 1,
  schema: importFileRecordSchema,
  ordered: { byImport: ["importId"] },
});

export const importFaults = defineCollection({
  name: "importFaults",
  revision: 1,
  schema: importFaultRecordSchema,
  ordered: { byPhase: ["importId", "phase"] },
});
