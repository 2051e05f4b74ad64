import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentBlock } from './document-blocks.ts';

/** How a block ended. */
export interface BlockEnd {
  outcome: 'done' | 'failed' | 'not reached';
  /** What it printed, on both streams. */
  output: string;
}

/**
 * Runs blocks one after another in one shell, so that later ones have the variables and functions of earlier ones. The
 * shell ends with the first command that fails, those within a pipe too, or at an unset variable.
 */
export async function runDocument(
  blocks: readonly DocumentBlock[],
  options: { folder: string; env: Record<string, string> },
): Promise<BlockEnd[]> {
  const marker = `block-${crypto.randomUUID()}`;
  const script = blocks.map(({ text }) => `${text}\necho ${marker}`).join('\n');
  const path = join(options.folder, `${marker}.log`);
  const log = await open(path, 'w');
  const shell = spawn('bash', ['-c', `set -euo pipefail\n${script}`], {
    cwd: options.folder,
    env: options.env,
    stdio: ['ignore', log.fd, log.fd],
  });
  await once(shell, 'close');
  await log.close();
  const outputs = (await readFile(path, 'utf8')).split(`${marker}\n`);
  return blocks.map((_, index) => ({
    outcome: index < outputs.length - 1 ? 'done' : index === outputs.length - 1 ? 'failed' : 'not reached',
    output: outputs[index] ?? '',
  }));
}
