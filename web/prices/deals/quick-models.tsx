import { useLayoutEffect, useRef } from 'preact/hooks';
import type { RankingGroups } from '../../core/api.ts';
import type { App } from '../../core/app.ts';
import type { Answer } from '../../core/use-answer.ts';
import { Icon } from '../../parts/icon.tsx';
import { countInSet, type OfferSet } from './reliable-query.ts';

const maxModels = 8;

/** A model to choose with one click. */
export interface QuickModel {
  gpuName: string;
  isPinned: boolean;
  /** How many offers match. */
  offers: number;
}

/**
 * Returns the pinned models, then those with the most offers; last the chosen ones that are not among them. `shown`:
 * those that stay in their places, whatever the counts are now.
 */
export function quickModels(
  groups: readonly Pick<RankingGroups['groups'][number], 'gpuName' | 'offers'>[],
  pinned: readonly string[],
  chosen: readonly string[] = [],
  shown: readonly string[] = [],
): QuickModel[] {
  const offers = new Map<string, number>();
  for (const { gpuName, offers: count } of groups) {
    if (gpuName !== null) offers.set(gpuName, (offers.get(gpuName) ?? 0) + count);
  }
  const most = [...offers].sort(([, a], [, b]) => b - a).map(([gpuName]) => gpuName);
  const quick = [...new Set([...pinned, ...shown, ...most])].slice(0, Math.max(maxModels, pinned.length));
  return [...new Set([...quick, ...chosen])].map((gpuName) => ({
    gpuName,
    isPinned: pinned.includes(gpuName),
    offers: offers.get(gpuName) ?? 0,
  }));
}

interface Props {
  app: App;
  answer: Answer<RankingGroups>;
  pinned: readonly string[];
  /** Which offers are counted. */
  set: OfferSet;
}

/** The cheapest offers of a pinned or much listed model, at one click; filters change their counts, never their places. */
export function QuickModels({ app, answer, pinned, set }: Props) {
  const { query } = app.address.place.value;
  const chosen = query.getAll('gpuName');
  const shown = useRef<readonly string[]>([]);
  const models = quickModels(answer.data?.groups ?? [], pinned, chosen, shown.current);
  if (answer.data !== null) shown.current = names(quickModels(answer.data.groups, [], [], shown.current));
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    if (list.current !== null) showChosen(list.current);
  }, [chosen.join(), answer.data]);
  return (
    <ul ref={list} class="chips" aria-label="Cheapest of a model">
      <li>
        <a
          class="chip"
          href={app.address.with({ gpuName: null })}
          aria-current={chosen.length === 0 ? 'true' : undefined}
        >
          All models
        </a>
      </li>
      {models.map(({ gpuName, isPinned, offers }) => (
        <li key={gpuName}>
          <a
            class="chip"
            data-model={gpuName}
            href={app.address.with({ gpuName, by: null, sort: null, order: null })}
            aria-current={chosen.includes(gpuName) ? 'true' : undefined}
            title={`The cheapest offers of ${gpuName}, by price per GPU`}
          >
            {isPinned && <Icon name="pin" />} {gpuName}
            <span class="soft"> {countInSet(offers, set)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const names = (models: readonly QuickModel[]): string[] => models.map(({ gpuName }) => gpuName);

/** The end of the row that fades. */
const fadePx = 32;

/** Scrolls the row, and never the page, until its chosen link is whole. */
function showChosen(list: HTMLUListElement): void {
  const chip = list.querySelector('[aria-current]')?.getBoundingClientRect();
  if (chip === undefined) return;
  const { left, right } = list.getBoundingClientRect();
  list.scrollLeft += Math.min(0, chip.left - left) || Math.max(0, chip.right - right + fadePx);
}
