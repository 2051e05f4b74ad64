import type { ComponentChildren } from 'preact';
import { changedQuery, hrefOf } from '../../core/address.ts';
import type { Alike } from '../../core/alike-offers.ts';
import type { RankedOffer } from '../../core/api.ts';
import { endsIn } from '../../core/ending-words.ts';
import { formatFixed, formatPrice, formatShare } from '../../core/figures.ts';
import { linkedMarket } from '../../core/market-choice.ts';
import { AlikeMark } from '../../parts/alike-mark.tsx';
import { Country } from '../../parts/country.tsx';
import { EndingTag } from '../../parts/ending-tag.tsx';
import { Explain, explainQuery } from '../../parts/explain.tsx';
import { VerdictMark } from '../../parts/verdict-mark.tsx';
import { type DealColumn, headOf, isNumeric } from './deal-columns.ts';

type Value = number | string | null;

/** Returns the API's value of a column; null: unknown. */
export const cellValue = (item: RankedOffer, name: string): Value =>
  (item as unknown as Record<string, Value | undefined>)[name] ?? null;

/** Formats a value in the unit of its column. */
function formatValue({ kind, scale = 1, decimals }: DealColumn, value: Value): string {
  if (kind === 'price') return formatPrice(value === null ? null : Number(value), decimals);
  if (kind === 'share') return formatShare(value === null ? null : Number(value));
  if (kind === 'id') return value === null ? '–' : `${value}`;
  if (kind === 'length') return value === null ? '–' : endsIn(Number(value));
  if (kind === 'word') return value === null ? 'not stated' : `${value}`;
  return formatFixed(value === null ? null : Number(value) / scale, decimals ?? 0);
}

interface Props {
  column: DealColumn;
  item: RankedOffer;
  /** The request, to explain prices. */
  asked: URLSearchParams;
  /** Which of several offers of its machine with as many GPUs it is. @default there is no other */
  alike?: Alike | undefined;
}

/** What a column shows of an offer: prices and verdicts open their explanation. */
export function DealValue({ column, item, asked, alike }: Props): ComponentChildren {
  const { kind, name } = column;
  if (kind === 'verdict') {
    return (
      <Explain query={item.verdict === null ? null : verdictQuery(item, asked)}>
        <VerdictMark verdict={item.verdict} />
      </Explain>
    );
  }
  if (kind === 'country') return <Country code={item.country} />;
  const text = formatValue(column, cellValue(item, name));
  if (name === 'machineId') {
    const market = linkedMarket(asked, item.market);
    return (
      <>
        <a href={listingHref(item, market)} title={listingTitle}>
          {text}
        </a>
        <AlikeMark alike={alike} />
        <SlowMark item={item} />
      </>
    );
  }
  if (kind !== 'price') return text;
  return (
    <Rank item={item} asked={asked}>
      {text}
    </Rank>
  );
}

/** Below this many Mbit/s a model or a data set takes long to load: 50 GB more than an hour. */
const slowDownload = 100;

/** Returns how slow the connection of an offer is; null: it is not slow, or not stated. */
export const slowWords = ({ inetDown, inetUp }: Pick<RankedOffer, 'inetDown' | 'inetUp'>): string | null =>
  inetDown === null || inetDown >= slowDownload
    ? null
    : `slow: ${[inetDown, inetUp].map((speed) => formatFixed(speed, 0)).join('/')} Mbit/s`;

function SlowMark({ item }: { item: RankedOffer }) {
  const words = slowWords(item);
  return words === null ? null : (
    <small class="below" title="Download and upload of the machine’s connection" data-slow>
      {words}
    </small>
  );
}

/** A column's cell in the row of an offer; it has the API's number in `data-value`. */
export function DealCell({ column, item, asked, alike }: Props) {
  const { kind, name } = column;
  const content = <DealValue column={column} item={item} asked={asked} alike={alike} />;
  if (kind === 'verdict') return <td class="judged">{content}</td>;
  if (kind === 'country') return <td data-head={headOf(column)}>{content}</td>;
  const value = cellValue(item, name);
  if (!isNumeric(column)) {
    return (
      <td
        class={value === null ? 'soft' : name === 'verification' ? `${value}` : 'long'}
        title={`${value ?? ''}`}
      >
        {content}
      </td>
    );
  }
  return (
    <td
      class={kind === 'id' ? 'number soft' : 'number'}
      data-head={headOf(column)}
      data-field={name}
      data-value={value}
    >
      {content}
    </td>
  );
}

interface RankProps {
  item: RankedOffer;
  asked: URLSearchParams;
  children: ComponentChildren;
}

/** A price of a ranked offer, which opens its rank. */
export const Rank = ({ item, asked, children }: RankProps) => (
  <Explain query={explainQuery('ranking', { listingId: item.listingId }, asked)}>{children}</Explain>
);

const verdictQuery = ({ listingId, type, market }: RankedOffer, asked: URLSearchParams): string =>
  explainQuery('verdict', { listingId, type, market: linkedMarket(asked, market) });

const listingTitle = 'Price history, episodes and machine of this offer';
const listingHref = ({ listingId }: RankedOffer, market: string | null): string =>
  hrefOf(`/listings/${listingId}`, changedQuery(new URLSearchParams(), { market }));

/** The model of an offer, which leads to its listing, and what is special about it. */
export function DealModel({ item, asked }: { item: RankedOffer; asked: URLSearchParams }) {
  const market = linkedMarket(asked, item.market);
  return (
    <>
      <a href={listingHref(item, market)} title={listingTitle}>
        {item.gpuName}
      </a>{' '}
      <span class="times">× {item.numGpus}</span>
      <Tags item={item} asked={asked} />
    </>
  );
}

/** What is special about an offer; on a phone below its name. */
function Tags({ item, asked }: { item: RankedOffer; asked: URLSearchParams }) {
  return (
    <span class="tags">
      {item.type !== 'on-demand' && (
        <span class="tag">{item.type === 'bid' ? 'minimum bid' : item.type}</span>
      )}
      {item.preferred && <span class="tag">preferred</span>}
      <EndingTag left={item.maxDurationHours} asked={asked} />
      {item.isOutlier === true && (
        <span
          class="tag warn"
          title="Below a quarter or above four times the 30-day median of its model and verification"
        >
          outlier
        </span>
      )}
    </span>
  );
}
