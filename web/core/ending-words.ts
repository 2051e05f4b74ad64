import { formatLength } from './times.ts';

/** Returns that an offer ends before the hours of a usage profile are over: `ends after 61 of your 720 hours`; null: it does not. */
export function endingWords(maxDurationHours: number | null, profileHours: number): string | null {
  if (maxDurationHours === null || maxDurationHours >= profileHours) return null;
  return `ends after ${Math.floor(maxDurationHours)} of your ${profileHours} hours`;
}

/** Says when the host ends the offer, and whether the planned hours and those of the usage profile fit in. */
export function hoursWords(planned: string, maxHours: number, profileHours: number): string {
  const ending = endingWords(maxHours, profileHours);
  const lasts = `The host ends the offer in ${formatLength(maxHours * 60)}`;
  const hours = Number(planned.replace(',', '.'));
  if (hours > maxHours) return `${lasts}, before the planned hours are over.`;
  if (hours < maxHours) return `${lasts}.`;
  return `${lasts}${ending === null ? '' : `: it ${ending}`}; you plan to rent it until then.`;
}
