/** Returns ` Did you mean \`country\`?` with the known word closest to a mistyped one, or '' if none is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const closest = closestOf(word, known);
  return closest === null ? '' : ` Did you mean \`${closest}\`?`;
}

/** Returns the known word closest to a mistyped or shortened one, or null if none is close. */
export function closestOf(word: string, known: readonly string[]): string | null {
  const given = word.toLowerCase();
  const [closest] = known
    .map((candidate) => ({ candidate, distance: nearness(given, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return closest?.candidate ?? null;
}

/** A prefix of three letters or more counts as near as one typing mistake. */
const nearness = (word: string, candidate: string): number =>
  word.length >= 3 && candidate.startsWith(word)
    ? Math.min(1, candidate.length - word.length)
    : distanceOf(word, candidate);

/**
 * Returns how many characters must be added, removed, replaced or swapped with their neighbor (Damerau-Levenshtein).
 */
export function distanceOf(a: string, b: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
