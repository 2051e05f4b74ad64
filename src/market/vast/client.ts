import type { Log } from '../../core/log.ts';
import type { RequestBudget } from '../../core/request-budget.ts';
import type { ChangeBid, ChangeLabel } from '../account.ts';
import { type SettingNames, settingNames } from '../setting-names.ts';
import type { TemplateCalls } from '../template.ts';
import type { CreateVolume, VolumeCalls } from '../volume.ts';
import { type Clock, systemClock } from '../wire/clock.ts';
import type { Timeouts } from '../wire/deadlines.ts';
import { createLocalBudget } from '../wire/local-budget.ts';
import type { Engines } from './call.ts';
import type { Dialect } from './dialect.ts';
import { createRightsProbe, type ProbeWriteRights } from './doctor/rights.ts';
import { createVastEngine } from './engine.ts';
import { createBidChange } from './extensions/bid.ts';
import { type ChargeCalls, createChargeCalls } from './extensions/charges.ts';
import { createLabelChange } from './extensions/label.ts';
import { createVolumeCalls } from './extensions/volumes.ts';
import { createInstanceCalls, type VastInstanceCalls } from './instances.ts';
import { createInvoiceCalls, type InvoiceCalls } from './invoices.ts';
import { createSearchOffers, type SearchOffers } from './offers.ts';
import { createTemplateCalls } from './templates.ts';
import { createVolumeCreation } from './volumes.ts';

/** Public but undocumented calls; null if the dialect disables them. */
export interface MarketExtensions {
  charges: ChargeCalls | null;
  changeBid: ChangeBid | null;
  changeLabel: ChangeLabel | null;
  volumes: VolumeCalls | null;
}

/** The marketplace's client with every endpoint. Source: docs/marketplace.md#4-endpoints. */
export interface MarketClient extends VastInstanceCalls, TemplateCalls, InvoiceCalls {
  searchOffers: SearchOffers;
  createVolume: CreateVolume;
  extensions: MarketExtensions;
  /** For the doctor, and not read-only: sends requests that change nothing. */
  probeWriteRights: ProbeWriteRights;
  /** Closes connections and open calls, which reject. */
  close: () => Promise<void>;
}

/** Options of a client; most of the later ones are for tests. */
export interface MarketClientOptions {
  /** The market's base address, including any path. */
  baseUrl: string;
  apiKey: string;
  /** The key for calls that change something. @default apiKey */
  actApiKey?: string | undefined;
  dialect: Dialect;
  /** Larger responses, decompressed, are refused. */
  maxBodyBytes: number;
  log: Log;
  /** @default the machine's clock, made monotonic */
  now?: Clock['now'] | undefined;
  /** @default Math.random */
  random?: (() => number) | undefined;
  sleep?: Clock['sleep'] | undefined;
  /** The budget of requests. @default the dialect's minimum intervals, for this client alone */
  budget?: RequestBudget | undefined;
  /** Setting names for messages. @default the single market's */
  names?: SettingNames | undefined;
  /** @default per endpoint, docs/faults.md */
  timeouts?: Partial<Timeouts> | undefined;
}

/** Creates a client of one market. Throws UserError for an unusable address or key. */
export function createMarketClient(options: MarketClientOptions): MarketClient {
  const { dialect } = options;
  const engines = createEngines(options);
  const has = dialect.extensions;
  return {
    searchOffers: createSearchOffers(engines.read, dialect),
    ...createInstanceCalls(engines, dialect),
    ...createTemplateCalls(engines, dialect),
    createVolume: createVolumeCreation(engines, dialect),
    ...createInvoiceCalls(engines, dialect),
    extensions: {
      charges: has.charges ? createChargeCalls(engines, dialect) : null,
      changeBid: has.bidChange ? createBidChange(engines, dialect) : null,
      changeLabel: has.labelChange ? createLabelChange(engines, dialect) : null,
      volumes: has.volumes ? createVolumeCalls(engines, dialect) : null,
    },
    probeWriteRights: createRightsProbe(engines.read, dialect),
    close: async () => {
      await Promise.all([engines.read.close(), engines.act.close()]);
    },
  };
}

function createEngines(options: MarketClientOptions): Engines {
  const { now = systemClock.now, sleep = systemClock.sleep, random = Math.random } = options;
  const { baseUrl, apiKey, dialect, maxBodyBytes, log, timeouts = {} } = options;
  const clock = { now, sleep };
  // One budget for both keys, because they belong to one account.
  const { budget = createLocalBudget(dialect.minIntervalSeconds, clock) } = options;
  const actApiKey = options.actApiKey ?? apiKey;
  const { names = settingNames() } = options;
  const actKey = options.actApiKey === undefined ? 'apiKey' : 'actApiKey';
  const common = { baseUrl, dialect, maxBodyBytes, log, clock, random, timeouts, budget };
  const secrets = [apiKey, actApiKey];
  return {
    names,
    read: createVastEngine({
      ...common,
      apiKey,
      secrets,
      source: { names, key: 'apiKey' },
      keepAlive: true,
    }),
    act: createVastEngine({
      ...common,
      apiKey: actApiKey,
      secrets,
      source: { names, key: actKey },
      keepAlive: false,
    }),
  };
}
