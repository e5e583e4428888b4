/** Answers that show some members of a record: its own schema with an allow-list, and times in ISO 8601. */
import { z } from "zod";
import { isoTimeSchema, toIsoTime } from "../text/iso-time.ts";

type IsoTime<S> = S extends z.ZodOptional ? z.ZodOptional<z.ZodISODateTime> : z.ZodISODateTime;
type Shown<R extends z.ZodRawShape, F extends keyof R, T extends keyof R> = {
  [K in F | T]: K extends T ? IsoTime<R[K]> : R[K];
};

/** What an answer has of a record. */
export interface RecordView<R extends z.ZodRawShape, F extends keyof R, T extends keyof R> {
  /** For the schema of the answer. */
  readonly shape: Shown<R, F, T>;
  /** Copies the members that are shown; absent ones stay absent. */
  readonly show: (record: z.infer<z.ZodObject<Pick<R, F | T>>>) => z.infer<z.ZodObject<Shown<R, F, T>>>;
}

/** Shows `fields` as they are and `times`, epoch milliseconds in the record, as ISO 8601. Nothing is validated. */
export function viewOf<
  R extends z.ZodRawShape,
  F extends keyof R & string,
  T extends keyof R & string = never,
>({ shape }: z.ZodObject<R>, fields: readonly F[], times: readonly T[] = []): RecordView<R, F, T> {
  const shown: Record<string, unknown> = {};
  for (const name of fields) shown[name] = shape[name];
  for (const name of times)
    shown[name] = shape[name] instanceof z.ZodOptional ? isoTimeSchema.optional() : isoTimeSchema;
  const show = (record: Readonly<Record<string, unknown>>): Record<string, unknown> => {
    const view: Record<string, unknown> = {};
    for (const name of fields) if (record[name] !== undefined) view[name] = record[name];
    for (const name of times) {
      const ms = record[name];
      if (typeof ms === "number") view[name] = toIsoTime(ms);
    }
    return view;
  };
  // Both are made of these names above; TypeScript does not follow loops over keys.
  return { shape: shown, show } as unknown as RecordView<R, F, T>;
}
