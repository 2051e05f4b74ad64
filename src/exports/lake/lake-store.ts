/** A place that holds files by path: a folder, or a bucket of S3. */
export interface LakeStore {
  /** Its address, for people; never with a secret. */
  place: string;
  /** Returns the manifest and the tag of its version; null: there is none. */
  readManifest: () => Promise<{ text: string; tag: string } | null>;
  /**
   * Replaces the manifest, after all files written before are safe. `tag`: of the version that it replaces, null if there
   * was none. Throws a UserError if another version is there. Returns the new tag.
   */
  replaceManifest: (text: string, tag: string | null) => Promise<string>;
  /** Writes a file that is there whole or not at all. */
  write: (path: string, bytes: Buffer) => Promise<void>;
  /** Yields the files below a folder, which ends with `/`. */
  list: (folder: string) => AsyncIterable<{ path: string; bytes: number; writtenAt: Date }>;
  /** Removes a file, if it is there. */
  remove: (path: string) => Promise<void>;
}

/** The words for a manifest that another run has replaced. */
export const changedMeanwhile = (place: string): string =>
  `Another run has written to ${place} meanwhile, so this one stops: run it again.`;
