import { MarketError } from '../../core/errors.ts';
import type { PricingType } from '../../core/offer.ts';
import type { RequestEngine } from '../wire/request-engine.ts';
import { BodyTooLargeError, maxRecords } from '../wire/response-body.ts';
import { readServer, type ServerCosts, type ServerReading } from './server-record.ts';

/** All servers of the market as offers of one type, and the cost of reading them. */
export interface ServerList {
  readings: ServerReading[];
  replacedCharacters: number;
  retries: number;
  throttles: number;
}

/** Creates `readServers(type, signal)`, which makes a book's single request and reads each server as it arrives. */
export function createReadServers(
  engine: RequestEngine,
  { path, costs }: { path: string; costs: ServerCosts },
): (type: PricingType, signal?: AbortSignal) => Promise<ServerList> {
  return async (type, signal) => {
    let readings: ServerReading[] = [];
    const take = (row: unknown): void => {
      if (readings.length >= maxRecords) throw new BodyTooLargeError(`${maxRecords} records`);
      readings.push(readServer(row, type, costs));
    };
    const list = {
      key: 'servers',
      onList: () => {
        readings = [];
      },
      take,
    };
    const answer = await engine.send(
      { endpoint: 'marketplace', method: 'GET', path, list, repeat: 'always' },
      signal,
    );
    if (answer.json.code !== 0 || !Array.isArray(answer.json.servers)) {
      const endpoint = `GET ${path}`;
      const message = `${endpoint} answered without a code of 0 and a list of servers: check the market's address`;
      throw new MarketError(message, { kind: 'contract', endpoint, httpStatus: 200 });
    }
    const inRows = readings.reduce((sum, { replacedCharacters }) => sum + replacedCharacters, 0);
    const { replacedCharacters, retries, throttles } = answer;
    return { readings, replacedCharacters: replacedCharacters + inRows, retries, throttles };
  };
}
