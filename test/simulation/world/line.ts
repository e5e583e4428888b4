/** A TCP connection to a model of the outside, as far as checks use one. */
import { EventEmitter } from "node:events";
import type { Kernel } from "../kernel/kernel.ts";
import type { Owner } from "../kernel/owner.ts";
import { Pipe } from "./pipe.ts";

type Item = { readonly text: string; readonly isLast: boolean } | "close";

export class Line extends EventEmitter {
  readonly #pipe: Pipe<Item>;
  readonly #onEnd: (isGood: boolean) => void;
  #isGood: boolean;
  #isOver = false;

  /** `isGood`: whether it is as it should be before anything is said. */
  constructor(
    kernel: Kernel,
    {
      to,
      delayMs,
      isGood,
      onEnd,
    }: {
      readonly to: Owner;
      readonly delayMs: () => number;
      readonly isGood: boolean;
      readonly onEnd: (isGood: boolean) => void;
    },
  ) {
    super();
    this.#isGood = isGood;
    this.#onEnd = onEnd;
    this.#pipe = new Pipe<Item>(kernel, { to, delayMs, deliver: (item) => this.#take(item) });
  }

  #take(item: Item): void {
    if (this.#isOver) return;
    if (item === "close") {
      this.emit("end");
      return this.destroy();
    }
    if (item.isLast) this.#isGood = true;
    this.emit("data", Buffer.from(item.text));
  }

  /** What the server says; with the last part of what it should say, it is as it should be. */
  say(text: string, isLast = false): void {
    this.#pipe.send({ text, isLast });
  }

  /** The server closes it. */
  hangUp(): void {
    this.#pipe.send("close");
  }

  // What the program calls.

  write(): boolean {
    return !this.#isOver;
  }

  pause(): this {
    return this;
  }

  destroy(error?: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pipe.cut();
    this.#onEnd(this.#isGood);
    if (error !== undefined) this.emit("error", error);
    this.emit("close");
  }
}
