import type { Instance, InstanceChange } from '../../core/api.ts';
import { formatMinuteField } from '../../core/times.ts';

/** The limits of an instance as a form holds them; empty: none. */
export interface FilledLimits {
  maxHours: string;
  /** In the reader's time zone, `2026-07-20T18:00`. */
  endsAt: string;
  idleMinutes: string;
  idlePercent: string;
  maxUsd: string;
  endAction: 'stop' | 'destroy';
  warnMinutes: string;
  cheaperPercent: string;
  cheaperBooks: string;
  cheaperOfBooks: string;
  cheaperAction: 'notify' | 'replace';
}

const text = (value: number | string | null, unset = ''): string => (value === null ? unset : String(value));

/** Returns an instance's limits as the form shows them. */
export function filledLimits(instance: Instance): FilledLimits {
  const { maxHours, endsAt, idleMinutes, idlePercent, maxUsd, endAction, warnMinutes } = instance;
  const { cheaperPercent, cheaperBooks, cheaperOfBooks, cheaperAction } = instance;
  return {
    maxHours: text(maxHours),
    endsAt: maxHours !== null || endsAt === null ? '' : formatMinuteField(new Date(endsAt)),
    idleMinutes: text(idleMinutes),
    idlePercent: text(idlePercent, '5'),
    maxUsd: text(maxUsd),
    endAction: endAction ?? 'stop',
    warnMinutes: text(warnMinutes, '15'),
    cheaperPercent: text(cheaperPercent),
    cheaperBooks: text(cheaperBooks, '2'),
    cheaperOfBooks: text(cheaperOfBooks, '3'),
    cheaperAction: cheaperAction ?? 'notify',
  };
}

/** Returns the form's limits for the API; null removes one. */
export function limitsBody(filled: FilledLimits): InstanceChange {
  const number = (given: string): number | null => (given.trim() === '' ? null : Number(given));
  const { endsAt, endAction, cheaperAction } = filled;
  const cheaperPercent = number(filled.cheaperPercent);
  const [maxHours, idleMinutes, maxUsd] = [filled.maxHours, filled.idleMinutes, filled.maxUsd].map(number);
  const hasEnd = endsAt !== '' || maxHours !== null || idleMinutes !== null || maxUsd !== null;
  return {
    ...(endsAt === '' ? { maxHours } : { endsAt: new Date(endsAt).toISOString() }),
    idleMinutes,
    maxUsd,
    ...(idleMinutes === null ? {} : { idlePercent: number(filled.idlePercent) ?? 5 }),
    ...(hasEnd ? { endAction, warnMinutes: number(filled.warnMinutes) ?? 0 } : {}),
    cheaperPercent,
    ...(cheaperPercent === null
      ? {}
      : {
          cheaperBooks: number(filled.cheaperBooks) ?? 2,
          cheaperOfBooks: number(filled.cheaperOfBooks) ?? 3,
          cheaperAction,
        }),
  };
}
