import type { Instance } from './instance.ts';

/**
 * The states known to the program, to which markets map their own; others are passed on unchanged. Only this file and
 * the markets name them. Source: docs/marketplace.md#3-states.
 */
export const knownStatuses = [
  'loading',
  'running',
  'exited',
  'unknown',
  'offline',
  'created',
  'scheduling',
  'stopped',
  'frozen',
  'rebooting',
] as const;
type KnownStatus = (typeof knownStatuses)[number];

type Actual = Pick<Instance, 'actualStatus'>;
type Intended = Pick<Instance, 'intendedStatus'>;

const isOneOf = (status: string | null, statuses: readonly KnownStatus[]): boolean =>
  statuses.some((each) => each === status);

/** The status of a running instance, for SQL. */
export const runningStatus: KnownStatus = 'running';

/** Whether an instance runs, whatever was requested. */
export const isRunning = ({ actualStatus }: Actual): boolean => actualStatus === runningStatus;

/** The statuses between the rent, or a start, and running, for SQL; null is such a status too. */
export const bootingStatuses: readonly KnownStatus[] = ['loading', 'created', 'scheduling'];

/** Whether an instance is between the rent, or a start, and running. */
export const isBooting = ({ actualStatus }: Actual): boolean =>
  actualStatus === null || isOneOf(actualStatus, bootingStatuses);

/** Whether an instance reboots after it has run. */
export const isRebooting = ({ actualStatus }: Actual): boolean => isOneOf(actualStatus, ['rebooting']);

/** Whether an instance has a status from which it never becomes running: destroy it. */
export const isDead = ({ actualStatus }: Actual): boolean =>
  isOneOf(actualStatus, ['exited', 'unknown', 'offline']);

/** Whether the market has accepted a start. */
export const isMeantToRun = ({ intendedStatus }: Intended): boolean => isOneOf(intendedStatus, ['running']);

/** The intended status of an accepted stop, for SQL. */
export const stopIntention: KnownStatus = 'stopped';

/** Whether the market has accepted a stop. */
export const isMeantToStop = ({ intendedStatus }: Intended): boolean =>
  isOneOf(intendedStatus, [stopIntention]);

/** Whether an instance shows as stopped, whoever stopped it. */
export const showsStopped = ({ actualStatus }: Actual): boolean => isOneOf(actualStatus, ['stopped']);

/** Whether an instance's GPUs are released: a stop counts whatever the actual status says. */
export const isStopped = (instance: Actual & Intended): boolean =>
  isMeantToStop(instance) || (showsStopped(instance) && !isMeantToRun(instance));

/** Whether an instance's GPUs are billed, not only its disk. */
export const isComputing = (instance: Actual & Intended): boolean =>
  isRunning(instance) && !isMeantToStop(instance);

/** Whether it may be stopped: a market that does not state the intended status shows its container as exited. */
export const mayBeStopped = ({ actualStatus, intendedStatus }: Actual & Intended): boolean =>
  intendedStatus === null && isOneOf(actualStatus, ['exited']);
