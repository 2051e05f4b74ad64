import { MarketError } from '../../../core/errors.ts';
import type { DiagnoseOptions, Finding } from '../../finding.ts';
import { type SettingNames, settingNames } from '../../setting-names.ts';
import type { MarketClient } from '../client.ts';
import type { Dialect } from '../dialect.ts';
import { examineAccount } from './account.ts';
import { type Examination, neededRights, tryOut } from './finding.ts';
import { examineOffers } from './offers.ts';
import type { ProbeWriteRights } from './rights.ts';

/** Options of the doctor. */
export interface VastDiagnoseOptions extends Omit<DiagnoseOptions, 'burst' | 'probeRights'> {
  client: MarketClient;
  dialect: Dialect;
  /** For messages. @default those of the one market */
  names?: SettingNames | undefined;
  /** @default 12 */
  burst?: number | undefined;
  /** Probes the key's write rights; omitted: not probed, because it sends empty changes. */
  probeWriteRights?: ProbeWriteRights | undefined;
}

/**
 * Checks the dialect against the market by reading only and reports what answered, what did not, and what was measured:
 * row limit, page sizes, rate limit, paging by id, verification tiers, rights of the key. Throws only the signal's
 * reason; a market that does not answer is a finding.
 */
export async function diagnose(options: VastDiagnoseOptions): Promise<Finding[]> {
  const { client, dialect, now, signal, onFinding, names = settingNames() } = options;
  const findings: Finding[] = [];
  const exam: Examination = {
    client,
    dialect,
    now,
    signal,
    seen: { throttles: 0 },
    note: ({ measured = {}, ...finding }) => {
      const whole = { ...finding, measured };
      findings.push(whole);
      onFinding?.(whole);
    },
  };
  await examineOffers(exam);
  // One silence is one finding: each further check would wait as long for it.
  const [first] = findings;
  if (first?.measured.kind === 'network' || first?.measured.kind === 'timeout') return findings;
  await examineAccount(exam);
  await examineLimit(exam, options.burst ?? 12);
  noteKey(exam, findings, { hasActKey: options.hasActKey, names });
  await examineRights(exam, options.probeWriteRights, names.apiKey);
  return findings;
}

async function examineLimit(exam: Examination, burst: number): Promise<void> {
  const { client, signal, note, seen, now } = exam;
  const subject = 'limits';
  const query = { type: 'on-demand', limit: 1, rentable: true, order: 'id', allocatedStorageGb: 8 } as const;
  const startedAt = now().getTime();
  let sent = 0;
  for (let answered = 0; answered < burst && seen.throttles === 0; answered += 1) {
    const page = await tryOut(exam, 'offers', 'a small search', () => client.searchOffers(query, { signal }));
    if (page === null) return;
    seen.throttles += page.throttles;
    sent += 1;
  }
  const seconds = Math.round((now().getTime() - startedAt) / 1_000);
  const measured = { searches: sent, seconds, throttles: seen.throttles };
  if (seen.throttles > 0) {
    const message = `the market throttled after ${sent} searches in a row (${seconds} s): keep SEARCHES_PER_MINUTE below that`;
    note({ subject, status: 'warning', message, measured });
  } else if (burst === 0) {
    note({
      subject,
      status: 'unknown',
      message: 'no throttling was seen; the limit was not measured',
      measured,
    });
  } else {
    note({ subject, status: 'ok', message: `${sent} searches in ${seconds} s were not throttled`, measured });
  }
}

/** Reports the key's rights by what answered, and whether it looks like an instance's own key. */
function noteKey(
  { note }: Examination,
  findings: readonly Finding[],
  { hasActKey, names: { apiKey, actApiKey } }: { hasActKey: boolean | null; names: SettingNames },
): void {
  const subject = 'key';
  const refused = new Set(
    findings.filter(({ measured }) => measured.kind === 'auth').map((finding) => finding.subject),
  );
  const lacking = new Set(
    Object.entries(neededRights).flatMap(([name, right]) => (refused.has(name) ? [right] : [])),
  );
  const all = [...new Set(Object.values(neededRights))];
  if (lacking.size === all.length) {
    const message = `nothing may be read with ${apiKey}: it is wrong, or the restricted key of one instance`;
    note({ subject, status: 'failed', message, measured: { lacking: all } });
  } else if (lacking.size > 0) {
    const message = `${apiKey} lacks ${[...lacking].join(', ')}`;
    note({ subject, status: 'warning', message, measured: { lacking: [...lacking] } });
  } else if (findings.some(({ status }) => status === 'failed')) {
    const message = `not everything answered, so not all rights of ${apiKey} are known`;
    note({ subject, status: 'unknown', message });
  } else {
    const message = `${apiKey} has the rights that tracking needs: ${all.join(', ')}`;
    note({ subject, status: 'ok', message, measured: { lacking: [] } });
  }
  if (hasActKey === null) return;
  const message = hasActKey
    ? `changes use a separate key, ${actApiKey}`
    : `changes would use ${apiKey}: set ${actApiKey}, so that ${apiKey} can be read-only`;
  note({ subject, status: 'ok', message, measured: { hasActKey } });
}

async function examineRights(
  exam: Examination,
  probe: ProbeWriteRights | undefined,
  apiKey: string,
): Promise<void> {
  const { note, signal } = exam;
  const subject = 'key';
  if (probe === undefined) {
    const message = 'whether the key may do more than read was not checked: no read-only call shows it';
    note({ subject, status: 'unknown', message });
    return;
  }
  try {
    const rights = await probe({ signal });
    const { instanceWrite, userWrite } = rights;
    const beyond = [instanceWrite ? 'instance_write' : null, userWrite ? 'user_write' : null].filter(
      (right) => right !== null,
    );
    const untold = instanceWrite === null || userWrite === null;
    const message =
      beyond.length > 0
        ? `${apiKey} may do more than tracking needs: ${beyond.join(', ')}; create a read-only key`
        : untold
          ? `whether ${apiKey} may do more than read could not be determined`
          : `${apiKey} may change neither instances nor templates`;
    const status = beyond.length > 0 ? 'warning' : untold ? 'unknown' : 'ok';
    note({ subject, status, message, measured: { beyond } });
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    note({ subject, status: 'unknown', message: `the key's rights could not be checked: ${error.message}` });
  }
}
