import { limitValues } from '../rentals/limits.ts';
import { findBackupProblems } from './backups/backup-settings.ts';
import { missingForHeader } from './sign-in/header-sign-in.ts';

/** Returns what is wrong with settings beside each other, a sentence each; each alone is fine. */
export function findConfigProblems(given: Readonly<Record<string, string>>): string[] {
  const problems: string[] = [];
  const { MARKET_URL: url, MARKET_API_KEY: key } = given;
  if ((url === undefined) !== (key === undefined)) {
    const [missing, present] =
      url === undefined ? ['MARKET_URL', 'MARKET_API_KEY'] : ['MARKET_API_KEY', 'MARKET_URL'];
    problems.push(
      `${missing}: is missing; ${present} needs it. Set both for a real market, neither for the simulator`,
    );
  }
  if (given.MARKETS !== undefined && url !== undefined) {
    problems.push('MARKETS: MARKET_URL is set too; keep one of them');
  }
  if (given.DATABASE_REPLICA_URL !== undefined && given.DATABASE_URL === undefined) {
    problems.push('DATABASE_URL: is missing; DATABASE_REPLICA_URL is a replica of it. Set both or neither');
  }
  if ((given.FETCH_CATALOGS ?? 'off') !== 'off' && given.CATALOGS === undefined) {
    problems.push('CATALOGS: is missing; FETCH_CATALOGS says when they are read. Set both or neither');
  }
  problems.push(...findBackupProblems(given));
  problems.push(...missingForHeader(given));
  if (given.ACTIONS === 'on' && (url !== undefined || given.MARKETS !== undefined)) {
    const missing = Object.keys(limitValues).filter((name) => given[name] === undefined);
    if (missing.length > 0) {
      problems.push(
        `ACTIONS "on": a live market needs ${missing.join(', ')} too, the limits on what is rented`,
      );
    }
  }
  return problems;
}
