import { useRef, useState } from 'preact/hooks';
import type { Channel, Rule } from '../core/api.ts';
import { digestSchedules } from '../core/schedules.ts';
import { Select, SomeOf } from '../parts/choice.tsx';
import { ScheduleChoice } from '../parts/schedule-choice.tsx';
import { channelOptions } from './chosen-channels.ts';

/** Trigger condition, quiet hours, digest and channels of a rule; empty text: the default. */
export interface RuleOptions {
  m: string;
  n: string;
  cooldownMinutes: string;
  hysteresisPercent: string;
  dailyCap: string;
  /** `leave`, `never` or a number of minutes. */
  rearm: string;
  quietFrom: string;
  quietTo: string;
  digest: string;
  channelIds: string[];
}

export const firstOptions: RuleOptions = {
  m: '1',
  n: '1',
  cooldownMinutes: '',
  hysteresisPercent: '',
  dailyCap: '',
  rearm: 'leave',
  quietFrom: '',
  quietTo: '',
  digest: '',
  channelIds: [],
};

type Kept = Pick<
  Rule,
  'of' | 'cooldownMinutes' | 'hysteresisPercent' | 'dailyCap' | 'rearm' | 'quietHours' | 'digest'
>;

/** Returns the options of a saved rule as they are filled in; what is as by default is empty. */
export const optionsOf = ({ of, rearm, quietHours, digest, ...rule }: Kept): RuleOptions => ({
  ...firstOptions,
  m: `${of.m}`,
  n: `${of.n}`,
  cooldownMinutes: rule.cooldownMinutes === 0 ? '' : `${rule.cooldownMinutes}`,
  hysteresisPercent: rule.hysteresisPercent === 0 ? '' : `${rule.hysteresisPercent}`,
  dailyCap: rule.dailyCap === null ? '' : `${rule.dailyCap}`,
  rearm: typeof rearm === 'string' ? rearm : `${rearm.afterMinutes}`,
  quietFrom: quietHours?.from ?? '',
  quietTo: quietHours?.to ?? '',
  digest: digest?.cron ?? '',
});

/** Returns every option of a changed rule: what was emptied is as by default, times stay in their time zone. */
export function changedOptions(options: RuleOptions, before: Kept, timeZone: string): Kept {
  const { m, n, cooldownMinutes, hysteresisPercent, dailyCap, rearm, quietFrom, quietTo, digest } = options;
  return {
    of: { m: Number(m), n: Number(n) },
    cooldownMinutes: Number(cooldownMinutes),
    hysteresisPercent: Number(hysteresisPercent),
    dailyCap: dailyCap.trim() === '' ? null : Number(dailyCap),
    rearm: rearm === 'leave' || rearm === 'never' ? rearm : { afterMinutes: Number(rearm) },
    quietHours:
      quietFrom === '' || quietTo === ''
        ? null
        : { from: quietFrom, to: quietTo, timeZone: before.quietHours?.timeZone ?? timeZone },
    digest:
      digest.trim() === '' ? null : { cron: digest.trim(), timeZone: before.digest?.timeZone ?? timeZone },
  };
}

/** Returns the API's fields of a new rule; unset ones are left out. */
export function optionFields(options: RuleOptions, timeZone: string): Record<string, unknown> {
  const { m, n, rearm, quietFrom, quietTo, digest, channelIds } = options;
  const number = (name: 'cooldownMinutes' | 'hysteresisPercent' | 'dailyCap') =>
    options[name].trim() === '' ? {} : { [name]: Number(options[name]) };
  const isClock = rearm !== 'leave' && rearm !== 'never';
  return {
    of: { m: Number(m), n: Number(n) },
    ...number('cooldownMinutes'),
    ...number('hysteresisPercent'),
    ...number('dailyCap'),
    ...(rearm === 'leave' ? {} : { rearm: isClock ? { afterMinutes: Number(rearm) } : rearm }),
    ...(quietFrom === '' || quietTo === '' ? {} : { quietHours: { from: quietFrom, to: quietTo, timeZone } }),
    ...(digest.trim() === '' ? {} : { digest: { cron: digest.trim(), timeZone } }),
    ...(channelIds.length === 0 ? {} : { channelIds }),
  };
}

interface Props {
  /** The saved rule that is changed. @default a new one */
  before?: Kept | null;
  options: RuleOptions;
  set: (options: RuleOptions) => void;
  channels: readonly Channel[];
  /** Name of what provides the channels if none is selected. */
  unless: string;
}

const metInTitle =
  'A book is one reading of all offers. It fires once its condition held in so many of the last books: 2 of the last 3 passes over a price that was seen only once';

const numbers = [
  {
    name: 'cooldownMinutes',
    label: 'Cooldown, min',
    unset: 'none',
    title: 'Minimum time between two alerts',
  },
  {
    name: 'hysteresisPercent',
    label: 'Hysteresis, %',
    unset: '0',
    title: 'How far the value must move back past the limit before the rule can fire again',
  },
  {
    name: 'dailyCap',
    label: 'Daily cap',
    unset: 'any',
    title: 'Maximum alerts per UTC day; further ones are recorded but not sent',
  },
] as const;

/** Trigger condition, quiet hours, digest and channels, collapsed. */
export function RuleOptionFields({ before = null, options, set, channels, unless }: Props) {
  const [isTimed, setTimed] = useState(options.rearm !== 'leave' && options.rearm !== 'never');
  const hasQuietHours = options.quietFrom !== '' || options.quietTo !== '';
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const quietZone = before?.quietHours?.timeZone ?? timeZone;
  const fold = useRef<HTMLDetailsElement>(null);
  return (
    <details
      class="fold"
      ref={fold}
      // What refuses saving is seen.
      onInvalidCapture={() => {
        if (fold.current !== null) fold.current.open = true;
      }}
    >
      <summary>Trigger condition, quiet hours, digest{channels.length > 0 && ', channels'}</summary>
      <div class="fields">
        {(['m', 'n'] as const).map((name) => (
          <label key={name} class="field narrow" title={metInTitle}>
            <span>{name === 'm' ? 'Met in' : 'of the last books'}</span>
            <input
              name={`rule-${name}`}
              type="number"
              min={1}
              required
              value={options[name]}
              onInput={({ currentTarget }) => set({ ...options, [name]: currentTarget.value })}
            />
          </label>
        ))}
        {numbers.map(({ name, label, unset, title }) => (
          <label key={name} class="field narrow" title={title}>
            <span>{label}</span>
            <input
              name={name}
              type="number"
              min={0}
              placeholder={unset}
              value={options[name]}
              onInput={({ currentTarget }) => set({ ...options, [name]: currentTarget.value })}
            />
          </label>
        ))}
        <Select
          label="Rearm"
          name="rearm"
          title="When it may fire again after it has fired: once its condition no longer holds, after some minutes, or never"
          options={[
            { value: 'leave', label: 'When the condition ends' },
            { value: 'minutes', label: 'After some minutes' },
            { value: 'never', label: 'Never' },
          ]}
          value={isTimed ? 'minutes' : options.rearm}
          choose={(value) => {
            setTimed(value === 'minutes');
            set({ ...options, rearm: value === 'minutes' ? '60' : value });
          }}
        />
        {isTimed && (
          <label class="field narrow">
            <span>Minutes</span>
            <input
              name="rearm-minutes"
              type="number"
              min={1}
              required
              value={options.rearm}
              onInput={({ currentTarget }) => set({ ...options, rearm: currentTarget.value })}
            />
          </label>
        )}
        {(['quietFrom', 'quietTo'] as const).map((name) => (
          <label key={name} class="field" title="Alerts in this time are sent at its end">
            <span>
              {name === 'quietFrom' ? 'Quiet from' : 'Quiet until'}, {quietZone}
            </span>
            <input
              name={name}
              type="time"
              required={hasQuietHours}
              value={options[name]}
              onInput={({ currentTarget }) => set({ ...options, [name]: currentTarget.value })}
            />
            {hasQuietHours && options[name] === '' && (
              <p class="failure" data-lacks={name}>
                Quiet hours need both times.
              </p>
            )}
          </label>
        ))}
        <ScheduleChoice
          label="Send"
          name="digest"
          options={digestSchedules}
          cron={options.digest}
          timeZone={before?.digest?.timeZone ?? timeZone}
          set={(digest) => set({ ...options, digest })}
        />
        {channels.length > 0 && (
          <SomeOf
            legend={`Notify (none: ${unless})`}
            name="rule-channel"
            options={channelOptions(channels)}
            chosen={options.channelIds}
            choose={(channelIds) => set({ ...options, channelIds })}
          />
        )}
      </div>
    </details>
  );
}
