import { knownGpuName } from '../core/gpu-names.ts';
import type { Finding } from './finding.ts';

/** Reports model names in a market's offers that the table of GPU names lacks. Source: docs/meaning.md#gpu-names. */
export function gpuNamesFinding(gpuNames: Iterable<string>): Finding {
  const names = [...new Set(gpuNames)].sort();
  const unknown = names.filter((name) => knownGpuName(name) === null);
  const subject = 'GPU names';
  const measured = { names: names.length, unknown };
  if (names.length === 0) return { subject, status: 'unknown', message: 'no offer names a model', measured };
  if (unknown.length === 0) {
    return { subject, status: 'ok', message: `all ${names.length} are in the table of names`, measured };
  }
  const list = unknown.map((name) => JSON.stringify(name)).join(', ');
  const message = `${unknown.length} of ${names.length} are in no table and are kept as they are: ${list}; models of other markets are not matched with them`;
  return { subject, status: 'unknown', message, measured };
}
