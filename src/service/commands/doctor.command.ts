import { Command } from 'commander';
import { UserError } from '../../core/errors.ts';
import { type CommandSettings, exitCodes } from '../../core/terminal/command-context.ts';
import { wholeFrom } from '../../core/terminal/numbers.ts';
import type { Finding } from '../../market/finding.ts';
import type { ServiceContext } from '../service-context.ts';
import { requireNoServer } from './no-server.ts';

interface DoctorArguments {
  burst: number;
  probeRights?: true;
  json?: true;
}

const marks: Record<Finding['status'], string> = {
  ok: 'ok      ',
  warning: 'WARNING ',
  failed: 'FAILED  ',
  unknown: 'unknown ',
  off: 'off     ',
};

export function doctorCommand(context: ServiceContext): Command {
  return new Command('doctor')
    .description(
      'check the database and the configured market: what answers, what does not, its limits (read-only)',
    )
    .option(
      '--burst <searches>',
      'small searches in a row, to measure the rate limit; 0 for none',
      wholeFrom(0),
      12,
    )
    .option(
      '--probe-rights',
      'also send two empty changes to things that do not exist, to see what the key may do',
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  offerbook doctor --burst 0')
    .action(async ({ burst, probeRights, json }: DoctorArguments) => {
      const config = context.config();
      requireNoServer(config);
      const onFinding = (finding: Finding): void => {
        if (!json) context.print(line(finding));
      };
      const { examineDatabase } = await import('./database-finding.ts');
      const ofDatabase = await examineDatabase(context);
      onFinding(ofDatabase);
      const { openMarket } = await import('../open-market.ts');
      const access = await openMarket(config, context.log('command'), null);
      try {
        if (!json) context.print(`Asking ${config.market === null ? 'the built-in simulator' : access.url}`);
        const silence = await silenceOf(access.url, config.market, context.signal);
        if (silence !== null) {
          onFinding(silence);
          if (json) context.print(JSON.stringify({ findings: [ofDatabase, silence] }));
          context.exitWith(exitCodes.failed);
          return;
        }
        const { diagnose } = access.market;
        if (diagnose === null) throw new UserError('Offerbook has no checks for a market of this kind.');
        const ofMarket = await diagnose({
          now: () => new Date(),
          burst,
          probeRights: probeRights === true,
          hasActKey: config.market === null ? null : config.market.actApiKey !== null,
          onFinding,
          signal: context.signal,
        });
        // What cannot be opened is one finding.
        const ofData = ofDatabase.status === 'ok' ? await examineData(context, ofDatabase) : [];
        ofData.forEach(onFinding);
        const findings = [ofDatabase, ...ofMarket, ...ofData];
        if (json) context.print(JSON.stringify({ findings }));
        if (findings.some(({ status }) => status === 'failed')) context.exitWith(exitCodes.failed);
        else if (findings.some(({ status }) => status === 'warning')) context.exitWith(exitCodes.partial);
      } finally {
        await access.close();
      }
    });
}

/** Returns the findings of what the database holds. */
async function examineData(context: ServiceContext, { measured }: Finding): Promise<Finding[]> {
  const { examineCatalogs } = await import('./catalog-findings.ts');
  const { examineBackups } = await import('../backups/backup-finding.ts');
  const { examineClock } = await import('./clock-finding.ts');
  const ofClock = measured.pending === 0 ? await examineClock(context, new Date()) : [];
  return [...ofClock, ...(await examineCatalogs(context)), ...(await examineBackups(context, new Date()))];
}

/** Returns the one finding of an address where nobody answers, so that not every check waits for it; else null. */
async function silenceOf(
  url: string,
  market: CommandSettings['market'],
  signal: AbortSignal,
): Promise<Finding | null> {
  const { findSilence } = await import('../../market/wire/find-silence.ts');
  const reason = await findSilence(url, signal);
  if (signal.aborted) throw signal.reason;
  if (reason === null) return null;
  const setting = market?.settings.url ?? 'the simulator';
  const message = `nobody answers at ${url} (${reason}): check ${setting}, and that the market runs. Nothing else of the market was checked.`;
  return { subject: 'offers', status: 'failed', message, measured: { kind: 'network', reason } };
}

const line = ({ status, subject, message }: Finding): string => `${marks[status]} ${subject}: ${message}`;
