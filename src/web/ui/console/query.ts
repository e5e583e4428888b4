/** Query string of the address: it keeps filters, pages and open tabs, so that a link or a reload shows the same. */
import { toOwnPath } from "../../app/path.ts";
import { navigate, search } from "../../app/route.ts";

export interface Query {
  /** "" when the address has none of that name. */
  get(name: string): string;
  /** Changes some and leaves the rest; "" takes one out. `push` leaves a step in the browser's history. */
  set(change: Readonly<Record<string, string>>, options?: { readonly push?: boolean }): void;
}

/** The query of the present address; who uses it is drawn again when it changes. */
export function useQuery(): Query {
  const present = new URLSearchParams(search.value);
  return {
    get: (name) => present.get(name) ?? "",
    set: (change, { push = false } = {}) => {
      const next = new URLSearchParams(search.peek());
      for (const [name, value] of Object.entries(change)) {
        if (value === "") next.delete(name);
        else next.set(name, value);
      }
      const query = next.toString();
      navigate(toOwnPath(location.pathname) + (query === "" ? "" : `?${query}`), { replace: !push });
    },
  };
}
