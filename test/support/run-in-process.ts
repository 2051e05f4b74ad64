import { CommanderError } from 'commander';
import { vi } from 'vitest';
import { createProgram } from '../../src/cli.ts';
import { UsageError, UserError } from '../../src/core/errors.ts';
import { exitCodes } from '../../src/core/terminal/command-context.ts';
import type { Config } from '../../src/service/config.ts';
import { describeSettings } from '../../src/service/describe-settings.ts';
import { mistypedSettings } from '../../src/service/mistyped-settings.ts';
import { createServiceContext, type ServiceContext } from '../../src/service/service-context.ts';
import { silentLog } from './silent-log.ts';

export interface InProcessEnd {
  code: number;
  stdout: string;
  /** What was said beside the answer, an entry each time. */
  notes: string[];
}

/** Runs a command of the program in this process, with exit codes as cli.ts gives them. */
export async function runInProcess(args: readonly string[], config: Config): Promise<InProcessEnd> {
  const end: InProcessEnd = { code: exitCodes.done, stdout: '', notes: [] };
  const context = createTestContext(config, end);
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    end.notes.push(String(part));
    return true;
  });
  try {
    await createProgram(context).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) end.code = error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    else if (error instanceof UserError) {
      end.notes.push(error.message);
      end.code = error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
    } else throw error;
  } finally {
    stderr.mockRestore();
  }
  return end;
}

/** A command's context, which records its output, notes and exit code in `end`. */
export function createTestContext(config: Config, end: InProcessEnd): ServiceContext {
  return createServiceContext({
    version: 'of-the-tests',
    config: () => config,
    settings: () => describeSettings(process.env),
    mistyped: () => mistypedSettings(process.env),
    log: () => silentLog,
    print: (line) => {
      end.stdout += `${line}\n`;
    },
    note: (line) => void end.notes.push(line),
    interactive: false,
    exitWith: (code) => {
      end.code = code;
    },
    signal: new AbortController().signal,
  });
}
