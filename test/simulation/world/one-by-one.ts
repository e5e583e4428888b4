/**
 * Whether what several clients saw of one record could have happened one request after another, each at some moment
 * between its beginning and its answer (linearizability; the search is Lowe's just-in-time one).
 */
import type { Kernel } from "../kernel/kernel.ts";
import { Violation } from "./client.ts";

/** How the record has to behave. */
export interface Model<State, Call, Reply> {
  readonly start: State;
  /**
   * What the record can be after a request: nothing where it cannot have given this reply. Without a reply, the request
   * is carried out as far as that is possible.
   */
  readonly step: (state: State, call: Call, reply: Reply | undefined) => readonly State[];
}

interface Request<Call, Reply> {
  readonly number: number;
  readonly client: string;
  readonly call: Call;
  readonly fromMs: number;
  endMs?: number;
  /** Undefined: there was no answer, so that it may have happened or not. */
  reply?: Reply | undefined;
}

/** How long after a client gave up its request may still take effect. */
const LATE_MS = 10 * 60_000;
/** More than this many pictures of one record at once are a fault of the model. */
const MOST = 20_000;
const SHOWN = 8;

/** One way in which it can have happened so far: the record, and what is open and has happened. */
interface Picture<State> {
  readonly state: State;
  readonly done: readonly number[];
}

type Step = readonly ["begin" | "end", number];

export class OneByOne<State, Call, Reply> {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #model: Model<State, Call, Reply>;
  readonly #requests: Request<Call, Reply>[] = [];
  readonly #steps: Step[] = [];
  readonly #forgotten = new Set<number>();

  constructor(kernel: Kernel, name: string, model: Model<State, Call, Reply>) {
    this.#kernel = kernel;
    this.#name = name;
    this.#model = model;
  }

  /** Remembers a request and how it was answered; `ask` resolves with undefined without an answer. */
  async note<R extends Reply>(
    client: string,
    call: Call,
    ask: () => Promise<R | undefined>,
  ): Promise<R | undefined> {
    const number = this.#requests.length;
    const request: Request<Call, Reply> = { number, client, call, fromMs: this.#kernel.nowMs };
    this.#requests.push(request);
    this.#steps.push(["begin", number]);
    const reply = await ask();
    request.reply = reply;
    request.endMs = this.#kernel.nowMs;
    this.#steps.push(["end", number]);
    return reply;
  }

  /** Forgets requests without an answer of which it turned out that they have never happened. */
  forget(hasNotHappened: (call: Call) => boolean): void {
    for (const { number, call, reply } of this.#requests)
      if (reply === undefined && hasNotHappened(call)) this.#forgotten.add(number);
  }

  /** Requests that were answered. */
  get acknowledged(): number {
    return this.#requests.filter(({ reply }) => reply !== undefined).length;
  }

  #get(number: number): Request<Call, Reply> {
    const request = this.#requests[number];
    if (request === undefined) throw new Error(`There is no request ${number}`);
    return request;
  }

  /** All pictures in which this request has happened. */
  #carryOut(
    pictures: readonly Picture<State>[],
    open: ReadonlySet<number>,
    wanted: number,
  ): Picture<State>[] {
    const found: Picture<State>[] = [];
    const seen = new Map<string, (readonly number[])[]>();
    const rest = pictures.toSorted((a, b) => a.done.length - b.done.length);
    for (let at = 0; at < rest.length; at += 1) {
      const { state, done } = rest[at] ?? {};
      if (state === undefined || done === undefined || this.#isKnown(seen, { state, done })) continue;
      if (at > MOST) throw new Error(`${this.#name}: there are too many ways to tell`);
      if (done.includes(wanted)) {
        found.push({ state, done: done.filter((number) => number !== wanted) });
        continue;
      }
      const tried = new Set<string>();
      for (const number of open) {
        if (done.includes(number)) continue;
        const { call, reply } = this.#get(number);
        // Of requests that are alike and had no answer, the first one can stand for any.
        const likeness = reply === undefined ? JSON.stringify(call) : `${number}`;
        if (tried.has(likeness)) continue;
        tried.add(likeness);
        const nextDone = [...done, number].toSorted((a, b) => a - b);
        for (const next of this.#model.step(state, call, reply))
          // What had no answer and no effect tells nothing.
          if (reply !== undefined || JSON.stringify(next) !== JSON.stringify(state))
            rest.push({ state: next, done: nextDone });
      }
    }
    return found;
  }

  /**
   * Whether there is a picture of the same record in which the same has happened, and of what had no answer no more:
   * what follows from this one follows from that one, too. Notes it otherwise.
   */
  #isKnown(seen: Map<string, (readonly number[])[]>, { state, done }: Picture<State>): boolean {
    const isAnswered = (number: number): boolean => this.#get(number).reply !== undefined;
    const key = JSON.stringify([state, done.filter(isAnswered)]);
    const others = seen.get(key) ?? [];
    if (others.some((other) => other.every((number) => done.includes(number)))) return true;
    seen.set(key, [...others, done]);
    return false;
  }

  /** @throws Violation when no order of the requests explains the answers */
  check(): void {
    let pictures: Picture<State>[] = [{ state: this.#model.start, done: [] }];
    const open = new Set<number>();
    for (const [kind, number] of this.#steps) {
      if (this.#forgotten.has(number)) continue;
      const request = this.#get(number);
      const nowMs = kind === "begin" ? request.fromMs : (request.endMs ?? Infinity);
      const over = [...open].filter((other) => {
        const { endMs = Infinity, reply } = this.#get(other);
        return reply === undefined && nowMs > endMs + LATE_MS;
      });
      for (const other of over) {
        // It has happened by now, or never will.
        const isWithout = ({ done }: Picture<State>): boolean => !done.includes(other);
        const known = new Map<string, (readonly number[])[]>();
        const either = [...pictures.filter(isWithout), ...this.#carryOut(pictures, open, other)];
        pictures = either.filter((picture) => !this.#isKnown(known, picture));
        open.delete(other);
      }
      if (kind === "begin") open.add(number);
      if (kind === "begin" || request.reply === undefined) continue;
      pictures = this.#carryOut(pictures, open, number);
      open.delete(number);
      if (pictures.length === 0) this.#fail(number);
    }
  }

  #fail(last: number): never {
    const lines = this.#steps
      .slice(0, this.#steps.findIndex(([kind, number]) => kind === "end" && number === last) + 1)
      .filter(([kind]) => kind === "end")
      .slice(-SHOWN)
      .map(([, number]) => {
        const { client, call, reply, fromMs, endMs = Infinity } = this.#get(number);
        return `  ${fromMs.toFixed(0)} to ${endMs.toFixed(0)} ${client}: ${JSON.stringify(call)} → ${JSON.stringify(reply) ?? "no answer"}`;
      });
    throw new Violation(
      `${this.#name}: no order of the requests explains the last answer\n${lines.join("\n")}`,
    );
  }
}
