import { useEffect, useState } from 'preact/hooks';
import { explainFigure } from '../../client/operations.js';
import type { ExplainedItem, ExplainParams } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf } from '../core/figures.ts';
import { numberFormat } from '../core/formats.ts';
import { unitWords } from '../core/metrics.ts';
import { pathTo, valuesOf } from '../core/path-to.ts';
import { sentenceCase } from '../core/sentence-case.ts';
import { useAnswer } from '../core/use-answer.ts';
import { usePages } from '../core/use-pages.ts';
import { DataTable } from './data-table.tsx';
import { Dialog } from './dialog.tsx';
import { MoreButton } from './more-button.tsx';
import { Awaited } from './notice.tsx';

type Figure = number | string | boolean | null;
type Row = Readonly<Record<string, Figure | undefined>>;

/**
 * Shows how the figure in the address was computed, above any view; empty if there is none. A click on an explained
 * figure puts it into the address.
 */
export function Explanation({ app }: { app: App }) {
  useEffect(() => {
    const open = ({ target }: MouseEvent) => {
      const figure = target instanceof Element ? target.closest('[data-explain]') : null;
      if (figure !== null) app.address.change({ explain: figure.getAttribute('data-explain') });
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
  const asked = { ...valuesOf(given, [...given.keys()] as (keyof ExplainParams)[]), limit: 20 };
  const answer = useAnswer(app, pathTo(explainFigure, { ...asked, rows }));
  const pages = usePages<ExplainedItem>(app, answer);
  const close = () => app.address.change({ explain: null });
  return (
    <Dialog title="How this was computed" close={close}>
      <Awaited answer={answer} what="the explanation">
        {(found) => {
          const { text, value, recomputed, agrees, formula, taken, rejected } = found;
          const unit = 'unit' in found ? found.unit : null;
          const again: Row = { ...recomputed };
          const left = rejected.reduce((sum, { rows: count }) => sum + count, 0);
          return (
            <div id="explanation">
              {text.map((sentence) => (
                <p key={sentence}>{sentence}</p>
              ))}
              {!agrees && (
                <p class="remark">The figures differ. Please report it with the address of this page.</p>
              )}
              <DataTable
                label="Figures"
                rows={Object.entries(value)}
                keyOf={([name]) => name}
                columns={[
                  { head: 'Figure', heads: true, cell: ([name]) => nameOf(name) },
                  {
                    head: 'As shown',
                    number: true,
                    field: 'shown',
                    value: ([, shown]) => shown,
                    cell: ([, shown]) => wordsOf(shown),
                  },
                  {
                    head: 'Recomputed',
                    number: true,
                    field: 'again',
                    value: ([name]) => again[name],
                    cell: ([name]) => wordsOf(again[name] ?? null),
                  },
                ]}
              />
              <p class="caption">
                {unit !== null && `${unitWords(unit)}. `}
                {formula}
              </p>
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
              <Rows rows={pages.items.map((item): Row => ({ ...item }))} />
              <MoreButton pages={pages} />
              <a href={pathTo(explainFigure, asked)} download="explanation.json">
                JSON
              </a>
            </div>
          );
        }}
      </Awaited>
    </Dialog>
  );
}

/** Rows of any kind, with a column for each field that has values. */
function Rows({ rows }: { rows: readonly Row[] }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) =>
    rows.some((row) => row[field] !== null),
  );
  if (fields.length === 0) return null;
  return (
    <DataTable
      label="Rows"
      tall
      rows={rows}
      keyOf={(row) => JSON.stringify(row)}
      columns={fields.map((field) => ({
        head: nameOf(field),
        number: typeof rows[0]?.[field] === 'number',
        cell: (row: Row) => wordsOf(row[field] ?? null),
      }))}
    />
  );
}

/** Returns an API field as a label: `medianPercent` becomes "Median percent". */
const nameOf = (field: string): string =>
  sentenceCase(
    field
      .replace(/(?<=[a-z])(?=[A-Z\d])/g, ' ')
      .toLowerCase()
      .replace(/\busd\b/, '$')
      .replace(/\bgpu/g, 'GPU')
      .replace(/ percent$/, ', %'),
  );

const wordsOf = (figure: Figure): string =>
  typeof figure === 'number'
    ? numberFormat({ maximumSignificantDigits: 9 }).format(figure)
    : String(figure ?? '–');
