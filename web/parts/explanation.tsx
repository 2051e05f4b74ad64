import { useEffect, useState } from 'preact/hooks';
import { explainFigure } from '../../client/operations.js';
import { alikeOffers, type LookingOffer } from '../core/alike-offers.ts';
import type { ExplainedItem, ExplainParams } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { endsIn } from '../core/ending-words.ts';
import {
  amountsFirst,
  type Figure,
  figureName,
  figureWords,
  formulaWords,
  isFigureField,
  ownMoments,
  withoutRepeated,
} from '../core/explained-words.ts';
import { countOf } from '../core/figures.ts';
import { unitWords } from '../core/metrics.ts';
import { useOwnNow } from '../core/own-time.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { AlikeMark } from './alike-mark.tsx';
import { DataTable } from './data-table.tsx';
import { Dialog } from './dialog.tsx';
import { EndingTag } from './ending-tag.tsx';
import { profileHours } from './filter-fields.ts';
import { MoreButton } from './more-button.tsx';
import { Awaited } from './notice.tsx';
import { Term } from './term.tsx';

type Row = Readonly<Record<string, Figure | undefined>>;

/**
 * Shows how the figure in the address was computed, above any view; empty if there is none. A click on an explained
 * figure puts it into the address.
 */
export function Explanation({ app }: { app: App }) {
  useEffect(() => {
    const open = ({ target }: MouseEvent) => {
      const figure = target instanceof Element ? target.closest('[data-explain]') : null;
      if (figure !== null) app.address.open({ explain: figure.getAttribute('data-explain') });
    };
    document.addEventListener('click', open);
    return () => document.removeEventListener('click', open);
  }, [app]);
  const query = app.address.place.value.query.get('explain');
  return query === null ? null : <Opened key={query} app={app} query={query} />;
}

function Opened({ app, query }: { app: App; query: string }) {
  const [rows, setRows] = useState('taken');
  const given = new URLSearchParams(query);
  const of = given.get('of') ?? '';
  const asked = { ...valuesOf(given, [...given.keys()] as (keyof ExplainParams)[]), limit: 20 };
  const answer = useAnswer(app, pathTo(explainFigure, { ...asked, rows }));
  const pages = usePages<ExplainedItem>(app, answer);
  const close = () => app.address.close({ explain: null });
  return (
    <Dialog title="How this was computed" close={close} wide>
      <Awaited answer={answer} what="the explanation">
        {(found) => {
          const { text, value, recomputed, agrees, formula, taken, rejected } = found;
          const unit = 'unit' in found ? found.unit : null;
          const again: Row = { ...recomputed };
          const figures = Object.entries(value);
          const known = figures.filter(([name, shown]) => (shown ?? again[name] ?? null) !== null);
          const named = withoutRepeated(
            known.map(([name]) => name),
            [value, again],
            unit,
          );
          const left = rejected.reduce((sum, { rows: count }) => sum + count, 0);
          return (
            <div id="explanation">
              {!agrees && (
                <p class="remark">The figures differ. Please report it with the address of this page.</p>
              )}
              <DataTable
                label="Figures"
                rows={known.length > 0 ? known.filter(([name]) => named.includes(name)) : figures}
                keyOf={([name]) => name}
                columns={[
                  { head: 'Figure', heads: true, cell: ([name]) => figureName(name, of) },
                  {
                    head: 'Shown',
                    number: true,
                    field: 'shown',
                    value: ([, shown]) => shown,
                    cell: ([name, shown]) => exactly(shown, figureWords(name, shown, unit)),
                  },
                  {
                    head: 'Recomputed',
                    number: true,
                    field: 'again',
                    value: ([name]) => again[name],
                    cell: ([name]) => exactly(again[name], figureWords(name, again[name] ?? null, unit)),
                  },
                ]}
              />
              <p class="caption">
                {unit !== null && `${unitWords(unit)}. `}
                <span title={formula}>{formulaWords(formula)}</span>
              </p>
              {/* Long rules come after the figures, which a phone would not show else. */}
              {text.map((sentence) => (
                <p key={sentence}>{ownMoments(sentence)}</p>
              ))}
              <p class="row">
                {left > 0 && (
                  <button
                    type="button"
                    class="small"
                    onClick={() => setRows(rows === 'taken' ? 'rejected' : 'taken')}
                  >
                    {rows === 'taken'
                      ? `Show the ${countOf(left, 'row')} left out`
                      : `Show the ${countOf(taken, 'row')} taken`}
                  </button>
                )}
                <a href={pathTo(explainFigure, asked)} download="explanation.json">
                  JSON
                </a>
              </p>
              <Rows
                of={of}
                rows={pages.items.map((item): Row => ({ ...item }))}
                unit={unit}
                asked={given}
                ownId={of === 'ranking' && rows === 'taken' ? given.get('listingId') : null}
              />
              <MoreButton pages={pages} />
            </div>
          );
        }}
      </Awaited>
    </Dialog>
  );
}

/** A figure in words, with its exact value in the tooltip. A price breaks before its unit alone. */
function exactly(figure: Figure | undefined, words: string) {
  const [, price, unit] = /^(-?\$[^/]+)(\/\S+)$/.exec(words) ?? [];
  const shown =
    unit === undefined ? (
      words
    ) : (
      <>
        {price}
        <wbr />
        <span class="whole">{unit}</span>
      </>
    );
  return typeof figure === 'number' ? <span title={String(figure)}>{shown}</span> : shown;
}

/** Whether a row is of an offer with a price per GPU. */
const isOffer = ({ listingId, machineId, numGpus }: Row): boolean =>
  listingId !== undefined && machineId !== undefined && numGpus !== undefined;

/** Returns what tells whether rows look the same. */
const lookOf = ({
  listingId,
  machineId,
  numGpus,
  market,
  gpuName,
  type,
  usdPerGpuHour,
}: Row): LookingOffer => ({
  listingId: String(listingId),
  machineId: Number(machineId),
  numGpus: Number(numGpus),
  market: String(market),
  gpuName: String(gpuName),
  type: type === 'bid' ? 'bid' : 'on-demand',
  // Where there is no price, none differs.
  usdPerHour: Number(usdPerGpuHour ?? 0),
});

/** In how long the host ends an offer, marked as in Deals if that is before the hours of the usage profile are over. */
function Ending({ at, asked }: { at: string; asked: URLSearchParams }) {
  const left = Math.max(0, (Date.parse(at) - useOwnNow()) / 3_600_000);
  return left < profileHours(asked) ? (
    <EndingTag left={left} asked={asked} isShort />
  ) : (
    <>in {endsIn(left)}</>
  );
}

interface RowsProps {
  /** The figure that is explained. */
  of: string;
  rows: readonly Row[];
  unit: string | null;
  /** The request, with its usage profile. */
  asked: URLSearchParams;
  /** The listing whose rank is explained; null: none is. */
  ownId: string | null;
}

/** Rows of any kind, with a column for each field that has values; all of one book need no count of books, those of one model no name. */
function Rows({ of, rows, unit, asked, ownId }: RowsProps) {
  const says = (field: string, figure: Figure | undefined): boolean =>
    figure != null && !(field === 'books' && figure === 1) && !(field === 'gpuName' && asked.has(field));
  const present = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) =>
    rows.some((row) => says(field, row[field])),
  );
  const fields = amountsFirst(withoutRepeated(present, rows, unit));
  if (fields.length === 0) return null;
  const alike = alikeOffers(rows.filter(isOffer).map(lookOf));
  const isOwn = ({ listingId }: Row): boolean => ownId !== null && String(listingId) === ownId;
  return (
    <DataTable
      label="Rows"
      tall
      compact
      rows={rows}
      keyOf={(row) => JSON.stringify(row)}
      isCurrent={isOwn}
      columns={fields.map((field, place) => ({
        head: figureName(field, of),
        number: isFigureField(
          field,
          rows.map((row) => row[field]),
        ),
        cell: (row: Row) => (
          <>
            {field === 'endsAt' && typeof row.endsAt === 'string' ? (
              <Ending at={row.endsAt} asked={asked} />
            ) : row[field] === 'deverified' ? (
              <span class="tag warn">
                <Term word="deverified" />
              </span>
            ) : (
              exactly(row[field], figureWords(field, row[field] ?? null, unit))
            )}
            {field === 'machineId' && <AlikeMark alike={alike.get(String(row.listingId))} />}
            {place === 0 && isOwn(row) && <span class="tag">this offer</span>}
          </>
        ),
      }))}
    />
  );
}
