/** Queries on JSON answers by JSONPath (RFC 9535), bounded however the query and the answer are made. */
import { FunctionExpressionType, type JSONValue, JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { findMatch, findPatternFault, MAX_PATTERN, PatternLimitError, workOf } from "../text/patterns.ts";

/** Values that a query looks at, at most: a list of a million items is found, a product of two of them is not. */
const MAX_STEPS = 1_000_000;
/** Values that are kept of a result. */
const MAX_FOUND = 100_000;
/** How deep `..` follows. */
const MAX_DEPTH = 200;
/** Characters of a text that count as one step. */
const STEP_CHARACTERS = 64;

/** A query that would take too long, or has too many results. */
export class QueryLimitError extends Error {
  override readonly name = "QueryLimitError";
}

/** Steps used by the current query; queries do not overlap in time. */
let steps = 0;

function spend(count: number): void {
  steps += count;
  if (steps > MAX_STEPS) throw new QueryLimitError("The JSONPath expression takes too long on this response");
}

/** The object behind each counting proxy. */
const originals = new WeakMap<object, object>();

const handler: ProxyHandler<object> = {
  get: (target, name) => {
    spend(1);
    return count(Reflect.get(target, name));
  },
  ownKeys: (target) => {
    const names = Reflect.ownKeys(target);
    spend(names.length);
    return names;
  },
  getOwnPropertyDescriptor: (target, name) => {
    spend(1);
    const found = Reflect.getOwnPropertyDescriptor(target, name);
    return found && "value" in found ? { ...found, value: count(found.value) } : found;
  },
};

/** The document, counting what is read of it: a query costs what it looks at, whichever way it comes there. */
function count(value: unknown): unknown {
  if (typeof value === "string") spend(value.length / STEP_CHARACTERS);
  if (typeof value !== "object" || value === null) return value;
  const proxy = new Proxy(value, handler);
  originals.set(proxy, value);
  return proxy;
}

/** A dot outside brackets takes no line break (RFC 9485 section 5). */
function toRe2(pattern: string): string {
  let made = "";
  let isInside = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === "\\") made += character + pattern.charAt((at += 1));
    else if (character === "." && !isInside) made += "[^\\n\\r]";
    else {
      if (character === "[") isInside = true;
      if (character === "]") isInside = false;
      made += character;
    }
  }
  return made;
}

/** Compiling costs more than a short match. */
const PATTERN_STEPS = 20;
/** Units of match work that take as long as one step. */
const STEP_WORK = 16;

/** `match()` and `search()` in linear time; what is no expression matches nothing. */
function toFunction(wrap: (pattern: string) => string) {
  return {
    argTypes: [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType],
    returnType: FunctionExpressionType.LogicalType,
    call: (text: unknown, pattern: unknown): boolean => {
      if (typeof text !== "string" || typeof pattern !== "string") return false;
      spend(PATTERN_STEPS + pattern.length);
      const whole = wrap(toRe2(pattern));
      if (pattern.length > MAX_PATTERN || findPatternFault(whole) !== undefined) return false;
      spend(workOf(whole, text) / STEP_WORK);
      return findMatch(whole, text) !== undefined;
    },
  };
}

class CountingEnvironment extends JSONPathEnvironment {
  /** As the library's own, at once for all members. */
  override entries(value: { [name: string]: JSONValue }): [string, JSONValue][] {
    const original = originals.get(value) ?? value;
    const all = Object.entries(original);
    spend(all.length);
    // `as`: what stands for a value of JSON is one.
    return all.map(([name, member]) => [name, count(member) as JSONValue]);
  }
}

const environment = new CountingEnvironment({ strict: true, maxRecursionDepth: MAX_DEPTH });
environment.functionRegister.set(
  "match",
  toFunction((pattern) => `\\A(?:${pattern})\\z`),
);
environment.functionRegister.set(
  "search",
  toFunction((pattern) => pattern),
);

/** Error of a path, or undefined. */
export function findQueryFault(path: string): string | undefined {
  try {
    environment.compile(path);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The value behind a counting proxy, for comparing and showing it. */
function toPlain(query: JSONPathQuery, document: unknown): unknown[] {
  const found: unknown[] = [];
  // `as`: the document is what JSON.parse gave.
  for (const { location } of query.lazyQuery(count(document) as never)) {
    if (found.length === MAX_FOUND)
      throw new QueryLimitError(`The JSONPath expression has more than ${MAX_FOUND} results`);
    let value = document;
    for (const name of location) value = Reflect.get(Object(value), name);
    found.push(value);
  }
  return found;
}

/** Every value at a path, in order. @throws QueryLimitError; an error of the library for a path that is none */
export function queryJson(path: string, document: unknown): readonly unknown[] {
  steps = 0;
  try {
    return toPlain(environment.compile(path), document);
  } catch (error) {
    // `..` in a response that is nested too deep, or a list too long for the stack.
    if (error instanceof RangeError || (error instanceof Error && /recursion/u.test(error.message)))
      throw new QueryLimitError("The JSON of the response is nested too deeply for this JSONPath expression");
    if (error instanceof PatternLimitError) throw new QueryLimitError(error.message);
    throw error;
  }
}
