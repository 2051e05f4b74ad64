import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { Crawl } from '../core/api.ts';
import type { App } from '../core/app.ts';
import { countOf, formatCount, formatShare } from '../core/figures.ts';
import { formatDuration } from '../core/times.ts';
import { Icon } from '../parts/icon.tsx';
import { Moment } from '../parts/moment.tsx';
import { Scroll } from '../parts/scroll.tsx';
import { groupCrawls } from './group-crawls.ts';

interface Props {
  app: App;
  items: readonly Crawl[];
  /** Identifier of the crawl whose certificate is open; null: none. */
  chosen: string | null;
}

/** Crawls, newest first; a run of books of the first history is one row until it is opened. */
export function CrawlTable({ app, items, chosen }: Props) {
  const [opened, setOpened] = useState<readonly string[]>([]);
  return (
    <Scroll label="List of crawls">
      <table id="crawls" class="compact">
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Crawl</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="number">
              Offers
            </th>
            <th scope="col" class="number">
              Pages
            </th>
            <th
              scope="col"
              class="number"
              title="Upper bound of the share of offers that the crawl may have missed"
            >
              Missed at most
            </th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col">Trigger</th>
          </tr>
        </thead>
        <tbody>
          {groupCrawls(items, chosen).map((group) => {
            const isOpen = group.key === null || opened.includes(group.key);
            return (
              <Fragment key={group.key ?? group.crawls[0]?.id}>
                {group.key !== null && (
                  <SeededRow
                    crawls={group.crawls}
                    isOpen={isOpen}
                    toggle={() =>
                      setOpened(
                        isOpen ? opened.filter((key) => key !== group.key) : [...opened, group.key ?? ''],
                      )
                    }
                  />
                )}
                {isOpen &&
                  group.crawls.map((crawl) => (
                    <CrawlRow key={crawl.id} app={app} crawl={crawl} open={crawl.id === chosen} />
                  ))}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}

interface SeededProps {
  crawls: readonly Crawl[];
  isOpen: boolean;
  toggle: () => void;
}

/** One row for the books of the first history, which opens them. */
function SeededRow({ crawls, isOpen, toggle }: SeededProps) {
  return (
    <tr data-seeded={crawls.length}>
      <th scope="row">
        <button type="button" class="link" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? 'Hide' : 'Show'} {countOf(crawls.length, 'book')} of the first history
        </button>
      </th>
      <td class="judged soft" colSpan={7}>
        made at the first start, so that prices have a past
      </td>
    </tr>
  );
}

/** What started a crawl, in words. */
const causeWords: Readonly<Record<string, string>> = {
  api: 'API',
  command: 'command',
  cron: 'schedule',
  import: 'import',
  seed: 'first history',
  watch: 'watch',
};

function CrawlRow({ app, crawl, open }: { app: App; crawl: Crawl; open: boolean }) {
  const { id, kind, type, scope, outcome, state, certificate, book, startedAt, endedAt, cause } = crawl;
  const { explanation, reason } = crawl;
  const tookMs = startedAt !== null && endedAt !== null ? Date.parse(endedAt) - Date.parse(startedAt) : null;
  const { query } = app.address.place.value;
  const back = query.toString() === '' ? '' : `?${query}`;
  return (
    <>
      <tr data-crawl={id}>
        <th scope="row">
          <a
            href={open ? `/crawls${back}` : `/crawls/${id}${back}`}
            aria-expanded={open}
            title="Coverage certificate"
          >
            <Moment t={startedAt} none="Queued" />
          </a>
        </th>
        <td class="judged">
          {kind}
          {type === null ? '' : `, ${type}`}
          {scope !== 'default' && scope !== kind && <span class="tag">{scope.replace(/^models:/, '')}</span>}
        </td>
        <td class={`outcome ${outcome ?? state}`}>
          <Icon name={outcome ?? 'running'} /> {outcome ?? state}
        </td>
        <td class="number" data-head="Offers" data-field="offers" data-value={book?.offers}>
          {book === null ? '–' : formatCount(book.offers)}
        </td>
        <td class="number" data-head="Pages">
          {certificate === null ? '–' : formatCount(certificate.pages)}
        </td>
        <td class="number" data-head="Missed at most">
          {formatShare(
            certificate !== null && 'missingShareAtMost' in certificate
              ? certificate.missingShareAtMost
              : null,
          )}
        </td>
        <td class="number" data-head="Duration">
          {tookMs === null ? '–' : formatDuration(tookMs)}
        </td>
        <td class="soft" title={cause}>
          {causeWords[cause] ?? cause}
        </td>
      </tr>
      {open && (
        <tr class="detail">
          <td colSpan={8}>
            <ul class="sentences">
              {(explanation.length > 0 ? explanation : [reason ?? 'No problems found.']).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </>
  );
}
