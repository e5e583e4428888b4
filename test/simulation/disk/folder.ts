/** A folder of the simulated disk: names that programs see, and those that a power cut would leave. */
import type { Random } from "../kernel/random.ts";
import type { FileInode } from "./inode.ts";

export type Inode = FileInode | Folder;

/** One name that was set or removed since the last sync of the folder; a rename within it is both at once. */
type Change = readonly { readonly name: string; readonly inode: Inode | undefined }[];

export class Folder {
  readonly kind = "folder";
  mode = 0o700;
  names = new Map<string, Inode>();
  #durable = new Map<string, Inode>();
  #changes: Change[] = [];

  change(change: Change): void {
    for (const { name, inode } of change)
      if (inode === undefined) this.names.delete(name);
      else this.names.set(name, inode);
    this.#changes.push(change);
  }

  #apply(changes: readonly Change[]): void {
    for (const { name, inode } of changes.flat())
      if (inode === undefined) this.#durable.delete(name);
      else this.#durable.set(name, inode);
  }

  sync(): void {
    this.#apply(this.#changes);
    this.#changes = [];
  }

  /** The first of the changes are there, as a file system's own journal leaves them; then everything below. */
  cutPower(random: Random): void {
    this.#apply(this.#changes.slice(0, random.below(this.#changes.length + 1)));
    this.#changes = [];
    this.names = new Map(this.#durable);
    for (const inode of this.names.values()) inode.cutPower(random);
  }

  /** All files below it, with their paths. */
  *files(path = ""): Generator<readonly [path: string, inode: FileInode]> {
    for (const [name, inode] of this.names)
      if (inode.kind === "file") yield [`${path}/${name}`, inode];
      else yield* inode.files(`${path}/${name}`);
  }
}
