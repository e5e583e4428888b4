/** Administrative scopes as people read them. */
import { findText, text } from "../../app/texts.ts";

/** Access level to a kind of resource. */
export type ScopeLevel = "none" | "read" | "write";

/** The nouns of some scopes, each once, in their order. */
export function toNouns(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => scope.split(":")[0] ?? scope))];
}

/** Level that scopes grant for a noun; write includes read. */
export function findLevel(scopes: readonly string[], noun: string): ScopeLevel {
  if (scopes.includes(`${noun}:write`)) return "write";
  return scopes.includes(`${noun}:read`) ? "read" : "none";
}

/** The scopes with another level for a noun. */
export function withLevel(scopes: readonly string[], noun: string, level: ScopeLevel): string[] {
  const others = scopes.filter((scope) => !scope.startsWith(`${noun}:`));
  return level === "none" ? others : [...others, `${noun}:${level}`];
}

export function toNounTitle(noun: string): string {
  return findText(`admin.scope.${noun}`) ?? noun;
}

/** Such as "Orders: read and write". */
export function describeScopes(scopes: readonly string[]): string[] {
  return toNouns(scopes).map((noun) => {
    const level = findLevel(scopes, noun);
    return text("admin.scope.line", {
      noun: toNounTitle(noun),
      level: text(level === "write" ? "admin.scope.write" : "admin.scope.read"),
    });
  });
}
