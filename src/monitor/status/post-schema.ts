/** Requests and views of posts for administrators. */
import { z } from "zod";
import { isoTimeMs, isoTimeSchema } from "../../kit/text/iso-time.ts";
import { text, trimmedLine } from "../../kit/text/schemas.ts";
import {
  componentStatuses,
  impacts,
  incidentSteps,
  incidentUpdateSchema,
  maintenanceSteps,
  postRecordSchema,
  statusPageFieldsSchema,
} from "./schema.ts";

const steps = [...incidentSteps, ...maintenanceSteps] as const;
const components = z
  .record(z.string().min(1).max(64), z.enum(componentStatuses))
  .refine((given) => Object.keys(given).length <= 200, "must have at most 200 components");
const words = text(10_000).trim().min(1);

const updateShape = {
  step: z.enum(steps),
  /** Plain text; addresses in it become links. */
  text: words,
  /** How components are from now on, by their ids. */
  components: components.optional(),
  /** Its displayed time; default now. */
  at: isoTimeMs.optional(),
};

/** A new update. */
export const newUpdateSchema = z.strictObject({
  ...updateShape,
  /** Whether those who follow the page are notified. */
  notifies: z.boolean().default(true),
});
export type NewUpdate = z.infer<typeof newUpdateSchema>;

/** A new incident or maintenance with the first that is said of it. */
export const newPostSchema = z.strictObject({
  type: z.enum(["incident", "maintenance"]).default("incident"),
  title: trimmedLine(200),
  /** Left out: as bad as what it does to components. */
  impact: z.enum(impacts).optional(),
  /** Drafts are seen by administrators alone. */
  isDraft: z.boolean().default(false),
  notifies: z.boolean().default(true),
  /** The first that is said of it. */
  update: z.strictObject(updateShape),
  /** Of maintenance: when it is planned for. */
  plannedFrom: isoTimeMs.optional(),
  plannedTo: isoTimeMs.optional(),
  /** The incidents of alerts that it is about. */
  alertIncidentIds: z.array(trimmedLine(64)).max(100).default([]),
});
export type NewPost = z.infer<typeof newPostSchema>;

export const postPatchSchema = z.strictObject({
  title: trimmedLine(200).optional(),
  impact: z.enum(impacts).optional(),
  plannedFrom: isoTimeMs.optional(),
  plannedTo: isoTimeMs.optional(),
});
export type PostPatch = z.infer<typeof postPatchSchema>;

export const updatePatchSchema = z.strictObject({
  text: words.optional(),
  at: isoTimeMs.optional(),
  components: components.optional(),
});
export type UpdatePatch = z.infer<typeof updatePatchSchema>;

/** A post for administrators. */
export const postViewSchema = postRecordSchema.extend({
  updates: z.array(incidentUpdateSchema.extend({ at: isoTimeSchema })),
  startedAt: isoTimeSchema,
  endedAt: isoTimeSchema.optional(),
  plannedFrom: isoTimeSchema.optional(),
  plannedTo: isoTimeSchema.optional(),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type PostView = z.infer<typeof postViewSchema>;

/** The public status of a component. */
export const shownStatuses = [...componentStatuses, "unknown"] as const;

/** A page for administrators: its settings, and the states of its components. */
export const statusPageViewSchema = statusPageFieldsSchema.extend({
  id: z.string(),
  version: z.number().int(),
  statuses: z.record(z.string(), z.enum(shownStatuses)).describe("Component states by component ID"),
  createdAt: isoTimeSchema,
  updatedAt: isoTimeSchema,
});
export type StatusPageView = z.infer<typeof statusPageViewSchema>;
