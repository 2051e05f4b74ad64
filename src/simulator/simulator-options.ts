import type { Log } from '../core/log.ts';
import type { PricingType } from '../core/offer.ts';
import type { RecordedBook } from '../core/recorded-book.ts';
import type { LifePhase } from './account/account-state.ts';
import type { FailurePhase } from './account/life.ts';
import type { Fault } from './faults/fault-grammar.ts';
import type { ServedRequest } from './http-server.ts';
import type { OfferRow } from './offer-table.ts';
import type { SearchAnswer } from './search.ts';
import type { ThrottleRules } from './throttle.ts';
import type { TrueCharge, TrueInstance, TrueInvoice } from './truth.ts';

export interface SimulatorOptions {
  /** The same seed gives the same market. @default 1, or that of the state */
  seed?: number | undefined;
  /** Approximate number of rentable offers of all tiers in a book of a pricing type. @default 1500 */
  offersPerType?: number | undefined;
  /** Maximum rows of a response, silently. @default 25000 */
  cap?: number | undefined;
  /** Virtual seconds per second. @default 1 */
  speed?: number | undefined;
  /** The account's key with all permissions. @default random */
  apiKey?: string | undefined;
  /** Keys with some permissions, by name. @default none */
  scopedKeys?: Readonly<Record<string, { key: string; permissions: readonly string[] }>> | undefined;
  /** The key of `/admin/`. @default none: /admin/ does not exist */
  adminKey?: string | undefined;
  /** The real clock. @default the system's */
  now?: (() => Date) | undefined;
  /** The virtual time at creation. @default that of the state; now; with `replay` the first recorded moment */
  startAt?: Date | undefined;
  /** Recorded books to serve instead of a generated market. */
  replay?: readonly RecordedBook[] | undefined;
  /** A file that stores the account: read at creation if it exists, written after every change. */
  state?: string | undefined;
  /** Whether that file is only read, because another process writes it. @default false */
  readOnlyState?: boolean | undefined;
  /** Whatever is created gets this id or a higher one. @default one above the state's highest, or 5000001 */
  firstId?: number | undefined;
  /** Initial faults, as text of `parseFault`. @default none */
  faults?: readonly string[] | undefined;
  /** Rate limits: none, those of the public documentation, or others. @default 'off' */
  throttle?: 'off' | 'public' | Partial<ThrottleRules> | undefined;
  /** How a wrong key is refused: 401 as specified, or 404 except on instances as observed. @default 'specification' */
  wrongKey?: 'specification' | 'public' | undefined;
  /** Whether seconds are billed, or every started hour of running and of existing. @default 'second' */
  billing?: 'second' | 'hour' | undefined;
  /** Whether the disk costs while the host is disconnected. @default true */
  storageWhileOffline?: boolean | undefined;
  /** Traffic of every running instance, GB per hour. @default 0 and 0 */
  traffic?: { downGbPerHour: number; upGbPerHour: number } | undefined;
  /** Virtual seconds from the rent to running. @default 60 to 300 */
  bootSeconds?: readonly [shortest: number, longest: number] | undefined;
  /** The share of instances that ever ends like this. @default exited 0.02, unknown and offline 0.01 */
  failures?: Readonly<Partial<Record<FailurePhase, number>>> | undefined;
  /** Whether the account has the SSH key that VM instances need. @default true */
  sshKeyRegistered?: boolean | undefined;
  /** Dollars paid at the opening. @default 100; with `pastRentals` 0 */
  openingCreditUsd?: number | undefined;
  /** Paid at a full hour with less than `belowUsd` left; null: never. @default 25 below 10 */
  autoTopUp?: { belowUsd: number; amountUsd: number } | null | undefined;
  /** Payments of each service before the opening. @default 0 */
  pastPayments?: number | undefined;
  /** Whether a new account rented and paid in the eight weeks before its opening. @default false */
  pastRentals?: boolean | undefined;
  log?: Log | undefined;
}

/** A marketplace to build and test against. */
export interface Simulator {
  /** Starts serving on loopback, on a free port unless given. Rejects if the port is taken. */
  listen(options?: { host?: '127.0.0.1' | undefined; port?: number | undefined }): Promise<{ url: string }>;
  /** Stops serving, drops open connections and saves the state. */
  close(): Promise<void>;
  /** The virtual time. */
  now(): Date;
  /** Advances the virtual clock, or with negative seconds puts it back. */
  advance(seconds: number): void;
  /**
   * Returns the response of `POST /api/v0/bundles` to a parsed body at a virtual moment, without faults. @default at
   * now
   */
  search(body: unknown, at?: Date): SearchAnswer;
  apiKey: string;
  /** The moments of the replayed books, ascending; empty without `replay`. */
  recordedAt: readonly Date[];
  /** The newest 10,000 requests over HTTP, oldest first. */
  requests(): readonly ServedRequest[];
  /** Replaces all faults. Throws a UserError for an invalid fault. */
  setFaults(faults: readonly (string | Fault)[]): void;
  /** Returns the active faults that are not used up. */
  faults(): readonly Fault[];
  /** Creates a scoped key. Throws InvalidArgs for an unknown permission. */
  addKey(name: string, permissions: readonly string[]): string;
  /** Forces an existing instance into a phase now, for tests of random events. Throws if it does not exist. */
  setInstancePhase(id: number, phase: LifePhase): void;
  /** Adds an invoice and returns its id; dollars as a decimal, negative if paid in. @default now, by card, paid */
  addInvoice(invoice: {
    amountUsd: string;
    at?: Date;
    type?: string;
    service?: string;
    description?: string;
    paid?: boolean;
  }): number;
  /** Marks an invoice as paid now. Throws if it does not exist. */
  payInvoice(id: number): void;
  /** Removes an invoice without a trace. Throws if it does not exist. */
  removeInvoice(id: number): void;
  /**
   * The actual state: every offer at a moment, including rented ones, whatever the faults. @default now, on demand, 8
   * GB
   */
  offersAt(at?: Date, book?: { type?: PricingType; storageGb?: number }): readonly OfferRow[];
  /** Returns the rentable offers at a moment, as a search for all of them would. */
  rentableOffersAt(at: Date, book: { type: PricingType; storageGb: number }): readonly OfferRow[];
  /** The actual state: all instances that ever existed, by id. */
  instances(): TrueInstance[];
  /** The actual state: all charges so far, by start and source. */
  charges(): TrueCharge[];
  /** The actual state: all invoices so far, in the order of entry. */
  invoices(): TrueInvoice[];
}
