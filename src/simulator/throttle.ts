import type { ApiAnswer } from './endpoints/endpoint.ts';
import type { EndpointName } from './endpoints/endpoint-name.ts';

/** Rate limits of each identity. */
export interface ThrottleRules {
  /** Minimum seconds between two requests of one key to an endpoint; omitted endpoints are unlimited. */
  seconds: Readonly<Partial<Record<EndpointName, number>>>;
  /** Searches of an address per minute; null: unlimited. */
  searchesPerMinute: number | null;
  /** The format of the refusal. */
  body: 'json' | 'text';
}

/** The limits of the real service according to public documentation. */
export const publicThrottle: ThrottleRules = {
  seconds: {
    createInstance: 4.5,
    listInstances: 1,
    getInstance: 2,
    destroyInstance: 3,
    searchTemplates: 3,
    createTemplate: 3,
    editTemplate: 3,
    deleteTemplate: 3,
    listInvoices: 3,
    listCharges: 1,
    createVolume: 5.5,
    searchVolumes: 5.5,
    listVolumes: 5.5,
    deleteVolume: 5.5,
  },
  searchesPerMinute: 10,
  body: 'json',
};

/** No limits. */
export const noThrottle: ThrottleRules = { seconds: {}, searchesPerMinute: null, body: 'json' };

const minuteMs = 60_000;

/** Refuses requests that come too soon; `now` is the real clock. A refused request does not delay the next one. */
export function createThrottle(rules: ThrottleRules, now: () => Date) {
  const last = new Map<string, number>();
  const searches = new Map<string, number[]>();
  return {
    /** Returns the refusal of a request by a key from an address; null: accepted. */
    check(endpoint: EndpointName, identity: string, address: string): ApiAnswer | null {
      const nowMs = now().getTime();
      if (endpoint === 'searchOffers' && rules.searchesPerMinute !== null) {
        const recent = (searches.get(address) ?? []).filter((atMs) => nowMs - atMs < minuteMs);
        if (recent.length >= rules.searchesPerMinute) {
          return refusal(`${rules.searchesPerMinute} requests a minute`, rules.body);
        }
        searches.set(address, [...recent, nowMs]);
      }
      const seconds = rules.seconds[endpoint];
      if (seconds === undefined) return null;
      const key = `${endpoint} ${identity}`;
      const before = last.get(key);
      if (before !== undefined && nowMs - before < seconds * 1000) {
        return refusal(`threshold=${Number.isInteger(seconds) ? seconds.toFixed(1) : seconds}`, rules.body);
      }
      last.set(key, nowMs);
      return null;
    },
  };
}

function refusal(limit: string, body: ThrottleRules['body']): ApiAnswer {
  const detail = `API requests too frequent: endpoint ${limit}`;
  if (body === 'json') return { status: 429, body: { detail } };
  return { status: 429, text: detail, contentType: 'text/plain; charset=utf-8' };
}
