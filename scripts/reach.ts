/** Requests of scripts that people start by hand: when nothing answers they say where nothing answered. */
import { textOf } from "../src/kit/thrown.ts";

/** As `fetch`. Throws Error with a sentence for people when there is no answer. */
export async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const { origin } = new URL(url);
    throw new Error(`Nothing answers at ${origin}: is it started, and is this its port? (${textOf(cause)})`, {
      cause: error,
    });
  }
}
