import type { Instance, MarketAlert } from '../../core/api.ts';
import { formatAmount } from '../../core/figures.ts';

/** An event marked on the time axis. */
export interface Mark {
  /** Milliseconds. */
  t: number;
  kind: 'rental' | 'alert';
  text: string;
  href: string;
}

/** Half the width of a mark, and what it keeps from the labels of an axis, in CSS pixels. */
const markRoom = 10;

/** Returns where a mark is drawn, in CSS pixels: at its moment, and at the `end` of the time axis before the labels there. */
export const markPixel = (pixel: number, end: number): number => Math.min(pixel, end - markRoom);

/** Marks closer than this share of the chart are combined. */
const nearShare = 0.012;

/**
 * Returns rentals and alerts of the drawn models (empty: any). Leaves out rentals without an instance, and alerts of
 * watches on other models or on none.
 */
export function trendMarks(
  models: readonly string[],
  rentals: readonly Pick<
    Instance,
    'instanceId' | 'createdAt' | 'gpuName' | 'numGpus' | 'usdPerHour' | 'label'
  >[],
  alerts: readonly Pick<MarketAlert, 'at' | 'title' | 'watchId' | 'gpuNames'>[],
): Mark[] {
  const isDrawn = (name: string | null) => models.length === 0 || (name !== null && models.includes(name));
  const ofRentals = rentals
    .filter(({ instanceId, gpuName }) => instanceId !== null && isDrawn(gpuName))
    .flatMap(({ instanceId, createdAt, gpuName, numGpus, usdPerHour, label }): Mark[] => {
      if (createdAt === null) return [];
      const price = usdPerHour === null ? '' : ` for ${formatAmount(usdPerHour, 4)} an hour`;
      const name = label === null ? '' : `, ${label}`;
      const text = `rented ${gpuName ?? 'an unknown GPU'} × ${numGpus ?? '?'}${price}${name}`;
      return [{ t: Date.parse(createdAt), kind: 'rental', text, href: `/instances/${instanceId}` }];
    });
  const ofAlerts = alerts
    .filter(({ watchId, gpuNames }) => watchId !== null && (gpuNames.length === 0 || gpuNames.some(isDrawn)))
    .map(
      ({ at, title, watchId }): Mark => ({
        t: Date.parse(at),
        kind: 'alert',
        text: title,
        href: `/watches/${watchId}`,
      }),
    );
  return [...ofRentals, ...ofAlerts].toSorted((a, b) => a.t - b.t);
}

/** A mark as drawn: one, or several of a kind that are close together. */
export interface MarkGroup extends Omit<Mark, 'text'> {
  texts: string[];
}

/** Returns the marks of a range; overlapping ones of a kind are combined at the first one's position. */
export function groupMarks(marks: readonly Mark[], range: { from: number; to: number }): MarkGroup[] {
  const near = (range.to - range.from) * nearShare;
  const groups: MarkGroup[] = [];
  for (const { text, ...mark } of marks) {
    if (mark.t < range.from || mark.t > range.to) continue;
    const last = groups.findLast(({ kind }) => kind === mark.kind);
    if (last !== undefined && mark.t - last.t < near) last.texts.push(text);
    else groups.push({ ...mark, texts: [text] });
  }
  return groups;
}
