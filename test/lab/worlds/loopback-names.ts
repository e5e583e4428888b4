/** Imported first: names below example.org are this machine, for everything in the process that looks names up. */
import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";

const isOurs = (name: string): boolean => name.endsWith(".example.org");
const found = { address: "127.0.0.1", family: 4 };

const lookUp = dns.lookup;
const lookUpLater = dns.promises.lookup;

type Callback = (error: null, address: unknown, family?: number) => void;

dns.lookup = Object.assign((name: string, ...rest: unknown[]): void => {
  if (!isOurs(name)) return Reflect.apply(lookUp, dns, [name, ...rest]);
  const [options, callback] = rest.length > 1 ? rest : [{}, rest[0]];
  const all = typeof options === "object" && options !== null && Reflect.get(options, "all") === true;
  const answer = callback as Callback; // the last argument of dns.lookup is its callback
  setImmediate(() => (all ? answer(null, [found]) : answer(null, found.address, found.family)));
}, lookUp);

const later = async (name: string, options?: { readonly all?: boolean }): Promise<unknown> => {
  if (!isOurs(name)) return Reflect.apply(lookUpLater, dns.promises, [name, options]);
  return options?.all === true ? [found] : found;
};
Object.assign(dns.promises, { lookup: later });
syncBuiltinESMExports();
