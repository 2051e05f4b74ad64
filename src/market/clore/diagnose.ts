import { MarketError } from '../../core/errors.ts';
import type { Diagnose, Finding } from '../finding.ts';
import { gpuNamesFinding } from '../gpu-names-finding.ts';
import type { ServerList } from './read-servers.ts';

/** Requests the market once and reports what a book can use of its servers, and models missing from the table. */
export const createDiagnose =
  (readServers: (type: 'on-demand', signal?: AbortSignal) => Promise<ServerList>): Diagnose =>
  async ({ onFinding, signal }) => {
    const findings = await examine(() => readServers('on-demand', signal), signal);
    for (const finding of findings) onFinding?.(finding);
    return findings;
  };

async function examine(read: () => Promise<ServerList>, signal: AbortSignal | undefined): Promise<Finding[]> {
  try {
    const { readings } = await read();
    const offers = readings.flatMap((each) => (each.kind === 'offer' ? [each.offer] : []));
    return [noteServers(readings, offers.length), gpuNamesFinding(offers.map(({ gpuName }) => gpuName))];
  } catch (error) {
    if (!(error instanceof MarketError) || signal?.aborted === true) throw error;
    const { kind, httpStatus, message } = error;
    return [{ subject: 'offers', status: 'failed', message, measured: { kind, httpStatus } }];
  }
}

function noteServers(readings: ServerList['readings'], offers: number): Finding {
  const counted = (kind: 'leftOut' | 'rejected') => readings.filter((each) => each.kind === kind).length;
  const measured = {
    servers: readings.length,
    offers,
    leftOut: counted('leftOut'),
    rejected: counted('rejected'),
  };
  const message = `${offers} of ${readings.length} servers have a price in dollars; ${measured.leftOut} are left out, ${measured.rejected} cannot be read`;
  const isWrong = offers === 0 || measured.rejected * 20 > readings.length;
  return { subject: 'offers', status: isWrong ? 'warning' : 'ok', message, measured };
}
