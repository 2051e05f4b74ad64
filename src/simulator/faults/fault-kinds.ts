import type { EndpointName } from '../endpoints/endpoint-name.ts';

/**
 * When a fault acts: `instead` of the effect, which then did not happen; `after` it, so that it did happen; `within`
 * the response, which is well-formed and wrong.
 */
export type FaultStage = 'instead' | 'after' | 'within';

interface FaultKindFacts {
  stage: FaultStage;
  /** What a client sees. */
  does: string;
  /** Where it applies; omitted: everywhere. */
  endpoints?: readonly EndpointName[];
  /** Meaning and default of `=value`. */
  value?: { means: string; usual: number };
  /** The share is one of rows instead of requests, with this default. */
  usualRowShare?: number;
}

/** Every fault by name. */
export const faultKinds = {
  '429-json': { stage: 'instead', does: '429 with {detail} that names a threshold' },
  '429-text': { stage: 'instead', does: '429 in plain text' },
  '500': { stage: 'instead', does: '500 with a JSON error' },
  '502-html': { stage: 'instead', does: "502 with a gateway's HTML page" },
  'success-false': { stage: 'instead', does: '200 with {success: false}' },
  'reset-before': { stage: 'instead', does: 'connection reset, nothing has happened' },
  'hang-before-headers': { stage: 'instead', does: 'no answer ever, nothing has happened' },
  'reset-after': { stage: 'after', does: 'connection reset, all has happened' },
  '500-after': { stage: 'after', does: '500 with a JSON error, all has happened' },
  'hang-in-body': { stage: 'after', does: 'headers and half the body, then nothing more' },
  'slow-drip': {
    stage: 'after',
    does: 'a few bytes of the body at a time',
    value: { means: 'bytes a second', usual: 20 },
  },
  'truncated-json': { stage: 'after', does: 'a whole answer whose JSON stops half-way' },
  'lost-create': {
    stage: 'after',
    does: 'the instance is made, the connection closes without an answer',
    endpoints: ['createInstance'],
  },
  'single-object': { stage: 'within', does: '`offers` is one object, no list', endpoints: ['searchOffers'] },
  'moving-rows': {
    stage: 'within',
    does: 'a share of the offers has another price in every answer',
    endpoints: ['searchOffers'],
    usualRowShare: 0.25,
  },
  'duplicate-rows': {
    stage: 'within',
    does: 'a share of the offers comes twice in an answer',
    endpoints: ['searchOffers'],
    usualRowShare: 0.05,
  },
  hiding: {
    stage: 'within',
    does: 'a share of the rows of a list is left out, others in every answer',
    endpoints: ['searchOffers', 'listInstances', 'searchTemplates', 'listVolumes'],
    usualRowShare: 0.05,
  },
  'unpageable-ids': { stage: 'within', does: 'filters on `id` are ignored', endpoints: ['searchOffers'] },
  'shifting-pages': {
    stage: 'within',
    does: 'tokens count rows, so that pages move when rows come or go before them',
    endpoints: ['listInvoices', 'listCharges'],
  },
  'lagging-instances': {
    stage: 'within',
    does: 'the list of instances shows them as they were',
    endpoints: ['listInstances'],
    value: { means: 'virtual seconds ago', usual: 60 },
  },
  'labels-ignored': {
    stage: 'within',
    does: 'labels are taken and forgotten',
    endpoints: ['createInstance', 'changeInstance'],
  },
} as const satisfies Record<string, FaultKindFacts>;

export type FaultKind = keyof typeof faultKinds;

export const faultFacts = (kind: FaultKind): FaultKindFacts => faultKinds[kind];

export const isFaultKind = (name: string): name is FaultKind => Object.hasOwn(faultKinds, name);
