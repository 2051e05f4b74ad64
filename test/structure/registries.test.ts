import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandGroups } from '../../src/service/commands/command-registry.ts';
import { readFiles, root } from './source-files.ts';

const commandRegistry = Object.values(commandGroups).flat();

describe('the command registry', () => {
  it('lists every command that a file named `.command` exports, and nothing else', async () => {
    const exported = await Promise.all(
      readFiles('src', ['.command.ts']).map(async ({ path }) => {
        const module: Record<string, unknown> = await import(join(root, path));
        return Object.entries(module).filter(([name]) => name.endsWith('Command'));
      }),
    );
    const commands = exported.flat();
    const missing = commands.filter(([, command]) => !commandRegistry.some((listed) => listed === command));
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(commandRegistry).toHaveLength(commands.length);
    expect(new Set(commandRegistry).size).toBe(commandRegistry.length);
  });
});
