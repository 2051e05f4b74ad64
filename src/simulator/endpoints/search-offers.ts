import type { RequestFaults } from '../faults/fault-plan.ts';
import type { OfferSource } from '../offer-source.ts';
import { createOfferTable, type OfferRow, type OfferTable } from '../offer-table.ts';
import { Refusal } from '../refusal.ts';
import { answerSearch } from '../search.ts';
import { ok, type Route } from './endpoint.ts';

/** The offer search. Source: docs/marketplace.md#42-search-offers. */
export function searchRoute(source: OfferSource, cap: number): Route {
  return {
    endpoint: 'searchOffers',
    method: 'POST',
    path: '/api/v0/bundles',
    permission: 'misc',
    answer({ text, at, faults }) {
      const answer = answerSearch(movingSource(source, faults), readJson(text), at, cap, {
        rewrite: (request) => {
          if (!faults.has('unpageable-ids')) return request;
          return { ...request, filters: request.filters.filter(({ field }) => field !== 'id') };
        },
        keep: faults.hide,
      });
      if (answer.status !== 200) return answer;
      const { offers } = answer.body;
      const sent = faults.has('duplicate-rows')
        ? offers.flatMap((row, index) =>
            faults.strikesRow('duplicate-rows', index) === null ? [row] : [row, row],
          )
        : offers;
      return ok({ offers: faults.has('single-object') ? (sent[0] ?? {}) : sent });
    },
  };
}

/** Any JSON value: anything but an object is refused with the arguments. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new MalformedSearch();
  }
}

/** This body has no `success`. Source: docs/marketplace.md#7-errors. */
class MalformedSearch extends Refusal {
  constructor() {
    super(400, 'invalid_request', 'the body is not valid JSON');
  }

  override get body(): object {
    return { error: this.error, msg: this.message };
  }
}

/** The same offers, some of them at another price in every response. */
function movingSource(source: OfferSource, faults: RequestFaults): OfferSource {
  if (!faults.has('moving-rows')) return source;
  return {
    recordedAt: source.recordedAt,
    book(query, at): OfferTable {
      const table = source.book(query, at);
      return createOfferTable(
        table.rows.map((row, index) => {
          const chance = faults.strikesRow('moving-rows', index);
          return chance === null ? row : reprice(row, 0.75 + chance / 2);
        }),
      );
    },
  };
}

function reprice(row: OfferRow, factor: number): OfferRow {
  const base = Number(row.dph_base) * factor;
  const storage = Number(row.storage_total_cost ?? 0);
  const total = base + storage;
  const perDollar = (value: unknown) => (typeof value === 'number' ? value / total : null);
  return {
    ...row,
    dph_base: base,
    dph_total: total,
    dph_total_adj: total + Number(row.dph_total_adj ?? 0) - Number(row.dph_total ?? 0),
    discounted_dph_total: total - Number(row.discounted_hourly ?? 0),
    dlperf_per_dphtotal: perDollar(row.dlperf),
    flops_per_dphtotal: perDollar(row.total_flops),
    search: { ...(row.search as object), gpuCostPerHour: base, totalHour: total },
  };
}
