/** What a load on a service is, for cases that put many of them together. */

export interface Load {
  /** Creates what it needs; once, in the first life. */
  prepare(url: string): Promise<void>;
  /** Goes on until `isOver`, while the service may be away or refuse at any moment; gives how often it was or did. */
  go(url: string, isOver: () => boolean): Promise<number>;
  /** What was acknowledged and is not there, or is there twice, in words. */
  verify(url: string): Promise<string[]>;
  /** Changes that were acknowledged, by what they are. */
  counts(): Readonly<Record<string, number>>;
}
