import type { Command } from './command.ts';

/** Commands that one search shows. */
const maxFound = 40;

/**
 * Returns the commands that match every word of a text, the best first and otherwise in their order; without a text,
 * those that are shown before a search.
 */
export function findCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return commands.filter(({ isRare }) => isRare !== true).slice(0, maxFound);
  return commands
    .map((command) => ({ command, distance: distanceOf(command, wanted) }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, maxFound)
    .map(({ command }) => command);
}

/** How well a command matches: 0 is best, infinity not at all. */
function distanceOf({ label, words = '' }: Command, wanted: readonly string[]): number {
  const [name, all] = [label.toLowerCase(), `${label} ${words}`.toLowerCase()];
  const distances = wanted.map((part) => wordDistance(name, all, part));
  // The words of a name in their order, as a whole, come first.
  const isWhole = name.startsWith(wanted.join(' '));
  return distances.reduce((sum, distance) => sum + distance, isWhole ? 0 : 1);
}

function wordDistance(name: string, all: string, part: string): number {
  const starts = (text: string) => text.split(/[\s\-_.:/]+/).some((word) => word.startsWith(part));
  if (starts(name)) return 0;
  if (starts(all)) return 2;
  if (all.includes(part)) return 4;
  return part.length > 2 && hasLetters(name, part) ? 8 : Number.POSITIVE_INFINITY;
}

/** Whether a name has these letters in this order: `rtx5090` and `h1sx` have those of their models. */
function hasLetters(name: string, part: string): boolean {
  let place = -1;
  for (const letter of part) {
    place = name.indexOf(letter, place + 1);
    if (place === -1) return false;
  }
  return true;
}
