import { z } from '@hono/zod-openapi';
import type { EndAction, FailurePolicy } from '../rental.ts';

const hourMs = 3_600_000;
const defaultIdlePercent = 5;
const defaultWarnMinutes = 15;

/** When an instance is to be ended, as requested; null removes a limit. Source: docs/meaning.md#limits-of-an-instance. */
export interface EndRequest {
  /** Hours from the start of the rental. */
  maxHours?: number | null | undefined;
  /** ISO 8601; in place of `maxHours`. */
  endsAt?: string | null | undefined;
  idleMinutes?: number | null | undefined;
  /** @default 5 */
  idlePercent?: number | undefined;
  /** Dollars since the start of the rental. */
  maxUsd?: number | null | undefined;
  /** What happens at the limit. @default `stop` */
  endAction?: EndAction | undefined;
  /** How long before an end to warn; 0: never. @default 15 */
  warnMinutes?: number | undefined;
  /** Looks for equal machines that are so much cheaper; ends nothing. */
  cheaperPercent?: number | null | undefined;
  /** So many of the newest `cheaperOfBooks` books must have one. @default 2 */
  cheaperBooks?: number | undefined;
  /** @default 3 */
  cheaperOfBooks?: number | undefined;
  /** @default `notify` */
  cheaperAction?: FailurePolicy | undefined;
}

/** The limits of a request to rent. */
export type RentEnds = { [Field in keyof EndRequest]: Exclude<EndRequest[Field], null> };

/** The limits of an instance as they are stored; null: not set. */
export interface EndLimits {
  maxHours: number | null;
  endsAt: Date | null;
  idleMinutes: number | null;
  idlePercent: number | null;
  /** Only later polls count as idle. */
  idleFrom: Date | null;
  /** Decimal text. */
  maxUsd: string | null;
  /** When its cost was first seen to reach `maxUsd`. */
  spentAt: Date | null;
  endAction: EndAction | null;
  warnMinutes: number | null;
  cheaperPercent: number | null;
  cheaperBooks: number | null;
  cheaperOfBooks: number | null;
  cheaperAction: FailurePolicy | null;
}

/** The limits, named as the fields that set them. */
export const endLimitNames = ['maxHours', 'endsAt', 'idleMinutes', 'maxUsd'] as const;
export type EndLimitName = (typeof endLimitNames)[number];

/** An end that comes so soon that its owner is warned. */
export interface ComingEnd {
  limit: EndLimitName;
  /** ISO 8601, as far as known. */
  at: string;
  /** What was seen, in words. */
  reading: string;
  /** Differs for each end: one warning each. */
  key: string;
}

/** An instance without a limit. */
export const noEndLimits: EndLimits = {
  maxHours: null,
  endsAt: null,
  idleMinutes: null,
  idlePercent: null,
  idleFrom: null,
  maxUsd: null,
  spentAt: null,
  endAction: null,
  warnMinutes: null,
  cheaperPercent: null,
  cheaperBooks: null,
  cheaperOfBooks: null,
  cheaperAction: null,
};

/** The fields that say when an instance is to be ended. */
export const requestFields = [
  'maxHours',
  'endsAt',
  'idleMinutes',
  'idlePercent',
  'maxUsd',
  'endAction',
  'warnMinutes',
  'cheaperPercent',
  'cheaperBooks',
  'cheaperOfBooks',
  'cheaperAction',
] as const satisfies readonly (keyof EndRequest)[];

/** Whether a request says anything about the end. */
export const isAboutEnds = (request: EndRequest): boolean =>
  requestFields.some((name) => request[name] !== undefined);

/** Whether anything would end it. */
const hasEnd = ({ endsAt, idleMinutes, maxUsd }: EndLimits): boolean =>
  endsAt !== null || idleMinutes !== null || maxUsd !== null;

/**
 * Returns the limits after a change; omitted fields stay. Hours count from `begin`, idle minutes from the change, and
 * dollars from the beginning, whenever they were set.
 */
export function limitsAfter(
  request: EndRequest,
  now: EndLimits,
  { begin, at }: { begin: Date; at: Date },
): EndLimits {
  const next = {
    ...now,
    ...timeAfter(request, begin),
    ...idleAfter(request, now, at),
    ...cheaperAfter(request, now),
  };
  if (request.maxUsd !== undefined) {
    Object.assign(next, { maxUsd: request.maxUsd === null ? null : String(request.maxUsd), spentAt: null });
  }
  if (!hasEnd(next)) return { ...next, endAction: null, warnMinutes: null };
  return {
    ...next,
    endAction: request.endAction ?? now.endAction ?? 'stop',
    warnMinutes: request.warnMinutes ?? now.warnMinutes ?? defaultWarnMinutes,
  };
}

function timeAfter({ maxHours, endsAt }: EndRequest, begin: Date): Partial<EndLimits> {
  if (endsAt != null) return { maxHours: null, endsAt: new Date(endsAt) };
  if (maxHours != null) return { maxHours, endsAt: new Date(begin.getTime() + maxHours * hourMs) };
  return maxHours === null || endsAt === null ? { maxHours: null, endsAt: null } : {};
}

function idleAfter({ idleMinutes, idlePercent }: EndRequest, now: EndLimits, at: Date): Partial<EndLimits> {
  if (idleMinutes === undefined && idlePercent === undefined) return {};
  const minutes = idleMinutes === undefined ? now.idleMinutes : idleMinutes;
  if (minutes === null) return { idleMinutes: null, idlePercent: null, idleFrom: null };
  const percent = idlePercent ?? now.idlePercent ?? defaultIdlePercent;
  return { idleMinutes: minutes, idlePercent: percent, idleFrom: at };
}

/** Whether a request is about cheaper machines. */
const isAboutCheaper = (request: EndRequest): boolean =>
  requestFields.some((name) => name.startsWith('cheaper') && request[name] !== undefined);

function cheaperAfter(request: EndRequest, now: EndLimits): Partial<EndLimits> {
  if (!isAboutCheaper(request)) return {};
  const percent = request.cheaperPercent === undefined ? now.cheaperPercent : request.cheaperPercent;
  if (percent === null) {
    return { cheaperPercent: null, cheaperBooks: null, cheaperOfBooks: null, cheaperAction: null };
  }
  return {
    cheaperPercent: percent,
    cheaperBooks: request.cheaperBooks ?? now.cheaperBooks ?? 2,
    cheaperOfBooks: request.cheaperOfBooks ?? now.cheaperOfBooks ?? 3,
    cheaperAction: request.cheaperAction ?? now.cheaperAction ?? 'notify',
  };
}

/** Why a request cannot be taken, with the fields at fault. */
export interface EndProblem {
  message: string;
  fields: string[];
}

/** Returns the problem of a request for an instance with these limits; null: none. */
export function endProblem(request: EndRequest, now: EndLimits, at: Date): EndProblem | null {
  const { maxHours, endsAt, idlePercent, endAction, warnMinutes } = request;
  if (maxHours != null && endsAt != null) {
    return { message: 'Give `maxHours` or `endsAt`, one of the two.', fields: ['maxHours', 'endsAt'] };
  }
  if (endsAt != null && new Date(endsAt) <= at) {
    return { message: '`endsAt` has passed: give a later time.', fields: ['endsAt'] };
  }
  const next = limitsAfter(request, now, { begin: at, at });
  if (idlePercent !== undefined && next.idleMinutes === null) {
    const message = '`idlePercent` says what counts as idle: give `idleMinutes` too.';
    return { message, fields: ['idlePercent', 'idleMinutes'] };
  }
  if (isAboutCheaper(request) && request.cheaperPercent !== null && next.cheaperPercent === null) {
    return { message: 'Give `cheaperPercent` too: how much cheaper.', fields: ['cheaperPercent'] };
  }
  if ((next.cheaperBooks ?? 0) > (next.cheaperOfBooks ?? 0)) {
    return { message: '`cheaperBooks` is at most `cheaperOfBooks`.', fields: ['cheaperBooks'] };
  }
  if (hasEnd(next)) return null;
  const limits = 'give `maxHours`, `endsAt`, `idleMinutes` or `maxUsd` too';
  if (endAction !== undefined) {
    const message = `\`endAction\` says what happens at a limit: ${limits}.`;
    return { message, fields: ['endAction', 'maxHours'] };
  }
  if (warnMinutes !== undefined) {
    const message = `\`warnMinutes\` says how long before a limit to warn: ${limits}.`;
    return { message, fields: ['warnMinutes'] };
  }
  return null;
}

const hours = z.number().gt(0).max(87_600);
const moment = z.string().datetime({ offset: true });
const minutes = z.number().min(5).max(8_640);
const dollars = z.number().gt(0).max(1e9);
const cheaper = z.number().min(1).max(99);
const books = z.int().min(1).max(100);
const removes = 'null removes it';

const common = {
  idlePercent: z
    .number()
    .gt(0)
    .max(100)
    .optional()
    .openapi({ description: 'Idle means every GPU use below this; default 5' }),
  endAction: z
    .enum(['stop', 'destroy'])
    .optional()
    .openapi({ description: 'What happens at a limit; default `stop`' }),
  warnMinutes: z
    .number()
    .min(0)
    .max(1_440)
    .optional()
    .openapi({ description: 'How long before an end to warn; 0: never; default 15' }),
  cheaperBooks: books.optional().openapi({ description: 'Of `cheaperOfBooks`; default 2' }),
  cheaperOfBooks: books.optional().openapi({ description: 'Newest complete books; default 3' }),
  cheaperAction: z
    .enum(['notify', 'replace'])
    .optional()
    .openapi({ description: 'With a cheaper machine: notify, or rent it and then ask; default `notify`' }),
};

const texts = {
  maxHours: 'Hours from the start of the rental; then `endAction`',
  endsAt: 'The moment of the end, in place of `maxHours`',
  idleMinutes: 'Minutes in which every poll knew the GPU use and saw it low; then `endAction`',
  cheaperPercent: 'Looks for equal machines that cost at least so much less',
  maxUsd: 'Dollars that it may cost from the start of the rental; then `endAction`',
};

/** Fields of a request to rent. */
export const rentEndFields = {
  ...common,
  maxHours: hours.optional().openapi({ description: texts.maxHours }),
  endsAt: moment.optional().openapi({ description: texts.endsAt }),
  idleMinutes: minutes.optional().openapi({ description: texts.idleMinutes }),
  maxUsd: dollars.optional().openapi({ description: texts.maxUsd }),
  cheaperPercent: cheaper.optional().openapi({ description: texts.cheaperPercent }),
};

/** Fields of a change of an instance. */
export const changedEndFields = {
  ...common,
  maxHours: hours
    .nullable()
    .optional()
    .openapi({ description: `${texts.maxHours}; ${removes}` }),
  endsAt: moment
    .nullable()
    .optional()
    .openapi({ description: `${texts.endsAt}; ${removes}` }),
  idleMinutes: minutes
    .nullable()
    .optional()
    .openapi({ description: `${texts.idleMinutes}; ${removes}` }),
  maxUsd: dollars
    .nullable()
    .optional()
    .openapi({ description: `${texts.maxUsd}; ${removes}` }),
  cheaperPercent: cheaper
    .nullable()
    .optional()
    .openapi({ description: `${texts.cheaperPercent}; ${removes}` }),
};
