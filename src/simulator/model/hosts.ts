import { between, type Chance, createScramble, logBetween, pickWeighted, purposeOf } from './chance.ts';
import { bandwidthPrices, places, storagePrices } from './hardware.ts';

/** The owner of machines: properties that all machines of one owner share. */
export interface Host {
  hostId: number;
  /** `Texas, US`, `, US`; null for 0.8 %. */
  geolocation: string | null;
  geolocode: number;
  /** 0 at home, 1 or 2 in a datacenter. */
  hostingType: number;
  staticIp: boolean;
  ipAddress: string;
  storageUsdPerGbMonth: number;
  inetDownUsdPerTb: number;
  inetUpUsdPerTb: number;
  /** As listed, before the daily variation. */
  inetDown: number;
  inetUp: number;
  /** The host's factor on its prices, around 1. */
  markup: number;
}

const hostBits = 20;
const machinesToAHost = 1.7;
const p = {
  place: purposeOf('host place'),
  noPlace: purposeOf('host without place'),
  hosting: purposeOf('hosting type'),
  staticIp: purposeOf('static ip'),
  storage: purposeOf('storage price'),
  inet: purposeOf('bandwidth price'),
  inetUp: purposeOf('bandwidth price up'),
  speed: purposeOf('bandwidth'),
  upload: purposeOf('bandwidth up'),
  ip: purposeOf('ip address'),
  markup: purposeOf('host markup'),
  owner: purposeOf('owner of machine'),
};

/** The owners of a market with this many machines: `of(key, at)` returns a machine's owner for life. */
export function createHosts(
  seed: number,
  chance: Chance,
  machines: number,
): { of(machineKey: number): Host } {
  const count = Math.max(2, Math.round(machines / machinesToAHost));
  const scramble = createScramble(seed + 7, hostBits);
  const known = new Map<number, Host>();
  return {
    of(machineKey) {
      // The square favors low numbers: few hosts own many machines, many own one.
      const index = Math.floor(count * chance(p.owner, machineKey) ** 1.6);
      const host = known.get(index) ?? makeHost(chance, index, 1 + scramble(index));
      known.set(index, host);
      return host;
    },
  };
}

function makeHost(chance: Chance, index: number, hostId: number): Host {
  const place = pickWeighted(places, chance(p.place, index));
  const hosting = chance(p.hosting, index);
  const hostingType = hosting < 0.02 ? 2 : hosting < 0.22 ? 1 : 0;
  const down = chance(p.speed, index);
  const inetDown = hostingType > 0 ? logBetween(700, 48_000, down) : logBetween(20, 6000, down);
  return {
    hostId,
    geolocation: chance(p.noPlace, index) < 0.008 ? null : place,
    geolocode: purposeOf(place) & 0x7fffffff,
    hostingType,
    staticIp: chance(p.staticIp, index) < (hostingType > 0 ? 0.9 : 0.5),
    ipAddress: `203.0.113.${1 + Math.floor(chance(p.ip, index) * 254)}`,
    storageUsdPerGbMonth: pickWeighted(storagePrices, chance(p.storage, index)),
    inetDownUsdPerTb: pickWeighted(bandwidthPrices, chance(p.inet, index)),
    inetUpUsdPerTb: pickWeighted(bandwidthPrices, chance(p.inetUp, index)),
    inetDown,
    inetUp: inetDown * between(0.3, 1, chance(p.upload, index)) ** 1.5,
    markup: between(0.9, 1.12, chance(p.markup, index)),
  };
}
