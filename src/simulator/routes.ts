import type { OfferSource } from './offer-source.ts';
import { answerSearch } from './search.ts';

/** A request whose key was right. */
interface ApiRequest {
  /** As sent, before anything was read from it. */
  text: string;
  /** The virtual moment of its arrival. */
  at: Date;
}

export interface ApiAnswer {
  status: number;
  body: object;
}

export interface Route {
  method: string;
  /** Without a trailing slash: both spellings are served. */
  path: string;
  /** What a wrong key gets: endpoints differ. */
  unknownKeyStatus: 401 | 404;
  answer(request: ApiRequest): ApiAnswer;
}

/** The offer search, specification section 4.2. */
export function searchRoute(source: OfferSource, cap: number): Route {
  return {
    method: 'POST',
    path: '/api/v0/bundles',
    unknownKeyStatus: 404,
    answer({ text, at }) {
      let body: unknown;
      try {
        body = JSON.parse(text);
      } catch {
        return { status: 400, body: { error: 'invalid_request', msg: 'the body is not valid JSON' } };
      }
      return answerSearch(source, body, at, cap);
    },
  };
}
