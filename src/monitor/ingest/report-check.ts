/**
 * A fast yes-or-no for parsed JSON, compiled from a zod schema by way of its JSON Schema: zod stays the one truth,
 * and a good report costs a few microseconds. A "no" says nothing of the reason; ask zod for it.
 */
import { isJsonObject } from "../fleet/opaque-sample.ts";
import { z } from "zod";

/** Deepest nesting of objects and arrays that is taken in. */
export const maxDepth = 64;

type Check = (value: unknown, depth: number) => boolean;

const nodeSchema = z.strictObject({
  $schema: z.string().optional(),
  description: z.string().optional(),
  type: z.enum(["object", "array", "string", "number", "integer"]),
  const: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.strictObject({}).optional(),
});
type Node = z.infer<typeof nodeSchema>;

/**
 * Whether a value that no schema describes may be kept: not too deep, and no key `__proto__`, which would
 * change a prototype where it is copied with care for neither.
 */
export function isTame(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth > maxDepth) return false;
  if (Array.isArray(value)) return value.every((item) => isTame(item, depth + 1));
  return Object.entries(value).every(([key, item]) => key !== "__proto__" && isTame(item, depth + 1));
}

/** JSON Schema and zod count code points, of which each is one or two UTF-16 units. */
function isShort(text: string, maxLength: number): boolean {
  return text.length <= 2 * maxLength && Array.from(text).length <= maxLength;
}

function compileNumber(node: Node): Check {
  const min = node.const ?? node.minimum ?? Number.NEGATIVE_INFINITY;
  const max = node.const ?? node.maximum ?? Number.POSITIVE_INFINITY;
  if (node.type === "integer")
    return (value) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  return (value) => typeof value === "number" && value >= min && value <= max;
}

function compileArray(node: Node): Check {
  const maxItems = node.maxItems ?? Number.POSITIVE_INFINITY;
  const item = compile(node.items);
  return (value, depth) => {
    if (!Array.isArray(value) || value.length > maxItems) return false;
    for (let index = 0; index < value.length; index += 1) {
      if (!item(value[index], depth + 1)) return false;
    }
    return true;
  };
}

function compileObject(node: Node): Check {
  const checks = new Map(Object.entries(node.properties ?? {}).map(([key, child]) => [key, compile(child)]));
  const required = node.required ?? [];
  return (value, depth) => {
    if (!isJsonObject(value)) return false;
    // Parsed JSON inherits nothing enumerable; for-in spares the array that Object.entries would make.
    for (const key in value) {
      const item = value[key];
      const check = checks.get(key);
      if (check === undefined ? key === "__proto__" || !isTame(item, depth + 1) : !check(item, depth + 1))
        return false;
    }
    for (const key of required) if (!Object.hasOwn(value, key)) return false;
    return true;
  };
}

function compile(source: unknown): Check {
  const node = nodeSchema.parse(source);
  switch (node.type) {
    case "object":
      return compileObject(node);
    case "array":
      return compileArray(node);
    case "string": {
      const maxLength = node.maxLength ?? Number.POSITIVE_INFINITY;
      return (value) => typeof value === "string" && (value.length <= maxLength || isShort(value, maxLength));
    }
    case "number":
    case "integer":
      return compileNumber(node);
  }
}

/**
 * Compiles a schema of objects, arrays, numbers and strings into a check of parsed JSON.
 * @throws when the schema uses anything else, so that no rule is dropped silently.
 */
export function compileCheck<T>(schema: z.ZodType<T>): (value: unknown) => value is T {
  const check = compile(z.toJSONSchema(schema, { io: "input" }));
  return (value): value is T => check(value, 1);
}
